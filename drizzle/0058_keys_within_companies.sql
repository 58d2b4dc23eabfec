-- No foreign key leads from a company's rows to those of another company, which may be in another database: a superuser acts in other companies. A rebuild
-- by hand, because no other way removes a foreign key; nothing refers to these tables. Indexes and triggers are as they were.
CREATE TABLE `new_incidents` (
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
	`updated_at` integer NOT NULL, `told` text DEFAULT '{"personaIds":[],"chatRoomIds":[]}' NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`rule_id`) REFERENCES `alert_rules`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO new_incidents (id, company_id, rule_id, subject, machine_id, since, opened_at, level, next_level_at, acknowledged_at, acknowledged_by, resolved_at, facts, created_at, updated_at, told) SELECT id, company_id, rule_id, subject, machine_id, since, opened_at, level, next_level_at, acknowledged_at, acknowledged_by, resolved_at, facts, created_at, updated_at, told FROM incidents ORDER BY rowid;
--> statement-breakpoint
DROP TABLE incidents;
--> statement-breakpoint
ALTER TABLE new_incidents RENAME TO incidents;
--> statement-breakpoint
CREATE UNIQUE INDEX `incidents_open` ON `incidents` (`rule_id`,`subject`) WHERE resolved_at is null;
--> statement-breakpoint
CREATE INDEX `incidents_company` ON `incidents` (`company_id`,`opened_at`,`id`);
--> statement-breakpoint
CREATE INDEX `incidents_next_level` ON `incidents` (`next_level_at`) WHERE next_level_at is not null;
--> statement-breakpoint
CREATE INDEX `incidents_company_open` ON `incidents` (`company_id`,`opened_at`,`id`) WHERE resolved_at is null;
--> statement-breakpoint
CREATE TABLE `new_help_calls` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`machine_id` integer NOT NULL,
	`message` text,
	`called_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`answered_at` integer,
	`answered_by` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`machine_id`) REFERENCES `machines`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO new_help_calls (id, company_id, machine_id, message, called_by, created_at, updated_at, answered_at, answered_by) SELECT id, company_id, machine_id, message, called_by, created_at, updated_at, answered_at, answered_by FROM help_calls ORDER BY rowid;
--> statement-breakpoint
DROP TABLE help_calls;
--> statement-breakpoint
ALTER TABLE new_help_calls RENAME TO help_calls;
--> statement-breakpoint
CREATE UNIQUE INDEX `help_calls_open` ON `help_calls` (`machine_id`) WHERE answered_at is null;
--> statement-breakpoint
CREATE INDEX `help_calls_company_open` ON `help_calls` (`company_id`,`created_at`,`id`) WHERE answered_at is null;
--> statement-breakpoint
CREATE INDEX `help_calls_company` ON `help_calls` (`company_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `help_calls_machine` ON `help_calls` (`machine_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `help_calls_answered` ON `help_calls` (`company_id`,`answered_at`) WHERE answered_at is not null;
--> statement-breakpoint
CREATE TRIGGER help_calls_usage_added AFTER INSERT ON help_calls BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'help-calls', 0, 100 + ifnull(octet_length(NEW.message), 0))
	ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
END;
--> statement-breakpoint
CREATE TRIGGER help_calls_usage_removed AFTER DELETE ON help_calls BEGIN
	UPDATE usage SET bytes = bytes - (100 + ifnull(octet_length(OLD.message), 0)) WHERE company_id = OLD.company_id AND kind = 'help-calls';
END;
--> statement-breakpoint
CREATE TABLE `new_api_tokens` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`created_by` integer NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`is_read_only` integer NOT NULL,
	`token_hash` text NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revoked_at` integer, `is_of_company` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO new_api_tokens (id, company_id, created_by, name, role, is_read_only, token_hash, expires_at, last_used_at, created_at, updated_at, revoked_at, is_of_company) SELECT id, company_id, created_by, name, role, is_read_only, token_hash, expires_at, last_used_at, created_at, updated_at, revoked_at, is_of_company FROM api_tokens ORDER BY rowid;
--> statement-breakpoint
DROP TABLE api_tokens;
--> statement-breakpoint
ALTER TABLE new_api_tokens RENAME TO api_tokens;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_tokens_hash` ON `api_tokens` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `api_tokens_company` ON `api_tokens` (`company_id`);
--> statement-breakpoint
CREATE INDEX `api_tokens_creator` ON `api_tokens` (`created_by`);
--> statement-breakpoint
CREATE TRIGGER api_tokens_usage_added AFTER INSERT ON api_tokens WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'api-tokens', (NEW.revoked_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded api-tokens') WHERE (NEW.revoked_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'api-tokens') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'api-tokens'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'api-tokens'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER api_tokens_usage_changed AFTER UPDATE ON api_tokens
WHEN NEW.company_id IS NOT NULL AND ((NEW.revoked_at IS NULL) <> (OLD.revoked_at IS NULL) OR 60 + ifnull(octet_length(NEW.name), 0) <> 60 + ifnull(octet_length(OLD.name), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'api-tokens', (NEW.revoked_at IS NULL) - (OLD.revoked_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0) - (60 + ifnull(octet_length(OLD.name), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded api-tokens') WHERE (NEW.revoked_at IS NULL) > (OLD.revoked_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'api-tokens') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'api-tokens'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'api-tokens'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.name), 0) > 60 + ifnull(octet_length(OLD.name), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER api_tokens_usage_removed AFTER DELETE ON api_tokens WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - (OLD.revoked_at IS NULL), bytes = bytes - (60 + ifnull(octet_length(OLD.name), 0)) WHERE company_id = OLD.company_id AND kind = 'api-tokens';
END;
--> statement-breakpoint
CREATE TABLE `new_user_configs` (
	`user_id` integer NOT NULL,
	`company_id` integer NOT NULL,
	`config` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `company_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO new_user_configs (user_id, company_id, config, created_at, updated_at) SELECT user_id, company_id, config, created_at, updated_at FROM user_configs ORDER BY rowid;
--> statement-breakpoint
DROP TABLE user_configs;
--> statement-breakpoint
ALTER TABLE new_user_configs RENAME TO user_configs;
--> statement-breakpoint
CREATE TRIGGER user_configs_usage_added AFTER INSERT ON user_configs WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'configs', 1, 60 + ifnull(octet_length(NEW.config), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded configs') WHERE 1 AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'configs') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'configs'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'configs'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER user_configs_usage_changed AFTER UPDATE ON user_configs
WHEN NEW.company_id IS NOT NULL AND (1 <> 1 OR 60 + ifnull(octet_length(NEW.config), 0) <> 60 + ifnull(octet_length(OLD.config), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'configs', 1 - 1, 60 + ifnull(octet_length(NEW.config), 0) - (60 + ifnull(octet_length(OLD.config), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.config), 0) > 60 + ifnull(octet_length(OLD.config), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER user_configs_usage_removed AFTER DELETE ON user_configs WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - 1, bytes = bytes - (60 + ifnull(octet_length(OLD.config), 0)) WHERE company_id = OLD.company_id AND kind = 'configs';
END;
--> statement-breakpoint
ALTER TABLE `audit` ADD `user_name` text;
