CREATE TABLE `report_counts` (
	`report` text NOT NULL,
	`scope` integer NOT NULL,
	`width_ms` integer NOT NULL,
	`start_at` integer NOT NULL,
	`kept` integer NOT NULL,
	`deleted` integer NOT NULL,
	PRIMARY KEY(`report`, `scope`, `width_ms`, `start_at`)
) WITHOUT ROWID;
--> statement-breakpoint
-- Counted by whoever writes them, in the same transaction; the widths are those of db/report-counts.ts.
CREATE TRIGGER shift_records_counted AFTER INSERT ON shift_records BEGIN
	INSERT INTO report_counts (report, scope, width_ms, start_at, kept, deleted)
	SELECT 'shifts', column1, column2, NEW.start_at - (NEW.start_at % column2 + column2) % column2, 1, 0
	FROM (VALUES (0, 86400000), (0, 5400000), (0, 337500), (-NEW.company_id, 86400000), (-NEW.company_id, 5400000), (NEW.machine_id, 86400000)) WHERE true
	ON CONFLICT DO UPDATE SET kept = kept + excluded.kept, deleted = deleted + excluded.deleted;
END;
--> statement-breakpoint
CREATE TRIGGER shift_records_recounted AFTER UPDATE ON shift_records WHEN OLD.start_at <> NEW.start_at OR OLD.company_id <> NEW.company_id OR OLD.machine_id <> NEW.machine_id BEGIN
	INSERT INTO report_counts (report, scope, width_ms, start_at, kept, deleted)
	SELECT 'shifts', column1, column2, OLD.start_at - (OLD.start_at % column2 + column2) % column2, -1, 0
	FROM (VALUES (0, 86400000), (0, 5400000), (0, 337500), (-OLD.company_id, 86400000), (-OLD.company_id, 5400000), (OLD.machine_id, 86400000)) WHERE true
	ON CONFLICT DO UPDATE SET kept = kept + excluded.kept, deleted = deleted + excluded.deleted;
	INSERT INTO report_counts (report, scope, width_ms, start_at, kept, deleted)
	SELECT 'shifts', column1, column2, NEW.start_at - (NEW.start_at % column2 + column2) % column2, 1, 0
	FROM (VALUES (0, 86400000), (0, 5400000), (0, 337500), (-NEW.company_id, 86400000), (-NEW.company_id, 5400000), (NEW.machine_id, 86400000)) WHERE true
	ON CONFLICT DO UPDATE SET kept = kept + excluded.kept, deleted = deleted + excluded.deleted;
END;
--> statement-breakpoint
CREATE TRIGGER shift_records_discounted AFTER DELETE ON shift_records BEGIN
	INSERT INTO report_counts (report, scope, width_ms, start_at, kept, deleted)
	SELECT 'shifts', column1, column2, OLD.start_at - (OLD.start_at % column2 + column2) % column2, -1, 0
	FROM (VALUES (0, 86400000), (0, 5400000), (0, 337500), (-OLD.company_id, 86400000), (-OLD.company_id, 5400000), (OLD.machine_id, 86400000)) WHERE true
	ON CONFLICT DO UPDATE SET kept = kept + excluded.kept, deleted = deleted + excluded.deleted;
END;
--> statement-breakpoint
INSERT INTO report_counts SELECT 'shifts', 0, 86400000, start_at - start_at % 86400000, count(*), 0 FROM shift_records GROUP BY 2, 4;
--> statement-breakpoint
INSERT INTO report_counts SELECT 'shifts', 0, 5400000, start_at - start_at % 5400000, count(*), 0 FROM shift_records GROUP BY 2, 4;
--> statement-breakpoint
INSERT INTO report_counts SELECT 'shifts', 0, 337500, start_at - start_at % 337500, count(*), 0 FROM shift_records GROUP BY 2, 4;
--> statement-breakpoint
INSERT INTO report_counts SELECT 'shifts', -company_id, 86400000, start_at - start_at % 86400000, count(*), 0 FROM shift_records GROUP BY 2, 4;
--> statement-breakpoint
INSERT INTO report_counts SELECT 'shifts', -company_id, 5400000, start_at - start_at % 5400000, count(*), 0 FROM shift_records GROUP BY 2, 4;
--> statement-breakpoint
INSERT INTO report_counts SELECT 'shifts', machine_id, 86400000, start_at - start_at % 86400000, count(*), 0 FROM shift_records GROUP BY 2, 4;
--> statement-breakpoint
CREATE TRIGGER stops_counted AFTER INSERT ON stops BEGIN
	INSERT INTO report_counts (report, scope, width_ms, start_at, kept, deleted)
	SELECT 'stops', column1, column2, NEW.slice_start - (NEW.slice_start % column2 + column2) % column2, (NEW.deleted_at IS NULL), (NEW.deleted_at IS NOT NULL)
	FROM (VALUES (0, 86400000), (0, 5400000), (0, 337500), (-NEW.company_id, 86400000), (-NEW.company_id, 5400000), (NEW.machine_id, 86400000)) WHERE true
	ON CONFLICT DO UPDATE SET kept = kept + excluded.kept, deleted = deleted + excluded.deleted;
