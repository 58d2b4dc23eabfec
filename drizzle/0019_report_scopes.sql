DROP TRIGGER `shift_records_counted`;
--> statement-breakpoint
DROP TRIGGER `shift_records_recounted`;
--> statement-breakpoint
DROP TRIGGER `shift_records_discounted`;
--> statement-breakpoint
DROP TRIGGER `stops_counted`;
--> statement-breakpoint
DROP TRIGGER `stops_recounted`;
--> statement-breakpoint
DROP TRIGGER `stops_discounted`;
--> statement-breakpoint
DROP TABLE `report_counts`;
--> statement-breakpoint
CREATE TABLE `report_counts` (
	`report` text NOT NULL,
	`scope` text NOT NULL,
	`scope_id` integer NOT NULL,
	`width_ms` integer NOT NULL,
	`start_at` integer NOT NULL,
	`kept` integer NOT NULL,
	`deleted` integer NOT NULL,
	PRIMARY KEY(`report`, `scope`, `scope_id`, `width_ms`, `start_at`)
) WITHOUT ROWID;
--> statement-breakpoint
-- The buckets of a scope: a day, and finer ones where a day can hold many rows.
CREATE VIEW `report_buckets` (scope, width_ms) AS VALUES
	('all', 86400000), ('all', 5400000), ('all', 337500),
	('company', 86400000), ('company', 5400000),
	('machine', 86400000);
--> statement-breakpoint
CREATE TRIGGER shift_records_counted AFTER INSERT ON shift_records BEGIN
	INSERT INTO report_counts (report, scope, scope_id, width_ms, start_at, kept, deleted)
	SELECT 'shifts', scope, CASE scope WHEN 'company' THEN NEW.company_id WHEN 'machine' THEN NEW.machine_id ELSE 0 END, width_ms,
		NEW.start_at - (NEW.start_at % width_ms + width_ms) % width_ms, 1, 0 FROM report_buckets WHERE true
	ON CONFLICT DO UPDATE SET kept = kept + excluded.kept, deleted = deleted + excluded.deleted;
END;
--> statement-breakpoint
CREATE TRIGGER shift_records_recounted AFTER UPDATE ON shift_records
WHEN OLD.start_at <> NEW.start_at OR OLD.company_id <> NEW.company_id OR OLD.machine_id <> NEW.machine_id BEGIN
	INSERT INTO report_counts (report, scope, scope_id, width_ms, start_at, kept, deleted)
	SELECT 'shifts', scope, CASE scope WHEN 'company' THEN OLD.company_id WHEN 'machine' THEN OLD.machine_id ELSE 0 END, width_ms,
		OLD.start_at - (OLD.start_at % width_ms + width_ms) % width_ms, -1, 0 FROM report_buckets WHERE true
	ON CONFLICT DO UPDATE SET kept = kept + excluded.kept, deleted = deleted + excluded.deleted;
	INSERT INTO report_counts (report, scope, scope_id, width_ms, start_at, kept, deleted)
	SELECT 'shifts', scope, CASE scope WHEN 'company' THEN NEW.company_id WHEN 'machine' THEN NEW.machine_id ELSE 0 END, width_ms,
		NEW.start_at - (NEW.start_at % width_ms + width_ms) % width_ms, 1, 0 FROM report_buckets WHERE true
	ON CONFLICT DO UPDATE SET kept = kept + excluded.kept, deleted = deleted + excluded.deleted;
END;
--> statement-breakpoint
CREATE TRIGGER shift_records_discounted AFTER DELETE ON shift_records BEGIN
	INSERT INTO report_counts (report, scope, scope_id, width_ms, start_at, kept, deleted)
	SELECT 'shifts', scope, CASE scope WHEN 'company' THEN OLD.company_id WHEN 'machine' THEN OLD.machine_id ELSE 0 END, width_ms,
		OLD.start_at - (OLD.start_at % width_ms + width_ms) % width_ms, -1, 0 FROM report_buckets WHERE true
	ON CONFLICT DO UPDATE SET kept = kept + excluded.kept, deleted = deleted + excluded.deleted;
END;
--> statement-breakpoint
INSERT INTO report_counts SELECT 'shifts', scope, 0, width_ms, start_at - (start_at % width_ms + width_ms) % width_ms, count(*), 0
	FROM shift_records CROSS JOIN report_buckets WHERE scope = 'all' GROUP BY 3, 4, 5;
--> statement-breakpoint
INSERT INTO report_counts SELECT 'shifts', scope, company_id, width_ms, start_at - (start_at % width_ms + width_ms) % width_ms, count(*), 0
	FROM shift_records CROSS JOIN report_buckets WHERE scope = 'company' GROUP BY 3, 4, 5;
