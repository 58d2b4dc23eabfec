-- The directory's tables. An installation whose directory and companies are one database has most of them already.
CREATE TABLE IF NOT EXISTS `login_attempts` (
	`key` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`window_start` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `login_attempts_window` ON `login_attempts` (`window_start`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `wall_pairings` (
	`id` text PRIMARY KEY NOT NULL,
	`code` text NOT NULL,
	`token_hash` text NOT NULL,
	`confirmed_at` integer,
	`expires_at` integer NOT NULL,
	`line_ids` text,
	`distance` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `wall_pairings` ADD `company_id` integer;
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `wall_pairings_code` ON `wall_pairings` (`code`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `wall_pairings_end` ON `wall_pairings` (`expires_at`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `role_permissions` (
	`id` text PRIMARY KEY NOT NULL,
	`role_id` text NOT NULL,
	`permission_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `role_permissions_grant` ON `role_permissions` (`role_id`,`permission_id`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`queue` text NOT NULL,
	`body` text NOT NULL,
	`error` text,
	`created_at` integer NOT NULL,
	`is_requeued` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `dead_letters_age` ON `dead_letters` (`created_at`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `dead_letters_requeued` ON `dead_letters` (`id`) WHERE is_requeued;
--> statement-breakpoint
CREATE TABLE `audit_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`entry` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `idempotency_keys` (
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
CREATE INDEX IF NOT EXISTS `idempotency_keys_age` ON `idempotency_keys` (`created_at`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `expect` (`holds` integer);
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `expect_holds` BEFORE INSERT ON `expect`
BEGIN
  SELECT RAISE(ABORT, 'stale_read') WHERE NEW.`holds` IS NOT 1;
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
-- The grants of a new installation. Grants are only re-assigned, never added or deleted, so an existing installation has all these ids.
INSERT OR IGNORE INTO `role_permissions` VALUES
	('00000000-0000-4000-8000-000000000001', 'superadmin', 'work-orders:write', 0, 0),
	('00000000-0000-4000-8000-000000000002', 'superadmin', 'targets:write', 0, 0),
	('00000000-0000-4000-8000-000000000003', 'superadmin', 'progress:write', 0, 0),
	('00000000-0000-4000-8000-000000000004', 'superadmin', 'configs:write', 0, 0),
	('00000000-0000-4000-8000-000000000005', 'superadmin', 'configs:manage', 0, 0),
	('00000000-0000-4000-8000-000000000006', 'admin', 'work-orders:write', 0, 0),
	('00000000-0000-4000-8000-000000000007', 'admin', 'targets:write', 0, 0),
	('00000000-0000-4000-8000-000000000008', 'admin', 'progress:write', 0, 0),
	('00000000-0000-4000-8000-000000000009', 'admin', 'configs:write', 0, 0),
	('00000000-0000-4000-8000-000000000010', 'admin', 'configs:manage', 0, 0),
	('00000000-0000-4000-8000-000000000011', 'user', 'work-orders:write', 0, 0),
	('00000000-0000-4000-8000-000000000012', 'user', 'targets:write', 0, 0),
	('00000000-0000-4000-8000-000000000013', 'user', 'progress:write', 0, 0),
	('00000000-0000-4000-8000-000000000014', 'user', 'configs:write', 0, 0),
	('00000000-0000-4000-8000-000000000015', 'readonly', 'configs:write', 0, 0),
	('00000000-0000-4000-8000-000000000016', 'superadmin', 'set-up:read', 0, 0),
	('00000000-0000-4000-8000-000000000017', 'superadmin', 'set-up:write', 0, 0),
	('00000000-0000-4000-8000-000000000018', 'superadmin', 'users:read', 0, 0),
	('00000000-0000-4000-8000-000000000019', 'superadmin', 'users:write', 0, 0),
	('00000000-0000-4000-8000-000000000020', 'superadmin', 'gateways:write', 0, 0),
	('00000000-0000-4000-8000-000000000021', 'admin', 'set-up:read', 0, 0),
	('00000000-0000-4000-8000-000000000022', 'admin', 'set-up:write', 0, 0),
	('00000000-0000-4000-8000-000000000023', 'admin', 'users:read', 0, 0),
	('00000000-0000-4000-8000-000000000024', 'admin', 'users:write', 0, 0),
	('00000000-0000-4000-8000-000000000025', 'admin', 'gateways:write', 0, 0),
	('00000000-0000-4000-8000-000000000026', 'user', 'set-up:read', 0, 0),
	('00000000-0000-4000-8000-000000000027', 'readonly', 'set-up:read', 0, 0),
	('00000000-0000-4000-8000-000000000028', 'superadmin', 'stops:write', 0, 0),
	('00000000-0000-4000-8000-000000000029', 'admin', 'stops:write', 0, 0),
	('00000000-0000-4000-8000-000000000030', 'user', 'stops:write', 0, 0),
	('00000000-0000-4000-8000-000000000031', 'superadmin', 'operators:sign-in', 0, 0),
	('00000000-0000-4000-8000-000000000032', 'admin', 'operators:sign-in', 0, 0),
	('00000000-0000-4000-8000-000000000033', 'user', 'operators:sign-in', 0, 0),
	('00000000-0000-4000-8000-000000000034', 'superadmin', 'runs:write', 0, 0),
	('00000000-0000-4000-8000-000000000035', 'admin', 'runs:write', 0, 0),
	('00000000-0000-4000-8000-000000000036', 'user', 'runs:write', 0, 0),
	('00000000-0000-4000-8000-000000000037', 'superadmin', 'personas:write', 0, 0),
	('00000000-0000-4000-8000-000000000038', 'admin', 'personas:write', 0, 0),
	('00000000-0000-4000-8000-000000000039', 'superadmin', 'reports:read', 0, 0),
	('00000000-0000-4000-8000-000000000040', 'admin', 'reports:read', 0, 0),
	('00000000-0000-4000-8000-000000000041', 'user', 'reports:read', 0, 0),
	('00000000-0000-4000-8000-000000000042', 'readonly', 'reports:read', 0, 0),
	('00000000-0000-4000-8000-000000000061', 'superadmin', 'help-calls:write', 0, 0),
	('00000000-0000-4000-8000-000000000062', 'admin', 'help-calls:write', 0, 0),
	('00000000-0000-4000-8000-000000000063', 'user', 'help-calls:write', 0, 0),
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
	('00000000-0000-4000-8000-000000000074', 'admin', 'report-subscriptions:write', 0, 0),
	('00000000-0000-4000-8000-000000000101', 'superadmin', 'api-tokens:read', 0, 0),
	('00000000-0000-4000-8000-000000000102', 'admin', 'api-tokens:read', 0, 0),
	('00000000-0000-4000-8000-000000000103', 'superadmin', 'api-tokens:write', 0, 0),
	('00000000-0000-4000-8000-000000000104', 'admin', 'api-tokens:write', 0, 0);
