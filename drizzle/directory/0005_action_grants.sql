-- Whoever may classify stops by default may act on losses.
INSERT OR IGNORE INTO `role_permissions` (`id`, `role_id`, `permission_id`, `created_at`, `updated_at`) VALUES
	('00000000-0000-4000-8000-000000000131', 'superadmin', 'actions:write', 0, 0),
	('00000000-0000-4000-8000-000000000132', 'admin', 'actions:write', 0, 0),
	('00000000-0000-4000-8000-000000000133', 'user', 'actions:write', 0, 0);
