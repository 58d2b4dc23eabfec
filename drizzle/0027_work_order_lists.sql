CREATE INDEX `order_runs_open` ON `order_runs` (`work_order_id`) WHERE end_at is null;--> statement-breakpoint
CREATE INDEX `work_orders_due` ON `work_orders` (`company_id`,CASE WHEN "estimated_delivery_at" IS NULL THEN 9000000000000000 ELSE "estimated_delivery_at" END,`id`);--> statement-breakpoint
CREATE INDEX `work_orders_status_due` ON `work_orders` (`company_id`,`status`,CASE WHEN "estimated_delivery_at" IS NULL THEN 9000000000000000 ELSE "estimated_delivery_at" END,`id`);--> statement-breakpoint
CREATE INDEX `work_orders_due_first` ON `work_orders` (`company_id`,CASE WHEN "estimated_delivery_at" IS NULL THEN -9000000000000000 ELSE "estimated_delivery_at" END,`id`);--> statement-breakpoint
CREATE INDEX `work_orders_status_due_first` ON `work_orders` (`company_id`,`status`,CASE WHEN "estimated_delivery_at" IS NULL THEN -9000000000000000 ELSE "estimated_delivery_at" END,`id`);--> statement-breakpoint
CREATE INDEX `work_orders_priority` ON `work_orders` (`company_id`,`priority`,`id`);--> statement-breakpoint
CREATE INDEX `work_orders_status_priority` ON `work_orders` (`company_id`,`status`,`priority`,`id`);--> statement-breakpoint
CREATE INDEX `work_orders_by_code` ON `work_orders` (`company_id`,`code`,`id`);--> statement-breakpoint
CREATE INDEX `work_orders_status_code` ON `work_orders` (`company_id`,`status`,`code`,`id`);