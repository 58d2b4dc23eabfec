-- WITHOUT ROWID is written by hand, as in 0053.
CREATE TABLE `recalculation_machines` (
	`recalculation_id` integer NOT NULL,
	`machine_id` integer NOT NULL,
	`state` text NOT NULL,
	`reached_at` integer,
	`changed_records` integer DEFAULT 0 NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`recalculation_id`, `machine_id`),
	FOREIGN KEY (`recalculation_id`) REFERENCES `recalculations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`machine_id`) REFERENCES `machines`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `recalculation_machines_requested` ON `recalculation_machines` (`recalculation_id`,`updated_at`) WHERE state = 'requested';--> statement-breakpoint
CREATE TABLE `recalculations` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`reason` text NOT NULL,
	`from_at` integer NOT NULL,
	`to_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `recalculations_company` ON `recalculations` (`company_id`,`id`);--> statement-breakpoint
CREATE INDEX `recalculations_open` ON `recalculations` (`company_id`) WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX `recalculations_ended` ON `recalculations` (`ended_at`) WHERE ended_at is not null;