END;
--> statement-breakpoint
CREATE TRIGGER stops_recounted AFTER UPDATE ON stops WHEN OLD.slice_start <> NEW.slice_start OR OLD.company_id <> NEW.company_id OR OLD.machine_id <> NEW.machine_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
	INSERT INTO report_counts (report, scope, width_ms, start_at, kept, deleted)
	SELECT 'stops', column1, column2, OLD.slice_start - (OLD.slice_start % column2 + column2) % column2, -(OLD.deleted_at IS NULL), -(OLD.deleted_at IS NOT NULL)
	FROM (VALUES (0, 86400000), (0, 5400000), (0, 337500), (-OLD.company_id, 86400000), (-OLD.company_id, 5400000), (OLD.machine_id, 86400000)) WHERE true
	ON CONFLICT DO UPDATE SET kept = kept + excluded.kept, deleted = deleted + excluded.deleted;
	INSERT INTO report_counts (report, scope, width_ms, start_at, kept, deleted)
	SELECT 'stops', column1, column2, NEW.slice_start - (NEW.slice_start % column2 + column2) % column2, (NEW.deleted_at IS NULL), (NEW.deleted_at IS NOT NULL)
	FROM (VALUES (0, 86400000), (0, 5400000), (0, 337500), (-NEW.company_id, 86400000), (-NEW.company_id, 5400000), (NEW.machine_id, 86400000)) WHERE true
	ON CONFLICT DO UPDATE SET kept = kept + excluded.kept, deleted = deleted + excluded.deleted;
END;
--> statement-breakpoint
CREATE TRIGGER stops_discounted AFTER DELETE ON stops BEGIN
	INSERT INTO report_counts (report, scope, width_ms, start_at, kept, deleted)
	SELECT 'stops', column1, column2, OLD.slice_start - (OLD.slice_start % column2 + column2) % column2, -(OLD.deleted_at IS NULL), -(OLD.deleted_at IS NOT NULL)
	FROM (VALUES (0, 86400000), (0, 5400000), (0, 337500), (-OLD.company_id, 86400000), (-OLD.company_id, 5400000), (OLD.machine_id, 86400000)) WHERE true
	ON CONFLICT DO UPDATE SET kept = kept + excluded.kept, deleted = deleted + excluded.deleted;
END;
--> statement-breakpoint
INSERT INTO report_counts SELECT 'stops', 0, 86400000, slice_start - slice_start % 86400000, sum(deleted_at IS NULL), sum(deleted_at IS NOT NULL) FROM stops GROUP BY 2, 4;
--> statement-breakpoint
INSERT INTO report_counts SELECT 'stops', 0, 5400000, slice_start - slice_start % 5400000, sum(deleted_at IS NULL), sum(deleted_at IS NOT NULL) FROM stops GROUP BY 2, 4;
--> statement-breakpoint
INSERT INTO report_counts SELECT 'stops', 0, 337500, slice_start - slice_start % 337500, sum(deleted_at IS NULL), sum(deleted_at IS NOT NULL) FROM stops GROUP BY 2, 4;
--> statement-breakpoint
INSERT INTO report_counts SELECT 'stops', -company_id, 86400000, slice_start - slice_start % 86400000, sum(deleted_at IS NULL), sum(deleted_at IS NOT NULL) FROM stops GROUP BY 2, 4;
--> statement-breakpoint
INSERT INTO report_counts SELECT 'stops', -company_id, 5400000, slice_start - slice_start % 5400000, sum(deleted_at IS NULL), sum(deleted_at IS NOT NULL) FROM stops GROUP BY 2, 4;
--> statement-breakpoint
INSERT INTO report_counts SELECT 'stops', machine_id, 86400000, slice_start - slice_start % 86400000, sum(deleted_at IS NULL), sum(deleted_at IS NOT NULL) FROM stops GROUP BY 2, 4;
