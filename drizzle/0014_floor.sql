DROP INDEX `work_orders_code`;--> statement-breakpoint
CREATE UNIQUE INDEX `work_orders_code` ON `work_orders` (`company_id`,`code`) WHERE deleted_at is null;--> statement-breakpoint
ALTER TABLE `companies` ADD `sign_out_at_shift_end` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `order_runs` ADD `end_at` integer;--> statement-breakpoint
ALTER TABLE `work_order_targets` ADD `stated_at` integer;--> statement-breakpoint
ALTER TABLE `machines` ADD `heard_at` integer;--> statement-breakpoint
-- Who may sign operators in and out, say what a machine makes, and say whom alerts reach.
INSERT INTO role_permissions (id, role_id, permission_id, created_at, updated_at) VALUES
  ('00000000-0000-4000-8000-000000000031', 'superadmin', 'operators:sign-in', 0, 0),
  ('00000000-0000-4000-8000-000000000032', 'admin', 'operators:sign-in', 0, 0),
  ('00000000-0000-4000-8000-000000000033', 'user', 'operators:sign-in', 0, 0),
  ('00000000-0000-4000-8000-000000000034', 'superadmin', 'runs:write', 0, 0),
  ('00000000-0000-4000-8000-000000000035', 'admin', 'runs:write', 0, 0),
  ('00000000-0000-4000-8000-000000000036', 'user', 'runs:write', 0, 0),
  ('00000000-0000-4000-8000-000000000037', 'superadmin', 'personas:write', 0, 0),
  ('00000000-0000-4000-8000-000000000038', 'admin', 'personas:write', 0, 0);