--> statement-breakpoint
INSERT INTO report_counts SELECT 'shifts', scope, machine_id, width_ms, start_at - (start_at % width_ms + width_ms) % width_ms, count(*), 0
	FROM shift_records CROSS JOIN report_buckets WHERE scope = 'machine' GROUP BY 3, 4, 5;
--> statement-breakpoint
CREATE TRIGGER stops_counted AFTER INSERT ON stops BEGIN
	INSERT INTO report_counts (report, scope, scope_id, width_ms, start_at, kept, deleted)
	SELECT 'stops', scope, CASE scope WHEN 'company' THEN NEW.company_id WHEN 'machine' THEN NEW.machine_id ELSE 0 END, width_ms,
		NEW.slice_start - (NEW.slice_start % width_ms + width_ms) % width_ms, (NEW.deleted_at IS NULL), (NEW.deleted_at IS NOT NULL) FROM report_buckets WHERE true
	ON CONFLICT DO UPDATE SET kept = kept + excluded.kept, deleted = deleted + excluded.deleted;
END;
--> statement-breakpoint
CREATE TRIGGER stops_recounted AFTER UPDATE ON stops
WHEN OLD.slice_start <> NEW.slice_start OR OLD.company_id <> NEW.company_id OR OLD.machine_id <> NEW.machine_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
	INSERT INTO report_counts (report, scope, scope_id, width_ms, start_at, kept, deleted)
	SELECT 'stops', scope, CASE scope WHEN 'company' THEN OLD.company_id WHEN 'machine' THEN OLD.machine_id ELSE 0 END, width_ms,
		OLD.slice_start - (OLD.slice_start % width_ms + width_ms) % width_ms, -(OLD.deleted_at IS NULL), -(OLD.deleted_at IS NOT NULL) FROM report_buckets WHERE true
	ON CONFLICT DO UPDATE SET kept = kept + excluded.kept, deleted = deleted + excluded.deleted;
	INSERT INTO report_counts (report, scope, scope_id, width_ms, start_at, kept, deleted)
	SELECT 'stops', scope, CASE scope WHEN 'company' THEN NEW.company_id WHEN 'machine' THEN NEW.machine_id ELSE 0 END, width_ms,
		NEW.slice_start - (NEW.slice_start % width_ms + width_ms) % width_ms, (NEW.deleted_at IS NULL), (NEW.deleted_at IS NOT NULL) FROM report_buckets WHERE true
	ON CONFLICT DO UPDATE SET kept = kept + excluded.kept, deleted = deleted + excluded.deleted;
END;
--> statement-breakpoint
CREATE TRIGGER stops_discounted AFTER DELETE ON stops BEGIN
	INSERT INTO report_counts (report, scope, scope_id, width_ms, start_at, kept, deleted)
	SELECT 'stops', scope, CASE scope WHEN 'company' THEN OLD.company_id WHEN 'machine' THEN OLD.machine_id ELSE 0 END, width_ms,
		OLD.slice_start - (OLD.slice_start % width_ms + width_ms) % width_ms, -(OLD.deleted_at IS NULL), -(OLD.deleted_at IS NOT NULL) FROM report_buckets WHERE true
	ON CONFLICT DO UPDATE SET kept = kept + excluded.kept, deleted = deleted + excluded.deleted;
END;
--> statement-breakpoint
INSERT INTO report_counts SELECT 'stops', scope, 0, width_ms, slice_start - (slice_start % width_ms + width_ms) % width_ms, sum(deleted_at IS NULL), sum(deleted_at IS NOT NULL)
	FROM stops CROSS JOIN report_buckets WHERE scope = 'all' GROUP BY 3, 4, 5;
--> statement-breakpoint
INSERT INTO report_counts SELECT 'stops', scope, company_id, width_ms, slice_start - (slice_start % width_ms + width_ms) % width_ms, sum(deleted_at IS NULL), sum(deleted_at IS NOT NULL)
	FROM stops CROSS JOIN report_buckets WHERE scope = 'company' GROUP BY 3, 4, 5;
--> statement-breakpoint
INSERT INTO report_counts SELECT 'stops', scope, machine_id, width_ms, slice_start - (slice_start % width_ms + width_ms) % width_ms, sum(deleted_at IS NULL), sum(deleted_at IS NOT NULL)
	FROM stops CROSS JOIN report_buckets WHERE scope = 'machine' GROUP BY 3, 4, 5;
