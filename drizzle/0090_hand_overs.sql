CREATE TABLE `hand_overs` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`shift_id` integer NOT NULL,
	`date` text NOT NULL,
	`line_id` integer NOT NULL,
	`shift_start` integer NOT NULL,
	`shift_end` integer NOT NULL,
	`notes` text NOT NULL,
	`watch` text NOT NULL,
	`figures` text NOT NULL,
	`written_by` integer NOT NULL,
	`written_by_name` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`acknowledged_at` integer,
	`acknowledged_by` integer,
	`acknowledged_by_name` text,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`shift_id`) REFERENCES `shifts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `hand_overs_shift` ON `hand_overs` (`company_id`,`date`,`shift_id`,`line_id`);--> statement-breakpoint
CREATE INDEX `hand_overs_company` ON `hand_overs` (`company_id`,`shift_start`,`id`);