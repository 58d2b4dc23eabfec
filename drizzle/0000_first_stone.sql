CREATE TABLE `companies` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`timezone` text NOT NULL,
	`sensors_version` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `count_channels` (
	`company_id` integer NOT NULL,
	`node_id` integer NOT NULL,
	`channel` integer NOT NULL,
	`machine_id` integer NOT NULL,
	`type` text NOT NULL,
	`counting_factor` integer NOT NULL,
	PRIMARY KEY(`company_id`, `node_id`, `channel`),
	FOREIGN KEY (`machine_id`) REFERENCES `count_sensors`(`machine_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `count_channels_machine` ON `count_channels` (`machine_id`);--> statement-breakpoint
CREATE TABLE `count_sensors` (
	`machine_id` integer PRIMARY KEY NOT NULL,
	`is_count_enabled` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`machine_id`) REFERENCES `machines`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `gateway_tokens` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `gateway_tokens_hash` ON `gateway_tokens` (`token_hash`);--> statement-breakpoint
CREATE TABLE `login_attempts` (
	`key` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`window_start` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `login_attempts_window` ON `login_attempts` (`window_start`);--> statement-breakpoint
CREATE TABLE `machines` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`ref` text NOT NULL,
	`node_id` integer NOT NULL,
	`signal` text NOT NULL,
	`stop_after_seconds` real DEFAULT 120 NOT NULL,
	`no_data_after_seconds` real DEFAULT 300,
	`standard_cycle_seconds` real,
	`commissioned_at` integer NOT NULL,
	`decommissioned_at` integer,
	`config_version` integer DEFAULT 1 NOT NULL,
	`configured_version` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `machines_ref` ON `machines` (`company_id`,`ref`);--> statement-breakpoint
CREATE INDEX `machines_node` ON `machines` (`company_id`,`node_id`);--> statement-breakpoint
CREATE INDEX `machines_unconfigured` ON `machines` (`id`) WHERE configured_version < config_version and deleted_at is null;--> statement-breakpoint
CREATE TABLE `operator_plan_assignments` (
	`plan_id` text NOT NULL,
	`machine_id` integer NOT NULL,
	`shift_id` integer NOT NULL,
	`operator_id` integer NOT NULL,
	PRIMARY KEY(`plan_id`, `machine_id`, `shift_id`, `operator_id`),
	FOREIGN KEY (`plan_id`) REFERENCES `operator_plans`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`machine_id`) REFERENCES `machines`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`shift_id`) REFERENCES `shifts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`operator_id`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `operator_plan_assignments_machine` ON `operator_plan_assignments` (`machine_id`);--> statement-breakpoint
CREATE TABLE `operator_plans` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`file_id` text,
	`title` text NOT NULL,
	`since` integer NOT NULL,
	`until` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `operator_plans_company` ON `operator_plans` (`company_id`,`since`);--> statement-breakpoint
CREATE TABLE `operators` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`code` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `operators_code` ON `operators` (`company_id`,`code`);--> statement-breakpoint
CREATE TABLE `roster` (
	`machine_id` integer NOT NULL,
	`operator_id` integer NOT NULL,
	`shift_start` integer NOT NULL,
	`revision` integer NOT NULL,
	`shift_id` integer NOT NULL,
	`shift_end` integer NOT NULL,
	`uptime_ms` integer NOT NULL,
	`downtime_ms` integer NOT NULL,
	`units` integer NOT NULL,
	`sku_id` text,
	PRIMARY KEY(`machine_id`, `shift_start`, `operator_id`)
);
--> statement-breakpoint
CREATE TABLE `shift_records` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`company_id` integer NOT NULL,
	`machine_id` integer NOT NULL,
	`shift_id` integer NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`as_of` integer NOT NULL,
	`open_bucket` text,
	`open_is_annotated` integer NOT NULL,
	`available_ms` integer NOT NULL,
	`no_data_ms` integer NOT NULL,
	`programmed_ms` integer NOT NULL,
	`non_programmed_ms` integer NOT NULL,
	`other_ms` integer NOT NULL,
	`late_start_ms` integer NOT NULL,
	`non_programmed_since_available_ms` integer NOT NULL,
	`annotated_ms` integer NOT NULL,
	`cycles` integer NOT NULL,
	`total_units` integer NOT NULL,
	`defect_units` integer NOT NULL,
	`ideal_ms` real NOT NULL,
	`cycles_with_standard` integer NOT NULL,
	`lost_by_defects_ms` real NOT NULL,
	`standard_cycle_ms` real,
	`recent_units` integer NOT NULL,
	`recent_ms` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`no_data_spans` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `shift_records_start` ON `shift_records` (`start_at`,`id`);--> statement-breakpoint
CREATE INDEX `shift_records_company` ON `shift_records` (`company_id`,`start_at`,`id`);--> statement-breakpoint
CREATE INDEX `shift_records_machine` ON `shift_records` (`machine_id`,`start_at`);--> statement-breakpoint
CREATE TABLE `shifts` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`start` text NOT NULL,
	`end` text NOT NULL,
	`days` text NOT NULL,
	`breaks` text NOT NULL,
	`machine_ids` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `shifts_company` ON `shifts` (`company_id`);--> statement-breakpoint
CREATE TABLE `sku_standards` (
	`company_id` integer NOT NULL,
	`sku_id` text NOT NULL,
	`machine_id` integer DEFAULT 0 NOT NULL,
	`standard_cycle_seconds` real NOT NULL,
	PRIMARY KEY(`company_id`, `sku_id`, `machine_id`)
);
--> statement-breakpoint
CREATE TABLE `skus` (
	`company_id` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	PRIMARY KEY(`company_id`, `id`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `stop_causes` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`level` text NOT NULL,
	`parent_id` integer,
	`name` text NOT NULL,
	`is_programmed` integer DEFAULT false NOT NULL,
	`is_included_in_availability` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `stop_causes_company` ON `stop_causes` (`company_id`);--> statement-breakpoint
CREATE TABLE `stops` (
	`id` integer NOT NULL,
	`shift_start` integer NOT NULL,
	`revision` integer NOT NULL,
	`company_id` integer NOT NULL,
	`machine_id` integer NOT NULL,
	`shift_id` integer NOT NULL,
	`shift_end` integer NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer,
	`slice_start` integer NOT NULL,
	`slice_end` integer,
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
	`classified_at` integer,
	`reclassified_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	PRIMARY KEY(`id`, `shift_start`)
);
--> statement-breakpoint
CREATE INDEX `stops_slice` ON `stops` (`slice_start`,`id`,`shift_start`);--> statement-breakpoint
CREATE INDEX `stops_company` ON `stops` (`company_id`,`slice_start`,`id`);--> statement-breakpoint
CREATE INDEX `stops_machine` ON `stops` (`machine_id`,`slice_start`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`password_hash` text NOT NULL,
	`role` text NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`token_version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);