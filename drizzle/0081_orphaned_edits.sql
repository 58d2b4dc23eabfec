CREATE TABLE `orphaned_edits` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`company_id` integer NOT NULL,
	`machine_id` integer NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`stop_id` integer NOT NULL,
	`action` text NOT NULL,
	`reason` text NOT NULL,
	`said_at` integer NOT NULL,
	`user_id` integer,
	`said` text,
	`boundary_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `orphaned_edits_company` ON `orphaned_edits` (`company_id`,`start_at`,`id`);--> statement-breakpoint
CREATE INDEX `orphaned_edits_machine` ON `orphaned_edits` (`machine_id`,`start_at`,`id`);