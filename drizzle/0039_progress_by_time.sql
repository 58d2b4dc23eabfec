DROP INDEX `work_order_progress_order`;--> statement-breakpoint
CREATE INDEX `work_order_progress_time` ON `work_order_progress` (`work_order_id`,`occurred_at`);