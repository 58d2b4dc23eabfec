CREATE TABLE `forgotten_pictures` (
	`key` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `forgotten_pictures_age` ON `forgotten_pictures` (`at`);--> statement-breakpoint
CREATE INDEX `subscription_logs_age` ON `subscription_logs` (`execute_at`);--> statement-breakpoint
CREATE INDEX `dashboards_thumbnail` ON `dashboards` (`thumbnail_key`);--> statement-breakpoint
CREATE INDEX `dashboards_compressed_thumbnail` ON `dashboards` (`compressed_thumbnail_key`);--> statement-breakpoint
CREATE INDEX `widget_instances_widget` ON `widget_instances` (`widget_id`);--> statement-breakpoint
CREATE INDEX `widgets_thumbnail` ON `widgets` (`thumbnail_key`);--> statement-breakpoint
CREATE INDEX `widgets_compressed_thumbnail` ON `widgets` (`compressed_thumbnail_key`);