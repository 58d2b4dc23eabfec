CREATE TABLE `set_up_import_items` (
	`import_id` integer NOT NULL,
	`part` integer NOT NULL,
	`items` text NOT NULL,
	PRIMARY KEY(`import_id`, `part`)
);
--> statement-breakpoint
CREATE TABLE `set_up_imports` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`created` integer NOT NULL,
	`changed` integer NOT NULL,
	`unchanged` integer NOT NULL,
	`faulty` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`undone_at` integer
);
--> statement-breakpoint
CREATE INDEX `set_up_imports_company` ON `set_up_imports` (`company_id`,`id`);