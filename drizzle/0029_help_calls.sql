CREATE TABLE `help_calls` (
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
	FOREIGN KEY (`machine_id`) REFERENCES `machines`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`called_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`answered_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `help_calls_open` ON `help_calls` (`machine_id`) WHERE answered_at is null;--> statement-breakpoint
CREATE INDEX `help_calls_company_open` ON `help_calls` (`company_id`,`created_at`,`id`) WHERE answered_at is null;--> statement-breakpoint
CREATE INDEX `help_calls_company` ON `help_calls` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `help_calls_machine` ON `help_calls` (`machine_id`,`created_at`,`id`);--> statement-breakpoint
-- Whoever works with machines may call for help, and answer.
INSERT INTO role_permissions (id, role_id, permission_id, created_at, updated_at) VALUES
  ('00000000-0000-4000-8000-000000000061', 'superadmin', 'help-calls:write', 0, 0),
  ('00000000-0000-4000-8000-000000000062', 'admin', 'help-calls:write', 0, 0),
  ('00000000-0000-4000-8000-000000000063', 'user', 'help-calls:write', 0, 0);
