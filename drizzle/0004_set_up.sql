DROP INDEX `users_email`;--> statement-breakpoint
ALTER TABLE `users` ADD `deleted_at` integer;--> statement-breakpoint
CREATE INDEX `users_company` ON `users` (`company_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`) WHERE deleted_at is null;--> statement-breakpoint
DROP INDEX `machines_ref`;--> statement-breakpoint
CREATE INDEX `machines_company` ON `machines` (`company_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `machines_ref` ON `machines` (`company_id`,`ref`) WHERE deleted_at is null;--> statement-breakpoint
DROP INDEX `operators_code`;--> statement-breakpoint
CREATE INDEX `operators_company` ON `operators` (`company_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `operators_code` ON `operators` (`company_id`,`code`) WHERE deleted_at is null;--> statement-breakpoint
ALTER TABLE `companies` ADD `deleted_at` integer;--> statement-breakpoint
ALTER TABLE `gateway_tokens` ADD `updated_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `gateway_tokens_company` ON `gateway_tokens` (`company_id`);