CREATE TABLE `audit` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`action` text NOT NULL,
	`object_type` text NOT NULL,
	`object_id` text NOT NULL,
	`before` text,
	`after` text
);
--> statement-breakpoint
CREATE INDEX `audit_company` ON `audit` (`company_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_object` ON `audit` (`object_type`,`object_id`);--> statement-breakpoint
ALTER TABLE `stops` ADD `version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `stops` ADD `name` text;