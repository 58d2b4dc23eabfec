CREATE TABLE `calendar_days` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`date` text NOT NULL,
	`scope` text NOT NULL,
	`line_id` integer,
	`machine_id` integer,
	`shifts` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`line_id`) REFERENCES `lines`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`machine_id`) REFERENCES `machines`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_days_of_company` ON `calendar_days` (`company_id`,`date`) WHERE deleted_at is null and line_id is null and machine_id is null;--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_days_of_line` ON `calendar_days` (`line_id`,`date`) WHERE deleted_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_days_of_machine` ON `calendar_days` (`machine_id`,`date`) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `calendar_days_company` ON `calendar_days` (`company_id`);