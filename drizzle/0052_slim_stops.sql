-- Stops in less space: instants as differences, and clustered by id, which begins with the machine. Written by hand, as 0051.
CREATE TABLE `slim_stops` (
	`id` integer NOT NULL,
	`shift_start` integer NOT NULL,
	`revision` integer NOT NULL,
	`company_id` integer NOT NULL,
	`machine_id` integer NOT NULL,
	`shift_id` integer NOT NULL,
	`shift_ms` integer NOT NULL,
	`slice_start` integer NOT NULL,
	`slice_ms` integer,
	`before_slice_ms` integer NOT NULL,
	`duration_ms` integer,
	`version` integer DEFAULT 0 NOT NULL,
	`name` text,
	`break_name` text,
	`is_manual` integer NOT NULL,
	`is_programmed` integer NOT NULL,
	`is_included_in_stops` integer NOT NULL,
	`is_included_in_availability` integer NOT NULL,
	`classification_id` integer,
	`description` text,
	`general_cause_id` integer,
	`specific_cause_id` integer,
	`component_id` integer,
	`classified_after_ms` integer,
	`created_after_ms` integer NOT NULL,
	`updated_after_ms` integer NOT NULL,
	`reclassified_at` integer,
	`deleted_at` integer,
	`shift_end` integer GENERATED ALWAYS AS (shift_start + shift_ms) VIRTUAL NOT NULL,
	`start_at` integer GENERATED ALWAYS AS (slice_start - before_slice_ms) VIRTUAL NOT NULL,
	`end_at` integer GENERATED ALWAYS AS (slice_start - before_slice_ms + duration_ms) VIRTUAL,
	`slice_end` integer GENERATED ALWAYS AS (slice_start + slice_ms) VIRTUAL,
	`classified_at` integer GENERATED ALWAYS AS (shift_start + classified_after_ms) VIRTUAL,
	`created_at` integer GENERATED ALWAYS AS (shift_start + created_after_ms) VIRTUAL NOT NULL,
	`updated_at` integer GENERATED ALWAYS AS (shift_start + updated_after_ms) VIRTUAL NOT NULL,
	PRIMARY KEY(`id`, `shift_start`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO slim_stops (id, shift_start, revision, company_id, machine_id, shift_id, slice_start, version, name, break_name, is_manual,
  is_programmed, is_included_in_stops, is_included_in_availability, classification_id, description, general_cause_id, specific_cause_id, component_id, reclassified_at, deleted_at,
  shift_ms, slice_ms, before_slice_ms, duration_ms, classified_after_ms, created_after_ms, updated_after_ms)
SELECT id, shift_start, revision, company_id, machine_id, shift_id, slice_start, version, name, break_name, is_manual,
  is_programmed, is_included_in_stops, is_included_in_availability, classification_id, description, general_cause_id, specific_cause_id, component_id, reclassified_at, deleted_at,
  shift_end - shift_start, slice_end - slice_start, slice_start - start_at, end_at - start_at, classified_at - shift_start, created_at - shift_start,
  updated_at - shift_start
FROM stops ORDER BY id, shift_start;
--> statement-breakpoint
DROP TABLE stops;
--> statement-breakpoint
ALTER TABLE slim_stops RENAME TO stops;
--> statement-breakpoint
CREATE INDEX `stops_slice` ON `stops` (`slice_start`,`id`,`shift_start`);
--> statement-breakpoint
CREATE INDEX `stops_company` ON `stops` (`company_id`,`slice_start`,`id`);
--> statement-breakpoint
CREATE INDEX `stops_machine` ON `stops` (`machine_id`,`slice_start`,`id`);
--> statement-breakpoint
-- The triggers of 0019, which went with the table. The counts are of the same rows.
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
