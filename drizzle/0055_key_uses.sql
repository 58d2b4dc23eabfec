CREATE TABLE `key_uses` (
	`key` text PRIMARY KEY NOT NULL,
	`is_current` integer NOT NULL,
	`texts` integer NOT NULL,
	`unused_since` integer,
	`counted_at` integer NOT NULL
);
