CREATE INDEX `calendar_days_scope` ON `calendar_days` (`company_id`,`machine_id`,`line_id`);--> statement-breakpoint
CREATE INDEX `former_lines_machine` ON `former_lines` (`machine_id`);