CREATE TABLE `quotas` (
	`company_id` integer NOT NULL,
	`quota` text NOT NULL,
	`most` integer NOT NULL,
	PRIMARY KEY(`company_id`, `quota`)
);
--> statement-breakpoint
CREATE TABLE `usage` (
	`company_id` integer NOT NULL,
	`kind` text NOT NULL,
	`items` integer NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`company_id`, `kind`)
);
--> statement-breakpoint
ALTER TABLE `widgets` ADD `picture_bytes` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- What each company stores, and the most that it may have. The triggers count in the write itself, so they cannot be forgotten, and several writes
-- at once cannot exceed a quota. Updates of orders are never refused: machines make them.
INSERT INTO quotas VALUES (0, 'bytes', 1073741824), (0, 'open-orders', 100000), (0, 'skus-and-operators', 200000), (0, 'alert-rules', 10000), (0, 'api-tokens', 10000), (0, 'chat-rooms', 10000), (0, 'configs', 10000), (0, 'dashboards', 10000), (0, 'gateway-tokens', 10000), (0, 'lines', 10000), (0, 'machines', 10000), (0, 'operator-plans', 10000), (0, 'personas', 10000), (0, 'report-subscriptions', 10000), (0, 'shifts', 10000), (0, 'stop-causes', 10000), (0, 'tags', 10000), (0, 'users', 10000), (0, 'webhook-subscriptions', 10000), (0, 'widgets', 10000), (0, 'kept-answers', 67108864);
--> statement-breakpoint
-- The bytes of all kinds together, so that a write does not have to add them up.
CREATE TRIGGER usage_all_added AFTER INSERT ON usage WHEN NEW.kind <> 'all' BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'all', 0, NEW.bytes)
	ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
END;
--> statement-breakpoint
CREATE TRIGGER usage_all_changed AFTER UPDATE OF bytes ON usage WHEN NEW.kind <> 'all' AND NEW.bytes <> OLD.bytes BEGIN
	UPDATE usage SET bytes = bytes + NEW.bytes - OLD.bytes WHERE company_id = NEW.company_id AND kind = 'all';
