CREATE TABLE `alert_conditions` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`rule_id` text NOT NULL,
	`machine_id` integer,
	`subject` text NOT NULL,
	`since` integer NOT NULL,
	`due_at` integer NOT NULL,
	`until` integer,
	`facts` text NOT NULL,
	`revision` integer NOT NULL,
	`handled_revision` integer DEFAULT 0 NOT NULL,
	`incident_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `alert_conditions_unhandled` ON `alert_conditions` (`company_id`,`due_at`) WHERE revision > handled_revision;--> statement-breakpoint
CREATE INDEX `alert_conditions_incident` ON `alert_conditions` (`incident_id`);--> statement-breakpoint
CREATE INDEX `alert_conditions_age` ON `alert_conditions` (`updated_at`);--> statement-breakpoint
CREATE TABLE `alert_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`params` text NOT NULL,
	`machine_ids` text,
	`line_ids` text,
	`shift_ids` text,
	`levels` text NOT NULL,
	`texts` text,
	`is_active` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `alert_rules_company` ON `alert_rules` (`company_id`,`id`);--> statement-breakpoint
CREATE TABLE `chat_rooms` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`service` text NOT NULL,
	`sealed_url` text NOT NULL,
	`language` text NOT NULL,
	`is_active` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `chat_rooms_company` ON `chat_rooms` (`company_id`,`id`);--> statement-breakpoint
