-- Empty at first: the first change of an item stores the version that held before it. WITHOUT ROWID is written by hand, as in 0053.
CREATE TABLE `set_up_versions` (
	`company_id` integer NOT NULL,
	`id` integer NOT NULL,
	`kind` text NOT NULL,
	`entity` text NOT NULL,
	`machine_id` integer DEFAULT 0 NOT NULL,
	`valid_from` integer NOT NULL,
	`valid_until` integer,
	`is_explicit` integer NOT NULL,
	`body` text,
	`recorded_at` integer NOT NULL,
	`user_id` integer,
	`api_token_id` integer,
	`request_id` text,
	`reason` text,
	`withdrawn_at` integer,
	`withdrawn_by` integer,
	`due_at` integer,
	PRIMARY KEY(`company_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `set_up_versions_item` ON `set_up_versions` (`company_id`,`kind`,`entity`,`machine_id`,`id`);--> statement-breakpoint
CREATE INDEX `set_up_versions_due` ON `set_up_versions` (`due_at`) WHERE due_at is not null;