END;
--> statement-breakpoint
CREATE TRIGGER users_usage_added AFTER INSERT ON users WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'users', (NEW.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.email), 0) + ifnull(octet_length(NEW.password_hash), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded users') WHERE (NEW.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'users') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'users'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'users'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER users_usage_changed AFTER UPDATE ON users
WHEN NEW.company_id IS NOT NULL AND ((NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) OR 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.email), 0) + ifnull(octet_length(NEW.password_hash), 0) <> 60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.email), 0) + ifnull(octet_length(OLD.password_hash), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'users', (NEW.deleted_at IS NULL) - (OLD.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.email), 0) + ifnull(octet_length(NEW.password_hash), 0) - (60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.email), 0) + ifnull(octet_length(OLD.password_hash), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded users') WHERE (NEW.deleted_at IS NULL) > (OLD.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'users') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'users'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'users'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.email), 0) + ifnull(octet_length(NEW.password_hash), 0) > 60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.email), 0) + ifnull(octet_length(OLD.password_hash), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER users_usage_removed AFTER DELETE ON users WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - (OLD.deleted_at IS NULL), bytes = bytes - (60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.email), 0) + ifnull(octet_length(OLD.password_hash), 0)) WHERE company_id = OLD.company_id AND kind = 'users';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'users', sum((deleted_at IS NULL)), sum(60 + ifnull(octet_length(name), 0) + ifnull(octet_length(email), 0) + ifnull(octet_length(password_hash), 0)) FROM users WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER machines_usage_added AFTER INSERT ON machines WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'machines', (NEW.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.ref), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded machines') WHERE (NEW.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'machines') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'machines'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'machines'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER machines_usage_changed AFTER UPDATE ON machines
WHEN NEW.company_id IS NOT NULL AND ((NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) OR 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.ref), 0) <> 60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.ref), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'machines', (NEW.deleted_at IS NULL) - (OLD.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.ref), 0) - (60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.ref), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded machines') WHERE (NEW.deleted_at IS NULL) > (OLD.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'machines') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'machines'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'machines'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.ref), 0) > 60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.ref), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER machines_usage_removed AFTER DELETE ON machines WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - (OLD.deleted_at IS NULL), bytes = bytes - (60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.ref), 0)) WHERE company_id = OLD.company_id AND kind = 'machines';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'machines', sum((deleted_at IS NULL)), sum(60 + ifnull(octet_length(name), 0) + ifnull(octet_length(ref), 0)) FROM machines WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER lines_usage_added AFTER INSERT ON lines WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'lines', (NEW.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded lines') WHERE (NEW.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'lines') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'lines'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'lines'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER lines_usage_changed AFTER UPDATE ON lines
WHEN NEW.company_id IS NOT NULL AND ((NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) OR 60 + ifnull(octet_length(NEW.name), 0) <> 60 + ifnull(octet_length(OLD.name), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'lines', (NEW.deleted_at IS NULL) - (OLD.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0) - (60 + ifnull(octet_length(OLD.name), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded lines') WHERE (NEW.deleted_at IS NULL) > (OLD.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'lines') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'lines'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'lines'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.name), 0) > 60 + ifnull(octet_length(OLD.name), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER lines_usage_removed AFTER DELETE ON lines WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - (OLD.deleted_at IS NULL), bytes = bytes - (60 + ifnull(octet_length(OLD.name), 0)) WHERE company_id = OLD.company_id AND kind = 'lines';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'lines', sum((deleted_at IS NULL)), sum(60 + ifnull(octet_length(name), 0)) FROM lines WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER shifts_usage_added AFTER INSERT ON shifts WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'shifts', (NEW.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.breaks), 0) + ifnull(octet_length(NEW.machine_ids), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded shifts') WHERE (NEW.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'shifts') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'shifts'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'shifts'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER shifts_usage_changed AFTER UPDATE ON shifts
WHEN NEW.company_id IS NOT NULL AND ((NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) OR 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.breaks), 0) + ifnull(octet_length(NEW.machine_ids), 0) <> 60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.breaks), 0) + ifnull(octet_length(OLD.machine_ids), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'shifts', (NEW.deleted_at IS NULL) - (OLD.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.breaks), 0) + ifnull(octet_length(NEW.machine_ids), 0) - (60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.breaks), 0) + ifnull(octet_length(OLD.machine_ids), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded shifts') WHERE (NEW.deleted_at IS NULL) > (OLD.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'shifts') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'shifts'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'shifts'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.breaks), 0) + ifnull(octet_length(NEW.machine_ids), 0) > 60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.breaks), 0) + ifnull(octet_length(OLD.machine_ids), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER shifts_usage_removed AFTER DELETE ON shifts WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - (OLD.deleted_at IS NULL), bytes = bytes - (60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.breaks), 0) + ifnull(octet_length(OLD.machine_ids), 0)) WHERE company_id = OLD.company_id AND kind = 'shifts';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'shifts', sum((deleted_at IS NULL)), sum(60 + ifnull(octet_length(name), 0) + ifnull(octet_length(breaks), 0) + ifnull(octet_length(machine_ids), 0)) FROM shifts WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER operators_usage_added AFTER INSERT ON operators WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'operators', (NEW.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.code), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded skus-and-operators') WHERE (NEW.deleted_at IS NULL) AND (SELECT sum(items) FROM usage WHERE company_id = NEW.company_id AND kind IN ('skus', 'operators')) > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'skus-and-operators'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'skus-and-operators'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER operators_usage_changed AFTER UPDATE ON operators
WHEN NEW.company_id IS NOT NULL AND ((NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) OR 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.code), 0) <> 60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.code), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'operators', (NEW.deleted_at IS NULL) - (OLD.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.code), 0) - (60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.code), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded skus-and-operators') WHERE (NEW.deleted_at IS NULL) > (OLD.deleted_at IS NULL) AND (SELECT sum(items) FROM usage WHERE company_id = NEW.company_id AND kind IN ('skus', 'operators')) > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'skus-and-operators'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'skus-and-operators'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.code), 0) > 60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.code), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER operators_usage_removed AFTER DELETE ON operators WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - (OLD.deleted_at IS NULL), bytes = bytes - (60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.code), 0)) WHERE company_id = OLD.company_id AND kind = 'operators';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'operators', sum((deleted_at IS NULL)), sum(60 + ifnull(octet_length(name), 0) + ifnull(octet_length(code), 0)) FROM operators WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER skus_usage_added AFTER INSERT ON skus WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'skus', (NEW.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.id), 0) + ifnull(octet_length(NEW.name), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded skus-and-operators') WHERE (NEW.deleted_at IS NULL) AND (SELECT sum(items) FROM usage WHERE company_id = NEW.company_id AND kind IN ('skus', 'operators')) > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'skus-and-operators'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'skus-and-operators'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER skus_usage_changed AFTER UPDATE ON skus
WHEN NEW.company_id IS NOT NULL AND ((NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) OR 60 + ifnull(octet_length(NEW.id), 0) + ifnull(octet_length(NEW.name), 0) <> 60 + ifnull(octet_length(OLD.id), 0) + ifnull(octet_length(OLD.name), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'skus', (NEW.deleted_at IS NULL) - (OLD.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.id), 0) + ifnull(octet_length(NEW.name), 0) - (60 + ifnull(octet_length(OLD.id), 0) + ifnull(octet_length(OLD.name), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded skus-and-operators') WHERE (NEW.deleted_at IS NULL) > (OLD.deleted_at IS NULL) AND (SELECT sum(items) FROM usage WHERE company_id = NEW.company_id AND kind IN ('skus', 'operators')) > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'skus-and-operators'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'skus-and-operators'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.id), 0) + ifnull(octet_length(NEW.name), 0) > 60 + ifnull(octet_length(OLD.id), 0) + ifnull(octet_length(OLD.name), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER skus_usage_removed AFTER DELETE ON skus WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - (OLD.deleted_at IS NULL), bytes = bytes - (60 + ifnull(octet_length(OLD.id), 0) + ifnull(octet_length(OLD.name), 0)) WHERE company_id = OLD.company_id AND kind = 'skus';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'skus', sum((deleted_at IS NULL)), sum(60 + ifnull(octet_length(id), 0) + ifnull(octet_length(name), 0)) FROM skus WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER stop_causes_usage_added AFTER INSERT ON stop_causes WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'stop-causes', (NEW.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded stop-causes') WHERE (NEW.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'stop-causes') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'stop-causes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'stop-causes'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER stop_causes_usage_changed AFTER UPDATE ON stop_causes
WHEN NEW.company_id IS NOT NULL AND ((NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) OR 60 + ifnull(octet_length(NEW.name), 0) <> 60 + ifnull(octet_length(OLD.name), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'stop-causes', (NEW.deleted_at IS NULL) - (OLD.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0) - (60 + ifnull(octet_length(OLD.name), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded stop-causes') WHERE (NEW.deleted_at IS NULL) > (OLD.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'stop-causes') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'stop-causes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'stop-causes'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.name), 0) > 60 + ifnull(octet_length(OLD.name), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER stop_causes_usage_removed AFTER DELETE ON stop_causes WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - (OLD.deleted_at IS NULL), bytes = bytes - (60 + ifnull(octet_length(OLD.name), 0)) WHERE company_id = OLD.company_id AND kind = 'stop-causes';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'stop-causes', sum((deleted_at IS NULL)), sum(60 + ifnull(octet_length(name), 0)) FROM stop_causes WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER operator_plans_usage_added AFTER INSERT ON operator_plans WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'operator-plans', (NEW.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.title), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded operator-plans') WHERE (NEW.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'operator-plans') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'operator-plans'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'operator-plans'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER operator_plans_usage_changed AFTER UPDATE ON operator_plans
WHEN NEW.company_id IS NOT NULL AND ((NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) OR 60 + ifnull(octet_length(NEW.title), 0) <> 60 + ifnull(octet_length(OLD.title), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'operator-plans', (NEW.deleted_at IS NULL) - (OLD.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.title), 0) - (60 + ifnull(octet_length(OLD.title), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded operator-plans') WHERE (NEW.deleted_at IS NULL) > (OLD.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'operator-plans') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'operator-plans'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'operator-plans'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.title), 0) > 60 + ifnull(octet_length(OLD.title), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER operator_plans_usage_removed AFTER DELETE ON operator_plans WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - (OLD.deleted_at IS NULL), bytes = bytes - (60 + ifnull(octet_length(OLD.title), 0)) WHERE company_id = OLD.company_id AND kind = 'operator-plans';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'operator-plans', sum((deleted_at IS NULL)), sum(60 + ifnull(octet_length(title), 0)) FROM operator_plans WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER widgets_usage_added AFTER INSERT ON widgets WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'widgets', (NEW.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.title), 0) + ifnull(octet_length(NEW.description), 0) + ifnull(octet_length(NEW.spec), 0) + ifnull(octet_length(NEW.feature_requirements), 0) + ifnull(octet_length(NEW.labels), 0) + NEW.picture_bytes)
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded widgets') WHERE (NEW.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'widgets') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'widgets'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'widgets'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER widgets_usage_changed AFTER UPDATE ON widgets
WHEN NEW.company_id IS NOT NULL AND ((NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) OR 60 + ifnull(octet_length(NEW.title), 0) + ifnull(octet_length(NEW.description), 0) + ifnull(octet_length(NEW.spec), 0) + ifnull(octet_length(NEW.feature_requirements), 0) + ifnull(octet_length(NEW.labels), 0) + NEW.picture_bytes <> 60 + ifnull(octet_length(OLD.title), 0) + ifnull(octet_length(OLD.description), 0) + ifnull(octet_length(OLD.spec), 0) + ifnull(octet_length(OLD.feature_requirements), 0) + ifnull(octet_length(OLD.labels), 0) + OLD.picture_bytes) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'widgets', (NEW.deleted_at IS NULL) - (OLD.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.title), 0) + ifnull(octet_length(NEW.description), 0) + ifnull(octet_length(NEW.spec), 0) + ifnull(octet_length(NEW.feature_requirements), 0) + ifnull(octet_length(NEW.labels), 0) + NEW.picture_bytes - (60 + ifnull(octet_length(OLD.title), 0) + ifnull(octet_length(OLD.description), 0) + ifnull(octet_length(OLD.spec), 0) + ifnull(octet_length(OLD.feature_requirements), 0) + ifnull(octet_length(OLD.labels), 0) + OLD.picture_bytes))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded widgets') WHERE (NEW.deleted_at IS NULL) > (OLD.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'widgets') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'widgets'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'widgets'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.title), 0) + ifnull(octet_length(NEW.description), 0) + ifnull(octet_length(NEW.spec), 0) + ifnull(octet_length(NEW.feature_requirements), 0) + ifnull(octet_length(NEW.labels), 0) + NEW.picture_bytes > 60 + ifnull(octet_length(OLD.title), 0) + ifnull(octet_length(OLD.description), 0) + ifnull(octet_length(OLD.spec), 0) + ifnull(octet_length(OLD.feature_requirements), 0) + ifnull(octet_length(OLD.labels), 0) + OLD.picture_bytes AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER widgets_usage_removed AFTER DELETE ON widgets WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - (OLD.deleted_at IS NULL), bytes = bytes - (60 + ifnull(octet_length(OLD.title), 0) + ifnull(octet_length(OLD.description), 0) + ifnull(octet_length(OLD.spec), 0) + ifnull(octet_length(OLD.feature_requirements), 0) + ifnull(octet_length(OLD.labels), 0) + OLD.picture_bytes) WHERE company_id = OLD.company_id AND kind = 'widgets';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'widgets', sum((deleted_at IS NULL)), sum(60 + ifnull(octet_length(title), 0) + ifnull(octet_length(description), 0) + ifnull(octet_length(spec), 0) + ifnull(octet_length(feature_requirements), 0) + ifnull(octet_length(labels), 0) + picture_bytes) FROM widgets WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER dashboards_usage_added AFTER INSERT ON dashboards WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'dashboards', (NEW.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.title), 0) + ifnull(octet_length(NEW.description), 0) + ifnull(octet_length(NEW.spec), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded dashboards') WHERE (NEW.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'dashboards') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'dashboards'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'dashboards'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER dashboards_usage_changed AFTER UPDATE ON dashboards
WHEN NEW.company_id IS NOT NULL AND ((NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) OR 60 + ifnull(octet_length(NEW.title), 0) + ifnull(octet_length(NEW.description), 0) + ifnull(octet_length(NEW.spec), 0) <> 60 + ifnull(octet_length(OLD.title), 0) + ifnull(octet_length(OLD.description), 0) + ifnull(octet_length(OLD.spec), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'dashboards', (NEW.deleted_at IS NULL) - (OLD.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.title), 0) + ifnull(octet_length(NEW.description), 0) + ifnull(octet_length(NEW.spec), 0) - (60 + ifnull(octet_length(OLD.title), 0) + ifnull(octet_length(OLD.description), 0) + ifnull(octet_length(OLD.spec), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded dashboards') WHERE (NEW.deleted_at IS NULL) > (OLD.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'dashboards') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'dashboards'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'dashboards'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.title), 0) + ifnull(octet_length(NEW.description), 0) + ifnull(octet_length(NEW.spec), 0) > 60 + ifnull(octet_length(OLD.title), 0) + ifnull(octet_length(OLD.description), 0) + ifnull(octet_length(OLD.spec), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER dashboards_usage_removed AFTER DELETE ON dashboards WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - (OLD.deleted_at IS NULL), bytes = bytes - (60 + ifnull(octet_length(OLD.title), 0) + ifnull(octet_length(OLD.description), 0) + ifnull(octet_length(OLD.spec), 0)) WHERE company_id = OLD.company_id AND kind = 'dashboards';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'dashboards', sum((deleted_at IS NULL)), sum(60 + ifnull(octet_length(title), 0) + ifnull(octet_length(description), 0) + ifnull(octet_length(spec), 0)) FROM dashboards WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER gateway_tokens_usage_added AFTER INSERT ON gateway_tokens WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'gateway-tokens', (NEW.revoked_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded gateway-tokens') WHERE (NEW.revoked_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'gateway-tokens') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'gateway-tokens'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'gateway-tokens'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER gateway_tokens_usage_changed AFTER UPDATE ON gateway_tokens
WHEN NEW.company_id IS NOT NULL AND ((NEW.revoked_at IS NULL) <> (OLD.revoked_at IS NULL) OR 60 + ifnull(octet_length(NEW.name), 0) <> 60 + ifnull(octet_length(OLD.name), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'gateway-tokens', (NEW.revoked_at IS NULL) - (OLD.revoked_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0) - (60 + ifnull(octet_length(OLD.name), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded gateway-tokens') WHERE (NEW.revoked_at IS NULL) > (OLD.revoked_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'gateway-tokens') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'gateway-tokens'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'gateway-tokens'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.name), 0) > 60 + ifnull(octet_length(OLD.name), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER gateway_tokens_usage_removed AFTER DELETE ON gateway_tokens WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - (OLD.revoked_at IS NULL), bytes = bytes - (60 + ifnull(octet_length(OLD.name), 0)) WHERE company_id = OLD.company_id AND kind = 'gateway-tokens';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'gateway-tokens', sum((revoked_at IS NULL)), sum(60 + ifnull(octet_length(name), 0)) FROM gateway_tokens WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER api_tokens_usage_added AFTER INSERT ON api_tokens WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'api-tokens', (NEW.revoked_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded api-tokens') WHERE (NEW.revoked_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'api-tokens') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'api-tokens'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'api-tokens'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER api_tokens_usage_changed AFTER UPDATE ON api_tokens
WHEN NEW.company_id IS NOT NULL AND ((NEW.revoked_at IS NULL) <> (OLD.revoked_at IS NULL) OR 60 + ifnull(octet_length(NEW.name), 0) <> 60 + ifnull(octet_length(OLD.name), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'api-tokens', (NEW.revoked_at IS NULL) - (OLD.revoked_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0) - (60 + ifnull(octet_length(OLD.name), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded api-tokens') WHERE (NEW.revoked_at IS NULL) > (OLD.revoked_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'api-tokens') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'api-tokens'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'api-tokens'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.name), 0) > 60 + ifnull(octet_length(OLD.name), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER api_tokens_usage_removed AFTER DELETE ON api_tokens WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - (OLD.revoked_at IS NULL), bytes = bytes - (60 + ifnull(octet_length(OLD.name), 0)) WHERE company_id = OLD.company_id AND kind = 'api-tokens';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'api-tokens', sum((revoked_at IS NULL)), sum(60 + ifnull(octet_length(name), 0)) FROM api_tokens WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER personas_usage_added AFTER INSERT ON personas WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'personas', 1, 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.sms), 0) + ifnull(octet_length(NEW.whatsapp), 0) + ifnull(octet_length(NEW.email), 0) + ifnull(octet_length(NEW.push), 0) + ifnull(octet_length(NEW.alert_hours), 0) + ifnull(octet_length(NEW.alert_ids), 0) + ifnull(octet_length(NEW.language), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded personas') WHERE 1 AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'personas') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'personas'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'personas'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER personas_usage_changed AFTER UPDATE ON personas
WHEN NEW.company_id IS NOT NULL AND (60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.sms), 0) + ifnull(octet_length(NEW.whatsapp), 0) + ifnull(octet_length(NEW.email), 0) + ifnull(octet_length(NEW.push), 0) + ifnull(octet_length(NEW.alert_hours), 0) + ifnull(octet_length(NEW.alert_ids), 0) + ifnull(octet_length(NEW.language), 0) <> 60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.sms), 0) + ifnull(octet_length(OLD.whatsapp), 0) + ifnull(octet_length(OLD.email), 0) + ifnull(octet_length(OLD.push), 0) + ifnull(octet_length(OLD.alert_hours), 0) + ifnull(octet_length(OLD.alert_ids), 0) + ifnull(octet_length(OLD.language), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'personas', 0, 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.sms), 0) + ifnull(octet_length(NEW.whatsapp), 0) + ifnull(octet_length(NEW.email), 0) + ifnull(octet_length(NEW.push), 0) + ifnull(octet_length(NEW.alert_hours), 0) + ifnull(octet_length(NEW.alert_ids), 0) + ifnull(octet_length(NEW.language), 0) - (60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.sms), 0) + ifnull(octet_length(OLD.whatsapp), 0) + ifnull(octet_length(OLD.email), 0) + ifnull(octet_length(OLD.push), 0) + ifnull(octet_length(OLD.alert_hours), 0) + ifnull(octet_length(OLD.alert_ids), 0) + ifnull(octet_length(OLD.language), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.sms), 0) + ifnull(octet_length(NEW.whatsapp), 0) + ifnull(octet_length(NEW.email), 0) + ifnull(octet_length(NEW.push), 0) + ifnull(octet_length(NEW.alert_hours), 0) + ifnull(octet_length(NEW.alert_ids), 0) + ifnull(octet_length(NEW.language), 0) > 60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.sms), 0) + ifnull(octet_length(OLD.whatsapp), 0) + ifnull(octet_length(OLD.email), 0) + ifnull(octet_length(OLD.push), 0) + ifnull(octet_length(OLD.alert_hours), 0) + ifnull(octet_length(OLD.alert_ids), 0) + ifnull(octet_length(OLD.language), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER personas_usage_removed AFTER DELETE ON personas WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - 1, bytes = bytes - (60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.sms), 0) + ifnull(octet_length(OLD.whatsapp), 0) + ifnull(octet_length(OLD.email), 0) + ifnull(octet_length(OLD.push), 0) + ifnull(octet_length(OLD.alert_hours), 0) + ifnull(octet_length(OLD.alert_ids), 0) + ifnull(octet_length(OLD.language), 0)) WHERE company_id = OLD.company_id AND kind = 'personas';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'personas', sum(1), sum(60 + ifnull(octet_length(name), 0) + ifnull(octet_length(sms), 0) + ifnull(octet_length(whatsapp), 0) + ifnull(octet_length(email), 0) + ifnull(octet_length(push), 0) + ifnull(octet_length(alert_hours), 0) + ifnull(octet_length(alert_ids), 0) + ifnull(octet_length(language), 0)) FROM personas WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER chat_rooms_usage_added AFTER INSERT ON chat_rooms WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'chat-rooms', (NEW.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.sealed_url), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded chat-rooms') WHERE (NEW.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'chat-rooms') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'chat-rooms'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'chat-rooms'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER chat_rooms_usage_changed AFTER UPDATE ON chat_rooms
WHEN NEW.company_id IS NOT NULL AND ((NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) OR 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.sealed_url), 0) <> 60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.sealed_url), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'chat-rooms', (NEW.deleted_at IS NULL) - (OLD.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.sealed_url), 0) - (60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.sealed_url), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded chat-rooms') WHERE (NEW.deleted_at IS NULL) > (OLD.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'chat-rooms') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'chat-rooms'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'chat-rooms'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.sealed_url), 0) > 60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.sealed_url), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER chat_rooms_usage_removed AFTER DELETE ON chat_rooms WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - (OLD.deleted_at IS NULL), bytes = bytes - (60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.sealed_url), 0)) WHERE company_id = OLD.company_id AND kind = 'chat-rooms';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'chat-rooms', sum((deleted_at IS NULL)), sum(60 + ifnull(octet_length(name), 0) + ifnull(octet_length(sealed_url), 0)) FROM chat_rooms WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER alert_rules_usage_added AFTER INSERT ON alert_rules WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'alert-rules', (NEW.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.params), 0) + ifnull(octet_length(NEW.machine_ids), 0) + ifnull(octet_length(NEW.line_ids), 0) + ifnull(octet_length(NEW.shift_ids), 0) + ifnull(octet_length(NEW.levels), 0) + ifnull(octet_length(NEW.texts), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded alert-rules') WHERE (NEW.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'alert-rules') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'alert-rules'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'alert-rules'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER alert_rules_usage_changed AFTER UPDATE ON alert_rules
WHEN NEW.company_id IS NOT NULL AND ((NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) OR 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.params), 0) + ifnull(octet_length(NEW.machine_ids), 0) + ifnull(octet_length(NEW.line_ids), 0) + ifnull(octet_length(NEW.shift_ids), 0) + ifnull(octet_length(NEW.levels), 0) + ifnull(octet_length(NEW.texts), 0) <> 60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.params), 0) + ifnull(octet_length(OLD.machine_ids), 0) + ifnull(octet_length(OLD.line_ids), 0) + ifnull(octet_length(OLD.shift_ids), 0) + ifnull(octet_length(OLD.levels), 0) + ifnull(octet_length(OLD.texts), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'alert-rules', (NEW.deleted_at IS NULL) - (OLD.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.params), 0) + ifnull(octet_length(NEW.machine_ids), 0) + ifnull(octet_length(NEW.line_ids), 0) + ifnull(octet_length(NEW.shift_ids), 0) + ifnull(octet_length(NEW.levels), 0) + ifnull(octet_length(NEW.texts), 0) - (60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.params), 0) + ifnull(octet_length(OLD.machine_ids), 0) + ifnull(octet_length(OLD.line_ids), 0) + ifnull(octet_length(OLD.shift_ids), 0) + ifnull(octet_length(OLD.levels), 0) + ifnull(octet_length(OLD.texts), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded alert-rules') WHERE (NEW.deleted_at IS NULL) > (OLD.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'alert-rules') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'alert-rules'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'alert-rules'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.params), 0) + ifnull(octet_length(NEW.machine_ids), 0) + ifnull(octet_length(NEW.line_ids), 0) + ifnull(octet_length(NEW.shift_ids), 0) + ifnull(octet_length(NEW.levels), 0) + ifnull(octet_length(NEW.texts), 0) > 60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.params), 0) + ifnull(octet_length(OLD.machine_ids), 0) + ifnull(octet_length(OLD.line_ids), 0) + ifnull(octet_length(OLD.shift_ids), 0) + ifnull(octet_length(OLD.levels), 0) + ifnull(octet_length(OLD.texts), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER alert_rules_usage_removed AFTER DELETE ON alert_rules WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - (OLD.deleted_at IS NULL), bytes = bytes - (60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.params), 0) + ifnull(octet_length(OLD.machine_ids), 0) + ifnull(octet_length(OLD.line_ids), 0) + ifnull(octet_length(OLD.shift_ids), 0) + ifnull(octet_length(OLD.levels), 0) + ifnull(octet_length(OLD.texts), 0)) WHERE company_id = OLD.company_id AND kind = 'alert-rules';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'alert-rules', sum((deleted_at IS NULL)), sum(60 + ifnull(octet_length(name), 0) + ifnull(octet_length(params), 0) + ifnull(octet_length(machine_ids), 0) + ifnull(octet_length(line_ids), 0) + ifnull(octet_length(shift_ids), 0) + ifnull(octet_length(levels), 0) + ifnull(octet_length(texts), 0)) FROM alert_rules WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER report_subscriptions_usage_added AFTER INSERT ON report_subscriptions WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'report-subscriptions', (NEW.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.kind), 0) + ifnull(octet_length(NEW.time), 0) + ifnull(octet_length(NEW.weekdays), 0) + ifnull(octet_length(NEW.machine_ids), 0) + ifnull(octet_length(NEW.line_ids), 0) + ifnull(octet_length(NEW.shift_ids), 0) + ifnull(octet_length(NEW.persona_ids), 0) + ifnull(octet_length(NEW.addresses), 0) + ifnull(octet_length(NEW.webhook_subscription_ids), 0) + ifnull(octet_length(NEW.language), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded report-subscriptions') WHERE (NEW.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'report-subscriptions') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'report-subscriptions'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'report-subscriptions'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER report_subscriptions_usage_changed AFTER UPDATE ON report_subscriptions
WHEN NEW.company_id IS NOT NULL AND ((NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) OR 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.kind), 0) + ifnull(octet_length(NEW.time), 0) + ifnull(octet_length(NEW.weekdays), 0) + ifnull(octet_length(NEW.machine_ids), 0) + ifnull(octet_length(NEW.line_ids), 0) + ifnull(octet_length(NEW.shift_ids), 0) + ifnull(octet_length(NEW.persona_ids), 0) + ifnull(octet_length(NEW.addresses), 0) + ifnull(octet_length(NEW.webhook_subscription_ids), 0) + ifnull(octet_length(NEW.language), 0) <> 60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.kind), 0) + ifnull(octet_length(OLD.time), 0) + ifnull(octet_length(OLD.weekdays), 0) + ifnull(octet_length(OLD.machine_ids), 0) + ifnull(octet_length(OLD.line_ids), 0) + ifnull(octet_length(OLD.shift_ids), 0) + ifnull(octet_length(OLD.persona_ids), 0) + ifnull(octet_length(OLD.addresses), 0) + ifnull(octet_length(OLD.webhook_subscription_ids), 0) + ifnull(octet_length(OLD.language), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'report-subscriptions', (NEW.deleted_at IS NULL) - (OLD.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.kind), 0) + ifnull(octet_length(NEW.time), 0) + ifnull(octet_length(NEW.weekdays), 0) + ifnull(octet_length(NEW.machine_ids), 0) + ifnull(octet_length(NEW.line_ids), 0) + ifnull(octet_length(NEW.shift_ids), 0) + ifnull(octet_length(NEW.persona_ids), 0) + ifnull(octet_length(NEW.addresses), 0) + ifnull(octet_length(NEW.webhook_subscription_ids), 0) + ifnull(octet_length(NEW.language), 0) - (60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.kind), 0) + ifnull(octet_length(OLD.time), 0) + ifnull(octet_length(OLD.weekdays), 0) + ifnull(octet_length(OLD.machine_ids), 0) + ifnull(octet_length(OLD.line_ids), 0) + ifnull(octet_length(OLD.shift_ids), 0) + ifnull(octet_length(OLD.persona_ids), 0) + ifnull(octet_length(OLD.addresses), 0) + ifnull(octet_length(OLD.webhook_subscription_ids), 0) + ifnull(octet_length(OLD.language), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded report-subscriptions') WHERE (NEW.deleted_at IS NULL) > (OLD.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'report-subscriptions') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'report-subscriptions'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'report-subscriptions'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.kind), 0) + ifnull(octet_length(NEW.time), 0) + ifnull(octet_length(NEW.weekdays), 0) + ifnull(octet_length(NEW.machine_ids), 0) + ifnull(octet_length(NEW.line_ids), 0) + ifnull(octet_length(NEW.shift_ids), 0) + ifnull(octet_length(NEW.persona_ids), 0) + ifnull(octet_length(NEW.addresses), 0) + ifnull(octet_length(NEW.webhook_subscription_ids), 0) + ifnull(octet_length(NEW.language), 0) > 60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.kind), 0) + ifnull(octet_length(OLD.time), 0) + ifnull(octet_length(OLD.weekdays), 0) + ifnull(octet_length(OLD.machine_ids), 0) + ifnull(octet_length(OLD.line_ids), 0) + ifnull(octet_length(OLD.shift_ids), 0) + ifnull(octet_length(OLD.persona_ids), 0) + ifnull(octet_length(OLD.addresses), 0) + ifnull(octet_length(OLD.webhook_subscription_ids), 0) + ifnull(octet_length(OLD.language), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER report_subscriptions_usage_removed AFTER DELETE ON report_subscriptions WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - (OLD.deleted_at IS NULL), bytes = bytes - (60 + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.kind), 0) + ifnull(octet_length(OLD.time), 0) + ifnull(octet_length(OLD.weekdays), 0) + ifnull(octet_length(OLD.machine_ids), 0) + ifnull(octet_length(OLD.line_ids), 0) + ifnull(octet_length(OLD.shift_ids), 0) + ifnull(octet_length(OLD.persona_ids), 0) + ifnull(octet_length(OLD.addresses), 0) + ifnull(octet_length(OLD.webhook_subscription_ids), 0) + ifnull(octet_length(OLD.language), 0)) WHERE company_id = OLD.company_id AND kind = 'report-subscriptions';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'report-subscriptions', sum((deleted_at IS NULL)), sum(60 + ifnull(octet_length(name), 0) + ifnull(octet_length(kind), 0) + ifnull(octet_length(time), 0) + ifnull(octet_length(weekdays), 0) + ifnull(octet_length(machine_ids), 0) + ifnull(octet_length(line_ids), 0) + ifnull(octet_length(shift_ids), 0) + ifnull(octet_length(persona_ids), 0) + ifnull(octet_length(addresses), 0) + ifnull(octet_length(webhook_subscription_ids), 0) + ifnull(octet_length(language), 0)) FROM report_subscriptions WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER webhook_subscriptions_usage_added AFTER INSERT ON webhook_subscriptions WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'webhook-subscriptions', (NEW.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.url), 0) + ifnull(octet_length(NEW.description), 0) + ifnull(octet_length(NEW.events), 0) + ifnull(octet_length(NEW.machine_ids), 0) + ifnull(octet_length(NEW.line_ids), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded webhook-subscriptions') WHERE (NEW.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'webhook-subscriptions') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'webhook-subscriptions'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'webhook-subscriptions'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER webhook_subscriptions_usage_changed AFTER UPDATE ON webhook_subscriptions
WHEN NEW.company_id IS NOT NULL AND ((NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) OR 60 + ifnull(octet_length(NEW.url), 0) + ifnull(octet_length(NEW.description), 0) + ifnull(octet_length(NEW.events), 0) + ifnull(octet_length(NEW.machine_ids), 0) + ifnull(octet_length(NEW.line_ids), 0) <> 60 + ifnull(octet_length(OLD.url), 0) + ifnull(octet_length(OLD.description), 0) + ifnull(octet_length(OLD.events), 0) + ifnull(octet_length(OLD.machine_ids), 0) + ifnull(octet_length(OLD.line_ids), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'webhook-subscriptions', (NEW.deleted_at IS NULL) - (OLD.deleted_at IS NULL), 60 + ifnull(octet_length(NEW.url), 0) + ifnull(octet_length(NEW.description), 0) + ifnull(octet_length(NEW.events), 0) + ifnull(octet_length(NEW.machine_ids), 0) + ifnull(octet_length(NEW.line_ids), 0) - (60 + ifnull(octet_length(OLD.url), 0) + ifnull(octet_length(OLD.description), 0) + ifnull(octet_length(OLD.events), 0) + ifnull(octet_length(OLD.machine_ids), 0) + ifnull(octet_length(OLD.line_ids), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded webhook-subscriptions') WHERE (NEW.deleted_at IS NULL) > (OLD.deleted_at IS NULL) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'webhook-subscriptions') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'webhook-subscriptions'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'webhook-subscriptions'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.url), 0) + ifnull(octet_length(NEW.description), 0) + ifnull(octet_length(NEW.events), 0) + ifnull(octet_length(NEW.machine_ids), 0) + ifnull(octet_length(NEW.line_ids), 0) > 60 + ifnull(octet_length(OLD.url), 0) + ifnull(octet_length(OLD.description), 0) + ifnull(octet_length(OLD.events), 0) + ifnull(octet_length(OLD.machine_ids), 0) + ifnull(octet_length(OLD.line_ids), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER webhook_subscriptions_usage_removed AFTER DELETE ON webhook_subscriptions WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - (OLD.deleted_at IS NULL), bytes = bytes - (60 + ifnull(octet_length(OLD.url), 0) + ifnull(octet_length(OLD.description), 0) + ifnull(octet_length(OLD.events), 0) + ifnull(octet_length(OLD.machine_ids), 0) + ifnull(octet_length(OLD.line_ids), 0)) WHERE company_id = OLD.company_id AND kind = 'webhook-subscriptions';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'webhook-subscriptions', sum((deleted_at IS NULL)), sum(60 + ifnull(octet_length(url), 0) + ifnull(octet_length(description), 0) + ifnull(octet_length(events), 0) + ifnull(octet_length(machine_ids), 0) + ifnull(octet_length(line_ids), 0)) FROM webhook_subscriptions WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER tag_keys_usage_added AFTER INSERT ON tag_keys WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'tags', 1, 60 + ifnull(octet_length(NEW.tag_key), 0) + ifnull(octet_length(NEW.tag_value), 0) + ifnull(octet_length(NEW.description), 0) + ifnull(octet_length(NEW.color), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded tags') WHERE 1 AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'tags') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'tags'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'tags'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER tag_keys_usage_changed AFTER UPDATE ON tag_keys
WHEN NEW.company_id IS NOT NULL AND (1 <> 1 OR 60 + ifnull(octet_length(NEW.tag_key), 0) + ifnull(octet_length(NEW.tag_value), 0) + ifnull(octet_length(NEW.description), 0) + ifnull(octet_length(NEW.color), 0) <> 60 + ifnull(octet_length(OLD.tag_key), 0) + ifnull(octet_length(OLD.tag_value), 0) + ifnull(octet_length(OLD.description), 0) + ifnull(octet_length(OLD.color), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'tags', 1 - 1, 60 + ifnull(octet_length(NEW.tag_key), 0) + ifnull(octet_length(NEW.tag_value), 0) + ifnull(octet_length(NEW.description), 0) + ifnull(octet_length(NEW.color), 0) - (60 + ifnull(octet_length(OLD.tag_key), 0) + ifnull(octet_length(OLD.tag_value), 0) + ifnull(octet_length(OLD.description), 0) + ifnull(octet_length(OLD.color), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.tag_key), 0) + ifnull(octet_length(NEW.tag_value), 0) + ifnull(octet_length(NEW.description), 0) + ifnull(octet_length(NEW.color), 0) > 60 + ifnull(octet_length(OLD.tag_key), 0) + ifnull(octet_length(OLD.tag_value), 0) + ifnull(octet_length(OLD.description), 0) + ifnull(octet_length(OLD.color), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER tag_keys_usage_removed AFTER DELETE ON tag_keys WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - 1, bytes = bytes - (60 + ifnull(octet_length(OLD.tag_key), 0) + ifnull(octet_length(OLD.tag_value), 0) + ifnull(octet_length(OLD.description), 0) + ifnull(octet_length(OLD.color), 0)) WHERE company_id = OLD.company_id AND kind = 'tags';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'tags', sum(1), sum(60 + ifnull(octet_length(tag_key), 0) + ifnull(octet_length(tag_value), 0) + ifnull(octet_length(description), 0) + ifnull(octet_length(color), 0)) FROM tag_keys WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER user_configs_usage_added AFTER INSERT ON user_configs WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'configs', 1, 60 + ifnull(octet_length(NEW.config), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded configs') WHERE 1 AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'configs') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'configs'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'configs'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER user_configs_usage_changed AFTER UPDATE ON user_configs
WHEN NEW.company_id IS NOT NULL AND (1 <> 1 OR 60 + ifnull(octet_length(NEW.config), 0) <> 60 + ifnull(octet_length(OLD.config), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'configs', 1 - 1, 60 + ifnull(octet_length(NEW.config), 0) - (60 + ifnull(octet_length(OLD.config), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE 60 + ifnull(octet_length(NEW.config), 0) > 60 + ifnull(octet_length(OLD.config), 0) AND (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER user_configs_usage_removed AFTER DELETE ON user_configs WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - 1, bytes = bytes - (60 + ifnull(octet_length(OLD.config), 0)) WHERE company_id = OLD.company_id AND kind = 'configs';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'configs', sum(1), sum(60 + ifnull(octet_length(config), 0)) FROM user_configs WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER work_orders_usage_added AFTER INSERT ON work_orders WHEN NEW.company_id IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'work-orders', (NEW.deleted_at IS NULL AND NEW.status NOT IN ('Completed', 'Cancelled')), 60 + ifnull(octet_length(NEW.code), 0) + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.source), 0))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded open-orders') WHERE (NEW.deleted_at IS NULL AND NEW.status NOT IN ('Completed', 'Cancelled')) AND (SELECT items FROM usage WHERE company_id = NEW.company_id AND kind = 'work-orders') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'open-orders'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'open-orders'));
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE  (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all') > coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER work_orders_usage_changed AFTER UPDATE ON work_orders
WHEN NEW.company_id IS NOT NULL AND ((NEW.deleted_at IS NULL AND NEW.status NOT IN ('Completed', 'Cancelled')) <> (OLD.deleted_at IS NULL AND OLD.status NOT IN ('Completed', 'Cancelled')) OR 60 + ifnull(octet_length(NEW.code), 0) + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.source), 0) <> 60 + ifnull(octet_length(OLD.code), 0) + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.source), 0)) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'work-orders', (NEW.deleted_at IS NULL AND NEW.status NOT IN ('Completed', 'Cancelled')) - (OLD.deleted_at IS NULL AND OLD.status NOT IN ('Completed', 'Cancelled')), 60 + ifnull(octet_length(NEW.code), 0) + ifnull(octet_length(NEW.name), 0) + ifnull(octet_length(NEW.source), 0) - (60 + ifnull(octet_length(OLD.code), 0) + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.source), 0)))
	ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes;
END;
--> statement-breakpoint
CREATE TRIGGER work_orders_usage_removed AFTER DELETE ON work_orders WHEN OLD.company_id IS NOT NULL BEGIN
	UPDATE usage SET items = items - (OLD.deleted_at IS NULL AND OLD.status NOT IN ('Completed', 'Cancelled')), bytes = bytes - (60 + ifnull(octet_length(OLD.code), 0) + ifnull(octet_length(OLD.name), 0) + ifnull(octet_length(OLD.source), 0)) WHERE company_id = OLD.company_id AND kind = 'work-orders';
END;
--> statement-breakpoint
INSERT INTO usage SELECT company_id, 'work-orders', sum((deleted_at IS NULL AND status NOT IN ('Completed', 'Cancelled'))), sum(60 + ifnull(octet_length(code), 0) + ifnull(octet_length(name), 0) + ifnull(octet_length(source), 0)) FROM work_orders WHERE company_id IS NOT NULL GROUP BY company_id;
--> statement-breakpoint
CREATE TRIGGER widget_instances_usage_added AFTER INSERT ON widget_instances BEGIN
	INSERT INTO usage (company_id, kind, items, bytes)
	SELECT company_id, 'dashboards', 0, 60 + ifnull(octet_length(NEW.spec_override), 0) + ifnull(octet_length(NEW.visual_config), 0) FROM dashboards WHERE id = NEW.dashboard_id AND company_id IS NOT NULL
	ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded bytes') FROM dashboards AS p WHERE p.id = NEW.dashboard_id AND (SELECT bytes FROM usage WHERE company_id = p.company_id AND kind = 'all')
		> coalesce((SELECT most FROM quotas WHERE company_id = p.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER widget_instances_usage_changed AFTER UPDATE ON widget_instances WHEN 60 + ifnull(octet_length(NEW.spec_override), 0) + ifnull(octet_length(NEW.visual_config), 0) <> 60 + ifnull(octet_length(OLD.spec_override), 0) + ifnull(octet_length(OLD.visual_config), 0) BEGIN
	INSERT INTO usage (company_id, kind, items, bytes)
	SELECT company_id, 'dashboards', 0, 60 + ifnull(octet_length(NEW.spec_override), 0) + ifnull(octet_length(NEW.visual_config), 0) - (60 + ifnull(octet_length(OLD.spec_override), 0) + ifnull(octet_length(OLD.visual_config), 0)) FROM dashboards WHERE id = NEW.dashboard_id AND company_id IS NOT NULL
	ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded bytes') FROM dashboards AS p WHERE p.id = NEW.dashboard_id AND (SELECT bytes FROM usage WHERE company_id = p.company_id AND kind = 'all')
		> coalesce((SELECT most FROM quotas WHERE company_id = p.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER widget_instances_usage_removed AFTER DELETE ON widget_instances BEGIN
	UPDATE usage SET bytes = bytes - (60 + ifnull(octet_length(OLD.spec_override), 0) + ifnull(octet_length(OLD.visual_config), 0)) WHERE kind = 'dashboards' AND company_id = (SELECT company_id FROM dashboards WHERE id = OLD.dashboard_id);
END;
--> statement-breakpoint
INSERT INTO usage SELECT p.company_id, 'dashboards', 0, sum(60 + ifnull(octet_length(part.spec_override), 0) + ifnull(octet_length(part.visual_config), 0)) FROM widget_instances AS part JOIN dashboards AS p ON p.id = part.dashboard_id
	WHERE p.company_id IS NOT NULL GROUP BY p.company_id
ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
--> statement-breakpoint
-- The bytes of tables that belong to a counted row, or that are counted by bytes alone. Calls for help are never refused.
--> statement-breakpoint
CREATE TRIGGER sku_standards_usage_added AFTER INSERT ON sku_standards BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'skus', 0, 60)
	ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all')
		> coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER sku_standards_usage_removed AFTER DELETE ON sku_standards BEGIN
	UPDATE usage SET bytes = bytes - (60) WHERE company_id = OLD.company_id AND kind = 'skus';
END;
--> statement-breakpoint
INSERT INTO usage SELECT sku_standards.company_id AS company, 'skus', 0, sum(60) FROM sku_standards WHERE company IS NOT NULL GROUP BY company
ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
--> statement-breakpoint
CREATE TRIGGER count_channels_usage_added AFTER INSERT ON count_channels BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'machines', 0, 60)
	ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE (SELECT bytes FROM usage WHERE company_id = NEW.company_id AND kind = 'all')
		> coalesce((SELECT most FROM quotas WHERE company_id = NEW.company_id AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER count_channels_usage_removed AFTER DELETE ON count_channels BEGIN
	UPDATE usage SET bytes = bytes - (60) WHERE company_id = OLD.company_id AND kind = 'machines';
END;
--> statement-breakpoint
INSERT INTO usage SELECT count_channels.company_id AS company, 'machines', 0, sum(60) FROM count_channels WHERE company IS NOT NULL GROUP BY company
ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
--> statement-breakpoint
CREATE TRIGGER operator_plan_assignments_usage_added AFTER INSERT ON operator_plan_assignments BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES ((SELECT company_id FROM operator_plans WHERE id = NEW.plan_id), 'operator-plans', 0, 60)
	ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE (SELECT bytes FROM usage WHERE company_id = (SELECT company_id FROM operator_plans WHERE id = NEW.plan_id) AND kind = 'all')
		> coalesce((SELECT most FROM quotas WHERE company_id = (SELECT company_id FROM operator_plans WHERE id = NEW.plan_id) AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER operator_plan_assignments_usage_removed AFTER DELETE ON operator_plan_assignments BEGIN
	UPDATE usage SET bytes = bytes - (60) WHERE company_id = (SELECT company_id FROM operator_plans WHERE id = OLD.plan_id) AND kind = 'operator-plans';
END;
--> statement-breakpoint
INSERT INTO usage SELECT (SELECT company_id FROM operator_plans WHERE id = operator_plan_assignments.plan_id) AS company, 'operator-plans', 0, sum(60) FROM operator_plan_assignments WHERE company IS NOT NULL GROUP BY company
ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
--> statement-breakpoint
CREATE TRIGGER work_order_machines_usage_added AFTER INSERT ON work_order_machines BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES ((SELECT company_id FROM work_orders WHERE id = NEW.work_order_id), 'work-orders', 0, 60)
	ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE (SELECT bytes FROM usage WHERE company_id = (SELECT company_id FROM work_orders WHERE id = NEW.work_order_id) AND kind = 'all')
		> coalesce((SELECT most FROM quotas WHERE company_id = (SELECT company_id FROM work_orders WHERE id = NEW.work_order_id) AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER work_order_machines_usage_removed AFTER DELETE ON work_order_machines BEGIN
	UPDATE usage SET bytes = bytes - (60) WHERE company_id = (SELECT company_id FROM work_orders WHERE id = OLD.work_order_id) AND kind = 'work-orders';
END;
--> statement-breakpoint
INSERT INTO usage SELECT (SELECT company_id FROM work_orders WHERE id = work_order_machines.work_order_id) AS company, 'work-orders', 0, sum(60) FROM work_order_machines WHERE company IS NOT NULL GROUP BY company
ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
--> statement-breakpoint
CREATE TRIGGER work_order_targets_usage_added AFTER INSERT ON work_order_targets BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES ((SELECT company_id FROM work_orders WHERE id = NEW.work_order_id), 'work-orders', 0, 100 + octet_length(NEW.sku_id))
	ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE (SELECT bytes FROM usage WHERE company_id = (SELECT company_id FROM work_orders WHERE id = NEW.work_order_id) AND kind = 'all')
		> coalesce((SELECT most FROM quotas WHERE company_id = (SELECT company_id FROM work_orders WHERE id = NEW.work_order_id) AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER work_order_targets_usage_removed AFTER DELETE ON work_order_targets BEGIN
	UPDATE usage SET bytes = bytes - (100 + octet_length(OLD.sku_id)) WHERE company_id = (SELECT company_id FROM work_orders WHERE id = OLD.work_order_id) AND kind = 'work-orders';
END;
--> statement-breakpoint
INSERT INTO usage SELECT (SELECT company_id FROM work_orders WHERE id = work_order_targets.work_order_id) AS company, 'work-orders', 0, sum(100 + octet_length(work_order_targets.sku_id)) FROM work_order_targets WHERE company IS NOT NULL GROUP BY company
ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
--> statement-breakpoint
CREATE TRIGGER work_order_progress_usage_added AFTER INSERT ON work_order_progress BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES ((SELECT company_id FROM work_orders WHERE id = NEW.work_order_id), 'work-orders', 0, 160 + ifnull(octet_length(NEW.comment), 0))
	ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE (SELECT bytes FROM usage WHERE company_id = (SELECT company_id FROM work_orders WHERE id = NEW.work_order_id) AND kind = 'all')
		> coalesce((SELECT most FROM quotas WHERE company_id = (SELECT company_id FROM work_orders WHERE id = NEW.work_order_id) AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER work_order_progress_usage_removed AFTER DELETE ON work_order_progress BEGIN
	UPDATE usage SET bytes = bytes - (160 + ifnull(octet_length(OLD.comment), 0)) WHERE company_id = (SELECT company_id FROM work_orders WHERE id = OLD.work_order_id) AND kind = 'work-orders';
END;
--> statement-breakpoint
INSERT INTO usage SELECT (SELECT company_id FROM work_orders WHERE id = work_order_progress.work_order_id) AS company, 'work-orders', 0, sum(160 + ifnull(octet_length(work_order_progress.comment), 0)) FROM work_order_progress WHERE company IS NOT NULL GROUP BY company
ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
--> statement-breakpoint
CREATE TRIGGER favorites_usage_added AFTER INSERT ON favorites BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES ((SELECT company_id FROM users WHERE id = NEW.user_id), 'users', 0, 60)
	ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
	SELECT RAISE(ABORT, 'quota_exceeded bytes') WHERE (SELECT bytes FROM usage WHERE company_id = (SELECT company_id FROM users WHERE id = NEW.user_id) AND kind = 'all')
		> coalesce((SELECT most FROM quotas WHERE company_id = (SELECT company_id FROM users WHERE id = NEW.user_id) AND quota = 'bytes'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'bytes'));
END;
--> statement-breakpoint
CREATE TRIGGER favorites_usage_removed AFTER DELETE ON favorites BEGIN
	UPDATE usage SET bytes = bytes - (60) WHERE company_id = (SELECT company_id FROM users WHERE id = OLD.user_id) AND kind = 'users';
END;
--> statement-breakpoint
INSERT INTO usage SELECT (SELECT company_id FROM users WHERE id = favorites.user_id) AS company, 'users', 0, sum(60) FROM favorites WHERE company IS NOT NULL GROUP BY company
ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
--> statement-breakpoint
CREATE TRIGGER help_calls_usage_added AFTER INSERT ON help_calls BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES (NEW.company_id, 'help-calls', 0, 100 + ifnull(octet_length(NEW.message), 0))
	ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
END;
--> statement-breakpoint
CREATE TRIGGER help_calls_usage_removed AFTER DELETE ON help_calls BEGIN
	UPDATE usage SET bytes = bytes - (100 + ifnull(octet_length(OLD.message), 0)) WHERE company_id = OLD.company_id AND kind = 'help-calls';
END;
--> statement-breakpoint
INSERT INTO usage SELECT help_calls.company_id AS company, 'help-calls', 0, sum(100 + ifnull(octet_length(help_calls.message), 0)) FROM help_calls WHERE company IS NOT NULL GROUP BY company
ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
--> statement-breakpoint
-- Kept answers of Idempotency-Keys: at most 64 MiB of a company. What is more is not kept: status 409 without a body says that (src/core/idempotency.ts).
CREATE TRIGGER idempotency_keys_usage_added AFTER INSERT ON idempotency_keys WHEN NEW.body IS NOT NULL BEGIN
	INSERT INTO usage (company_id, kind, items, bytes) VALUES ((SELECT company_id FROM users WHERE id = NEW.user_id), 'kept-answers', 0, octet_length(NEW.body))
	ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
	UPDATE idempotency_keys SET status = 409, body = NULL WHERE user_id = NEW.user_id AND operation = NEW.operation AND key = NEW.key
		AND (SELECT bytes FROM usage WHERE company_id = (SELECT company_id FROM users WHERE id = NEW.user_id) AND kind = 'kept-answers')
		> coalesce((SELECT most FROM quotas WHERE company_id = (SELECT company_id FROM users WHERE id = NEW.user_id) AND quota = 'kept-answers'), (SELECT most FROM quotas WHERE company_id = 0 AND quota = 'kept-answers'));
END;
--> statement-breakpoint
CREATE TRIGGER idempotency_keys_usage_changed AFTER UPDATE ON idempotency_keys WHEN OLD.body IS NOT NULL AND NEW.body IS NULL BEGIN
	UPDATE usage SET bytes = bytes - octet_length(OLD.body) WHERE company_id = (SELECT company_id FROM users WHERE id = NEW.user_id) AND kind = 'kept-answers';
END;
--> statement-breakpoint
CREATE TRIGGER idempotency_keys_usage_removed AFTER DELETE ON idempotency_keys WHEN OLD.body IS NOT NULL BEGIN
	UPDATE usage SET bytes = bytes - octet_length(OLD.body) WHERE company_id = (SELECT company_id FROM users WHERE id = OLD.user_id) AND kind = 'kept-answers';
END;
--> statement-breakpoint
INSERT INTO usage SELECT (SELECT company_id FROM users WHERE id = idempotency_keys.user_id) AS company, 'kept-answers', 0, sum(octet_length(body)) FROM idempotency_keys WHERE body IS NOT NULL AND company IS NOT NULL GROUP BY company;
