CREATE TABLE `lines` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `lines_name` ON `lines` (`company_id`,`name`) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `lines_company` ON `lines` (`company_id`);--> statement-breakpoint
ALTER TABLE `machines` ADD `line_id` integer REFERENCES lines(id);--> statement-breakpoint
CREATE INDEX `machines_line` ON `machines` (`line_id`);