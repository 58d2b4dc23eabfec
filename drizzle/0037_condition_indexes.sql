DROP INDEX `messages_persona`;--> statement-breakpoint
CREATE INDEX `messages_persona` ON `messages` (`persona_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `alert_conditions_holding` ON `alert_conditions` (`rule_id`) WHERE until is null;