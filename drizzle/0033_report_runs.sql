CREATE TABLE `report_contents` (
	`log_id` text PRIMARY KEY NOT NULL,
	`content` blob NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `report_contents_age` ON `report_contents` (`created_at`);--> statement-breakpoint
ALTER TABLE `subscription_logs` ADD `shift_id` integer;--> statement-breakpoint
ALTER TABLE `subscription_logs` ADD `next_attempt_at` integer;--> statement-breakpoint
ALTER TABLE `subscription_logs` ADD `called_ids` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `subscription_logs_due` ON `subscription_logs` (`next_attempt_at`) WHERE next_attempt_at is not null;