CREATE TABLE `idempotency_keys` (
	`user_id` integer NOT NULL,
	`operation` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`status` integer NOT NULL,
	`body` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `operation`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_age` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `notifications` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`title` text NOT NULL,
	`body` text NOT NULL,
	`read_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `notifications_user` ON `notifications` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `personas` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`is_active` integer NOT NULL,
	`is_user` integer NOT NULL,
	`sms` text NOT NULL,
	`whatsapp` text NOT NULL,
	`email` text NOT NULL,
	`push` text NOT NULL,
	`alert_hours` text NOT NULL,
	`alert_ids` text NOT NULL,
	`language` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `personas_company` ON `personas` (`company_id`);--> statement-breakpoint
CREATE TABLE `report_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `report_subscriptions_company` ON `report_subscriptions` (`company_id`);--> statement-breakpoint
CREATE TABLE `role_permissions` (
	`id` text PRIMARY KEY NOT NULL,
	`role_id` text NOT NULL,
	`permission_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `role_permissions_grant` ON `role_permissions` (`role_id`,`permission_id`);--> statement-breakpoint
CREATE TABLE `subscription_logs` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`status` text NOT NULL,
	`detail` text NOT NULL,
	`shift_title` text NOT NULL,
	`execute_at` integer NOT NULL,
	`executed_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`subscription_id`) REFERENCES `report_subscriptions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `subscription_logs_subscription` ON `subscription_logs` (`subscription_id`,`execute_at`,`id`);--> statement-breakpoint
CREATE TABLE `tag_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`sort` real NOT NULL,
	`subject` text NOT NULL,
	`tag_key` text NOT NULL,
	`tag_value` text DEFAULT '' NOT NULL,
	`description` text NOT NULL,
	`color` text NOT NULL,
	`is_default` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tag_keys_key` ON `tag_keys` (`company_id`,`subject`,`tag_key`);--> statement-breakpoint
CREATE TABLE `user_configs` (
	`user_id` integer NOT NULL,
	`company_id` integer NOT NULL,
	`config` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `company_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `webhook_secrets` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`sealed_secret` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `order_runs` (
	`machine_id` integer NOT NULL,
	`start_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`work_order_id` text NOT NULL,
	`sku_id` text NOT NULL,
	`correct` integer NOT NULL,
	`defects` integer NOT NULL,
	PRIMARY KEY(`machine_id`, `start_at`)
);
--> statement-breakpoint
CREATE INDEX `order_runs_order` ON `order_runs` (`work_order_id`,`sku_id`);--> statement-breakpoint
CREATE TABLE `work_order_machines` (
	`work_order_id` text NOT NULL,
	`machine_id` integer NOT NULL,
	PRIMARY KEY(`work_order_id`, `machine_id`),
	FOREIGN KEY (`work_order_id`) REFERENCES `work_orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`machine_id`) REFERENCES `machines`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `work_order_machines_machine` ON `work_order_machines` (`machine_id`);--> statement-breakpoint
CREATE TABLE `work_order_progress` (
	`id` text PRIMARY KEY NOT NULL,
	`work_order_id` text NOT NULL,
	`sku_id` text,
	`correct` real NOT NULL,
	`defects` real NOT NULL,
	`mode` text NOT NULL,
	`status` text NOT NULL,
	`machine_id` integer,
	`operator_id` integer,
	`user_id` integer NOT NULL,
	`comment` text,
	`occurred_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`work_order_id`) REFERENCES `work_orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `work_order_progress_order` ON `work_order_progress` (`work_order_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `work_order_targets` (
	`work_order_id` text NOT NULL,
	`sku_id` text NOT NULL,
	`target_quantity` real NOT NULL,
	`reported_correct` real DEFAULT 0 NOT NULL,
	`reported_defects` real DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`work_order_id`, `sku_id`),
	FOREIGN KEY (`work_order_id`) REFERENCES `work_orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `work_orders` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`code` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`priority` real NOT NULL,
	`source` text NOT NULL,
	`estimated_delivery_at` integer,
	`change_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `work_orders_code` ON `work_orders` (`company_id`,`code`);--> statement-breakpoint
CREATE INDEX `work_orders_status` ON `work_orders` (`company_id`,`status`);--> statement-breakpoint
CREATE TABLE `dashboards` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`spec` text NOT NULL,
	`thumbnail_key` text,
	`compressed_thumbnail_key` text,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `dashboards_company` ON `dashboards` (`company_id`);--> statement-breakpoint
CREATE TABLE `favorites` (
	`user_id` integer NOT NULL,
	`favorite_id` text NOT NULL,
	PRIMARY KEY(`user_id`, `favorite_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `widget_instances` (
	`id` text PRIMARY KEY NOT NULL,
	`dashboard_id` text NOT NULL,
	`widget_id` text NOT NULL,
	`spec_override` text NOT NULL,
	`visual_config` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`dashboard_id`) REFERENCES `dashboards`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`widget_id`) REFERENCES `widgets`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `widget_instances_dashboard` ON `widget_instances` (`dashboard_id`);--> statement-breakpoint
CREATE TABLE `widgets` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`spec` text NOT NULL,
	`feature_requirements` text DEFAULT '' NOT NULL,
	`labels` text DEFAULT '' NOT NULL,
	`thumbnail_key` text,
	`compressed_thumbnail_key` text,
	`source_widget_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `widgets_company` ON `widgets` (`company_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `widgets_source` ON `widgets` (`source_widget_id`);