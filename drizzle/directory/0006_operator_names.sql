-- Whoever saw the names of operators sees them still: terminals act as users, walls as readonly users.
INSERT OR IGNORE INTO `role_permissions` (`id`, `role_id`, `permission_id`, `created_at`, `updated_at`) VALUES
	('00000000-0000-4000-8000-000000000141', 'superadmin', 'operator-names:read', 0, 0),
	('00000000-0000-4000-8000-000000000142', 'admin', 'operator-names:read', 0, 0),
	('00000000-0000-4000-8000-000000000143', 'user', 'operator-names:read', 0, 0),
	('00000000-0000-4000-8000-000000000144', 'readonly', 'operator-names:read', 0, 0);
