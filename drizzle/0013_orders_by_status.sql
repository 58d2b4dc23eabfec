DROP INDEX `work_orders_status`;--> statement-breakpoint
CREATE INDEX `work_orders_status` ON `work_orders` (`company_id`,`status`,`created_at`,`id`);