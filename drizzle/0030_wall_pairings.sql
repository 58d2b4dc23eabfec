CREATE TABLE `wall_pairings` (
	`id` text PRIMARY KEY NOT NULL,
	`code` text NOT NULL,
	`token_hash` text NOT NULL,
	`confirmed_at` integer,
	`expires_at` integer NOT NULL,
	`line_ids` text,
	`distance` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `wall_pairings_code` ON `wall_pairings` (`code`);--> statement-breakpoint
CREATE INDEX `wall_pairings_end` ON `wall_pairings` (`expires_at`);