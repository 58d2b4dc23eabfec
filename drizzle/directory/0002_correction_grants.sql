-- Whoever may classify stops by default may correct counts.
INSERT OR IGNORE INTO `role_permissions` (`id`, `role_id`, `permission_id`, `created_at`, `updated_at`) VALUES
	('00000000-0000-4000-8000-000000000111', 'superadmin', 'corrections:write', 0, 0),
	('00000000-0000-4000-8000-000000000112', 'admin', 'corrections:write', 0, 0),
	('00000000-0000-4000-8000-000000000113', 'user', 'corrections:write', 0, 0);
