-- Who may read and write the set-up, the people and the gateways' tokens.
INSERT INTO role_permissions (id, role_id, permission_id, created_at, updated_at) VALUES
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
  ('00000000-0000-4000-8000-000000000027', 'readonly', 'set-up:read', 0, 0);
--> statement-breakpoint
UPDATE gateway_tokens SET updated_at = created_at;
