CREATE TABLE `api_tokens` (
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
	`revoked_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_tokens_hash` ON `api_tokens` (`token_hash`);--> statement-breakpoint
CREATE INDEX `api_tokens_company` ON `api_tokens` (`company_id`);--> statement-breakpoint
CREATE INDEX `api_tokens_creator` ON `api_tokens` (`created_by`);--> statement-breakpoint
ALTER TABLE `audit` ADD `api_token_id` integer;--> statement-breakpoint
CREATE INDEX `audit_token` ON `audit` (`company_id`,`api_token_id`,`at`,`id`) WHERE api_token_id is not null;--> statement-breakpoint
INSERT INTO role_permissions (id, role_id, permission_id, created_at, updated_at) VALUES
  ('00000000-0000-4000-8000-000000000101', 'superadmin', 'api-tokens:read', 0, 0),
  ('00000000-0000-4000-8000-000000000102', 'admin', 'api-tokens:read', 0, 0),
  ('00000000-0000-4000-8000-000000000103', 'superadmin', 'api-tokens:write', 0, 0),
  ('00000000-0000-4000-8000-000000000104', 'admin', 'api-tokens:write', 0, 0);
