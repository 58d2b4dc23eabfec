ALTER TABLE `shift_parts` ADD `units_without_time` real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `shift_records` ADD `units_without_time` real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `machines` ADD `reporting_seconds` real;