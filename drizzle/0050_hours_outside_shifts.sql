CREATE TABLE `hours_outside_shifts` (
	`machine_id` integer NOT NULL,
	`start_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`company_id` integer NOT NULL,
	`units` real NOT NULL,
	PRIMARY KEY(`machine_id`, `start_at`)
);
--> statement-breakpoint
CREATE INDEX `hours_outside_shifts_company` ON `hours_outside_shifts` (`company_id`,`start_at`);--> statement-breakpoint
CREATE INDEX `hours_outside_shifts_start` ON `hours_outside_shifts` (`start_at`);