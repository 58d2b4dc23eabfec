-- Who may do what where the contract lists no roles; op 14 changes it. Superusers need no grant.
INSERT INTO role_permissions (id, role_id, permission_id, created_at, updated_at) VALUES
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
  ('00000000-0000-4000-8000-000000000015', 'readonly', 'configs:write', 0, 0);
