CREATE TABLE `held_entries` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`company_id` integer NOT NULL,
	`machine_id` integer NOT NULL,
	`day` integer NOT NULL,
	`reason` text NOT NULL,
	`count` integer NOT NULL,
	`units` real NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `held_entries_company` ON `held_entries` (`company_id`,`day`,`id`);--> statement-breakpoint
ALTER TABLE `machines` ADD `hold_factor` real DEFAULT 20;