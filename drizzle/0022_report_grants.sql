-- Everyone may read the numbers of the own company.
INSERT INTO role_permissions (id, role_id, permission_id, created_at, updated_at) VALUES
  ('00000000-0000-4000-8000-000000000039', 'superadmin', 'reports:read', 0, 0),
  ('00000000-0000-4000-8000-000000000040', 'admin', 'reports:read', 0, 0),
  ('00000000-0000-4000-8000-000000000041', 'user', 'reports:read', 0, 0),
  ('00000000-0000-4000-8000-000000000042', 'readonly', 'reports:read', 0, 0);
