CREATE TABLE `corrections` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`company_id` integer NOT NULL,
	`machine_id` integer NOT NULL,
	`at` integer NOT NULL,
	`shift_start` integer,
	`shift_id` integer,
	`sku_id` text,
	`work_order_id` text,
	`total` real NOT NULL,
	`defects` real NOT NULL,
	`rework` real NOT NULL,
	`reason_id` integer,
	`comment` text,
	`applied_total` real NOT NULL,
	`applied_defects` real NOT NULL,
	`user_id` integer NOT NULL,
	`api_token_id` integer,
	`undone_at` integer,
	`undone_by` integer,
	`line_id` integer,
	`day` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `corrections_company` ON `corrections` (`company_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `corrections_machine` ON `corrections` (`machine_id`,`at`,`id`);--> statement-breakpoint
CREATE TABLE `defect_reasons` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `defect_reasons_company` ON `defect_reasons` (`company_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `defect_reasons_name` ON `defect_reasons` (`company_id`,`name`) WHERE deleted_at is null;