CREATE TABLE `incidents` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`rule_id` text NOT NULL,
	`subject` text NOT NULL,
	`machine_id` integer,
	`since` integer NOT NULL,
	`opened_at` integer NOT NULL,
	`level` integer NOT NULL,
	`next_level_at` integer,
	`acknowledged_at` integer,
	`acknowledged_by` integer,
	`resolved_at` integer,
	`facts` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`rule_id`) REFERENCES `alert_rules`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`acknowledged_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `incidents_open` ON `incidents` (`rule_id`,`subject`) WHERE resolved_at is null;--> statement-breakpoint
CREATE INDEX `incidents_company` ON `incidents` (`company_id`,`opened_at`,`id`);--> statement-breakpoint
CREATE INDEX `incidents_next_level` ON `incidents` (`next_level_at`) WHERE next_level_at is not null;--> statement-breakpoint
CREATE INDEX `incidents_age` ON `incidents` (`opened_at`);--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`persona_id` text,
	`chat_room_id` text,
	`address` text,
	`channel` text NOT NULL,
	`kind` text NOT NULL,
	`params` text NOT NULL,
	`incident_id` text,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer,
	`error` text,
	`sent_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `messages_due` ON `messages` (`company_id`,`next_attempt_at`) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX `messages_persona` ON `messages` (`persona_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `messages_company` ON `messages` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `messages_age` ON `messages` (`created_at`);--> statement-breakpoint
CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`queue` text NOT NULL,
	`body` text NOT NULL,
	`error` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `dead_letters_age` ON `dead_letters` (`created_at`);--> statement-breakpoint
CREATE TABLE `events` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`company_id` integer NOT NULL,
	`machine_id` integer,
	`type` text NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`dispatched_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_id` ON `events` (`id`);--> statement-breakpoint
CREATE INDEX `events_company` ON `events` (`company_id`,`seq`);--> statement-breakpoint
CREATE INDEX `events_machine` ON `events` (`machine_id`,`seq`);--> statement-breakpoint
CREATE INDEX `events_undispatched` ON `events` (`company_id`,`seq`) WHERE dispatched_at is null;--> statement-breakpoint
CREATE INDEX `events_age` ON `events` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`subscription_id` text NOT NULL,
	`event_seq` integer NOT NULL,
	`at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`status` integer,
	`answer` text NOT NULL,
	`error` text
);
--> statement-breakpoint
CREATE INDEX `webhook_attempts_delivery` ON `webhook_attempts` (`subscription_id`,`event_seq`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_attempts_age` ON `webhook_attempts` (`at`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`subscription_id` text NOT NULL,
	`event_seq` integer NOT NULL,
	`company_id` integer NOT NULL,
	`machine_id` integer NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`subscription_id`, `event_seq`),
	FOREIGN KEY (`subscription_id`) REFERENCES `webhook_subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_pending` ON `webhook_deliveries` (`subscription_id`,`machine_id`,`event_seq`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`next_attempt_at`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_age` ON `webhook_deliveries` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhook_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`url` text NOT NULL,
	`events` text,
	`machine_ids` text,
	`line_ids` text,
	`is_active` integer NOT NULL,
	`description` text NOT NULL,
	`sealed_secret` text,
	`previous_sealed_secret` text,
	`previous_until` integer,
	`ended_at` integer,
	`ended_because` text,
	`failing_since` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `webhook_subscriptions_company` ON `webhook_subscriptions` (`company_id`,`id`);--> statement-breakpoint
ALTER TABLE `report_subscriptions` ADD `kind` text DEFAULT 'shift' NOT NULL;--> statement-breakpoint
ALTER TABLE `report_subscriptions` ADD `time` text;--> statement-breakpoint
ALTER TABLE `report_subscriptions` ADD `weekdays` text;--> statement-breakpoint
ALTER TABLE `report_subscriptions` ADD `machine_ids` text;--> statement-breakpoint
ALTER TABLE `report_subscriptions` ADD `line_ids` text;--> statement-breakpoint
ALTER TABLE `report_subscriptions` ADD `shift_ids` text;--> statement-breakpoint
ALTER TABLE `report_subscriptions` ADD `persona_ids` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `report_subscriptions` ADD `addresses` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `report_subscriptions` ADD `webhook_subscription_ids` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `report_subscriptions` ADD `language` text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE `report_subscriptions` ADD `is_active` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `report_subscriptions` ADD `next_run_at` integer;--> statement-breakpoint
CREATE INDEX `report_subscriptions_due` ON `report_subscriptions` (`next_run_at`) WHERE next_run_at is not null;--> statement-breakpoint
ALTER TABLE `subscription_logs` ADD `period_start` integer;--> statement-breakpoint
ALTER TABLE `subscription_logs` ADD `period_end` integer;--> statement-breakpoint
ALTER TABLE `subscription_logs` ADD `attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `subscription_logs_open` ON `subscription_logs` (`execute_at`) WHERE status in ('scheduled', 'running');--> statement-breakpoint
ALTER TABLE `webhook_secrets` ADD `previous_sealed_secret` text;--> statement-breakpoint
ALTER TABLE `webhook_secrets` ADD `previous_until` integer;--> statement-breakpoint
-- Whoever runs the plant says who is told of what; whoever works with machines may say that an alert is seen to.
INSERT INTO role_permissions (id, role_id, permission_id, created_at, updated_at) VALUES
  ('00000000-0000-4000-8000-000000000064', 'superadmin', 'alerts:write', 0, 0),
  ('00000000-0000-4000-8000-000000000065', 'admin', 'alerts:write', 0, 0),
  ('00000000-0000-4000-8000-000000000066', 'superadmin', 'incidents:acknowledge', 0, 0),
  ('00000000-0000-4000-8000-000000000067', 'admin', 'incidents:acknowledge', 0, 0),
  ('00000000-0000-4000-8000-000000000068', 'user', 'incidents:acknowledge', 0, 0),
  ('00000000-0000-4000-8000-000000000069', 'superadmin', 'webhooks:read', 0, 0),
  ('00000000-0000-4000-8000-000000000070', 'admin', 'webhooks:read', 0, 0),
  ('00000000-0000-4000-8000-000000000071', 'superadmin', 'webhooks:write', 0, 0),
  ('00000000-0000-4000-8000-000000000072', 'admin', 'webhooks:write', 0, 0),
  ('00000000-0000-4000-8000-000000000073', 'superadmin', 'report-subscriptions:write', 0, 0),
  ('00000000-0000-4000-8000-000000000074', 'admin', 'report-subscriptions:write', 0, 0);
