CREATE TABLE `operator_shifts` (
	`machine_id` integer NOT NULL,
	`shift_start` integer NOT NULL,
	`operator_id` integer NOT NULL,
	`revision` integer NOT NULL,
	`company_id` integer NOT NULL,
	`shift_id` integer NOT NULL,
	`shift_end` integer NOT NULL,
	`uptime_ms` integer NOT NULL,
	`downtime_ms` integer NOT NULL,
	`units` integer NOT NULL,
	`sku_id` text,
	PRIMARY KEY(`machine_id`, `shift_start`, `operator_id`)
);
--> statement-breakpoint
CREATE INDEX `operator_shifts_company` ON `operator_shifts` (`company_id`,`shift_start`);--> statement-breakpoint
CREATE INDEX `operator_shifts_operator` ON `operator_shifts` (`operator_id`,`shift_start`);--> statement-breakpoint
CREATE TABLE `shift_parts` (
	`machine_id` integer NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`company_id` integer NOT NULL,
	`shift_id` integer NOT NULL,
	`shift_start` integer NOT NULL,
	`shift_end` integer NOT NULL,
	`hour_start` integer NOT NULL,
	`sku_id` text,
	`work_order_id` text,
	`as_of` integer,
	`open_bucket` text,
	`open_is_annotated` integer NOT NULL,
	`available_ms` integer NOT NULL,
	`no_data_ms` integer NOT NULL,
	`programmed_ms` integer NOT NULL,
	`non_programmed_ms` integer NOT NULL,
	`other_ms` integer NOT NULL,
	`annotated_ms` integer NOT NULL,
	`cycles` integer NOT NULL,
	`total_units` integer NOT NULL,
	`defect_units` integer NOT NULL,
	`ideal_ms` real NOT NULL,
	`cycles_with_standard` integer NOT NULL,
	`lost_by_defects_ms` real NOT NULL,
	`unit_standard_ms` real,
	`five_minutes` text NOT NULL,
	PRIMARY KEY(`machine_id`, `start_at`)
);
--> statement-breakpoint
CREATE INDEX `shift_parts_company` ON `shift_parts` (`company_id`,`start_at`);--> statement-breakpoint
CREATE INDEX `shift_parts_open` ON `shift_parts` (`company_id`,`machine_id`) WHERE open_bucket is not null;--> statement-breakpoint
-- Nothing finer than the record is known of these shifts. A machine's object replaces what it still can divide.
INSERT INTO shift_parts (machine_id, start_at, end_at, revision, company_id, shift_id, shift_start, shift_end, hour_start, as_of, open_bucket,
  open_is_annotated, available_ms, no_data_ms, programmed_ms, non_programmed_ms, other_ms, annotated_ms, cycles, total_units, defect_units,
  ideal_ms, cycles_with_standard, lost_by_defects_ms, unit_standard_ms, five_minutes)
SELECT r.machine_id, max(r.start_at, m.commissioned_at), iif(r.open_bucket IS NULL, r.as_of, r.end_at), r.revision, r.company_id, r.shift_id,
  r.start_at, r.end_at, max(r.start_at, m.commissioned_at), iif(r.open_bucket IS NULL, NULL, r.as_of), r.open_bucket,
  r.open_is_annotated, r.available_ms, r.no_data_ms, r.programmed_ms, r.non_programmed_ms, r.other_ms, r.annotated_ms, r.cycles, r.total_units,
  r.defect_units, r.ideal_ms, r.cycles_with_standard, r.lost_by_defects_ms,
  CASE WHEN r.cycles_with_standard > 0 AND r.total_units > 0
    THEN r.ideal_ms / r.cycles_with_standard * r.cycles / r.total_units ELSE r.standard_cycle_ms END,
  '[]'
FROM shift_records AS r JOIN machines AS m ON m.id = r.machine_id;
--> statement-breakpoint
INSERT INTO operator_shifts (machine_id, shift_start, operator_id, revision, company_id, shift_id, shift_end, uptime_ms, downtime_ms, units, sku_id)
SELECT r.machine_id, r.shift_start, r.operator_id, r.revision, m.company_id, r.shift_id, r.shift_end, r.uptime_ms, r.downtime_ms, r.units, r.sku_id
FROM roster AS r JOIN machines AS m ON m.id = r.machine_id;
