DROP INDEX `help_calls_company_open`;--> statement-breakpoint
DROP INDEX `help_calls_answered`;--> statement-breakpoint
CREATE INDEX `help_calls_company_answered` ON `help_calls` (`company_id`,`answered_at`,`created_at`,`id`);