ALTER TABLE `companies` ADD `production_day` text DEFAULT 'calendarDay' NOT NULL;--> statement-breakpoint
ALTER TABLE `companies` ADD `week_start` text DEFAULT 'monday' NOT NULL;--> statement-breakpoint
ALTER TABLE `companies` ADD `has_production_days` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `operator_shifts` ADD `line_id` integer;--> statement-breakpoint
ALTER TABLE `operator_shifts` ADD `day_offset` integer;--> statement-breakpoint
ALTER TABLE `operator_shifts` ADD `recorded_after_ms` integer;--> statement-breakpoint
ALTER TABLE `operator_shifts` ADD `day` integer GENERATED ALWAYS AS (shift_start / 86400000 + day_offset) VIRTUAL;--> statement-breakpoint
ALTER TABLE `operator_shifts` ADD `recorded_at` integer GENERATED ALWAYS AS (shift_end + recorded_after_ms) VIRTUAL;--> statement-breakpoint
ALTER TABLE `shift_parts` ADD `line_id` integer;--> statement-breakpoint
ALTER TABLE `shift_parts` ADD `day_offset` integer;--> statement-breakpoint
ALTER TABLE `shift_parts` ADD `recorded_after_ms` integer;--> statement-breakpoint
ALTER TABLE `shift_parts` ADD `day` integer GENERATED ALWAYS AS ((start_at - into_shift_ms) / 86400000 + day_offset) VIRTUAL;--> statement-breakpoint
ALTER TABLE `shift_parts` ADD `recorded_at` integer GENERATED ALWAYS AS (start_at + duration_ms + recorded_after_ms) VIRTUAL;--> statement-breakpoint
ALTER TABLE `shift_records` ADD `line_id` integer;--> statement-breakpoint
ALTER TABLE `shift_records` ADD `day_offset` integer;--> statement-breakpoint
ALTER TABLE `shift_records` ADD `hourly_rate` real;--> statement-breakpoint
ALTER TABLE `shift_records` ADD `corrected_total` real;--> statement-breakpoint
ALTER TABLE `shift_records` ADD `corrected_defects` real;--> statement-breakpoint
ALTER TABLE `shift_records` ADD `recorded_after_ms` integer;--> statement-breakpoint
ALTER TABLE `shift_records` ADD `day` integer GENERATED ALWAYS AS (start_at / 86400000 + day_offset) VIRTUAL;--> statement-breakpoint
ALTER TABLE `shift_records` ADD `recorded_at` integer GENERATED ALWAYS AS (updated_at + recorded_after_ms) VIRTUAL;--> statement-breakpoint
ALTER TABLE `stops` ADD `line_id` integer;--> statement-breakpoint
ALTER TABLE `stops` ADD `day_offset` integer;--> statement-breakpoint
ALTER TABLE `stops` ADD `recorded_after_ms` integer;--> statement-breakpoint
ALTER TABLE `stops` ADD `day` integer GENERATED ALWAYS AS (shift_start / 86400000 + day_offset) VIRTUAL;--> statement-breakpoint
ALTER TABLE `stops` ADD `recorded_at` integer GENERATED ALWAYS AS (shift_start + updated_after_ms + recorded_after_ms) VIRTUAL;--> statement-breakpoint
ALTER TABLE `machines` ADD `unstamped_line_id` integer;--> statement-breakpoint
ALTER TABLE `machines` ADD `unstamped_hourly_rate` real;--> statement-breakpoint
-- Rows that exist count for the line and rate that the machine has now, as reports have said.
UPDATE `machines` SET `unstamped_line_id` = coalesce(`line_id`, 0), `unstamped_hourly_rate` = `hourly_rate`;
