-- Whoever may classify stops by default may write and acknowledge hand-overs.
INSERT OR IGNORE INTO `role_permissions` (`id`, `role_id`, `permission_id`, `created_at`, `updated_at`) VALUES
	('00000000-0000-4000-8000-000000000121', 'superadmin', 'hand-overs:write', 0, 0),
	('00000000-0000-4000-8000-000000000122', 'admin', 'hand-overs:write', 0, 0),
	('00000000-0000-4000-8000-000000000123', 'user', 'hand-overs:write', 0, 0);
