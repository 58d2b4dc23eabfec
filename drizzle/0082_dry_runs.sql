ALTER TABLE `recalculation_machines` ADD `result` text;--> statement-breakpoint
ALTER TABLE `recalculations` ADD `is_dry_run` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `recalculations` ADD `trial` text;--> statement-breakpoint
ALTER TABLE `recalculations` ADD `next_at` integer;--> statement-breakpoint
CREATE INDEX `recalculations_due` ON `recalculations` (`next_at`) WHERE next_at is not null;