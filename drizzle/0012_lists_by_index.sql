DROP INDEX `audit_object`;--> statement-breakpoint
CREATE INDEX `audit_user` ON `audit` (`company_id`,`user_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_object` ON `audit` (`company_id`,`object_type`,`object_id`,`at`,`id`);--> statement-breakpoint
DROP INDEX `stops_machine`;--> statement-breakpoint
CREATE INDEX `stops_machine` ON `stops` (`machine_id`,`slice_start`,`id`);--> statement-breakpoint
DROP INDEX `notifications_user`;--> statement-breakpoint
CREATE INDEX `notifications_user` ON `notifications` (`user_id`,`created_at`,`id`);--> statement-breakpoint
DROP INDEX `personas_company`;--> statement-breakpoint
CREATE INDEX `personas_company` ON `personas` (`company_id`,`name`,`id`);--> statement-breakpoint
DROP INDEX `report_subscriptions_company`;--> statement-breakpoint
CREATE INDEX `report_subscriptions_company` ON `report_subscriptions` (`company_id`,`created_at`,`id`);--> statement-breakpoint
DROP INDEX `operator_plans_company`;--> statement-breakpoint
CREATE INDEX `operator_plans_company` ON `operator_plans` (`company_id`,`id`);--> statement-breakpoint
DROP INDEX `dashboards_company`;--> statement-breakpoint
CREATE INDEX `dashboards_company` ON `dashboards` (`company_id`,`id`);--> statement-breakpoint
DROP INDEX `widget_instances_dashboard`;--> statement-breakpoint
CREATE INDEX `widget_instances_dashboard` ON `widget_instances` (`dashboard_id`,`created_at`,`id`);--> statement-breakpoint
DROP INDEX `widgets_company`;--> statement-breakpoint
CREATE INDEX `widgets_company` ON `widgets` (`company_id`,`id`);--> statement-breakpoint
CREATE INDEX `stop_causes_parent` ON `stop_causes` (`parent_id`);