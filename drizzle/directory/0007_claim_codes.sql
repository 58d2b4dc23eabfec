CREATE TABLE `claim_codes` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
