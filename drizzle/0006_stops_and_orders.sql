CREATE INDEX `work_orders_company` ON `work_orders` (`company_id`,`created_at`,`id`);--> statement-breakpoint
-- Who may record, classify, change, split, merge and delete stops.
INSERT INTO role_permissions (id, role_id, permission_id, created_at, updated_at) VALUES
  ('00000000-0000-4000-8000-000000000028', 'superadmin', 'stops:write', 0, 0),
  ('00000000-0000-4000-8000-000000000029', 'admin', 'stops:write', 0, 0),
  ('00000000-0000-4000-8000-000000000030', 'user', 'stops:write', 0, 0);
