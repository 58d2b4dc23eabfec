DROP INDEX `widget_instances_dashboard`;--> statement-breakpoint
CREATE INDEX `widget_instances_dashboard` ON `widget_instances` (`dashboard_id`,`created_at`);