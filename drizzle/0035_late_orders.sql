ALTER TABLE `dead_letters` ADD `is_requeued` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `dead_letters_requeued` ON `dead_letters` (`id`) WHERE is_requeued;--> statement-breakpoint
ALTER TABLE `work_orders` ADD `late_told_for` integer;--> statement-breakpoint
CREATE INDEX `work_orders_untold` ON `work_orders` (`estimated_delivery_at`) WHERE status in ('Backlog', 'Planned', 'InProgress', 'Paused') and deleted_at is null and late_told_for is not estimated_delivery_at;