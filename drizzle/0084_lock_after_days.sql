ALTER TABLE `companies` ADD `lock_after_days` integer;--> statement-breakpoint
ALTER TABLE `companies` ADD `next_lock_at` integer;--> statement-breakpoint
CREATE INDEX `companies_lock` ON `companies` (`next_lock_at`) WHERE next_lock_at is not null;