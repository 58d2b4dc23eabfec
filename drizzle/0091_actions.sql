CREATE TABLE `actions` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`loss` text NOT NULL,
	`general_cause_id` integer,
	`specific_cause_id` integer,
	`machine_id` integer,
	`line_id` integer,
	`seen_from` integer NOT NULL,
	`seen_to` integer NOT NULL,
	`seen_minutes` real NOT NULL,
	`seen_planned_minutes` real NOT NULL,
	`measure` text NOT NULL,
	`owner_id` integer NOT NULL,
	`due_on` text NOT NULL,
	`state` text NOT NULL,
	`comment` text,
	`ended_at` integer,
	`created_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `actions_company` ON `actions` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `actions_ended` ON `actions` (`company_id`,`ended_at`,`id`) WHERE ended_at is not null;