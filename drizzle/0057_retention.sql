-- What is the oldest of each company, so that the job that deletes old rows finds where something is due; and its indexes begin with the company.
CREATE TABLE `retention` (
	`company_id` integer NOT NULL,
	`kind` text NOT NULL,
	`oldest_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `kind`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `retention_oldest` ON `retention` (`kind`,`oldest_at`);
--> statement-breakpoint
CREATE TABLE `retention_runs` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `alert_conditions_age`;
--> statement-breakpoint
CREATE INDEX `alert_conditions_ended` ON `alert_conditions` (`company_id`,`updated_at`) WHERE until is not null;
--> statement-breakpoint
DROP INDEX `incidents_age`;
--> statement-breakpoint
DROP INDEX `messages_age`;
--> statement-breakpoint
DROP INDEX `help_calls_answered`;
--> statement-breakpoint
CREATE INDEX `help_calls_answered` ON `help_calls` (`company_id`,`answered_at`) WHERE answered_at is not null;