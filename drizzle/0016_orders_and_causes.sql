CREATE TABLE `__new_work_order_progress` (
	`id` text PRIMARY KEY NOT NULL,
	`work_order_id` text NOT NULL,
	`sku_id` text,
	`correct` real,
	`defects` real,
	`mode` text NOT NULL,
	`status` text NOT NULL,
	`machine_id` integer,
	`operator_id` integer,
	`user_id` integer NOT NULL,
	`comment` text,
	`occurred_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`work_order_id`) REFERENCES `work_orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_work_order_progress`("id", "work_order_id", "sku_id", "correct", "defects", "mode", "status", "machine_id", "operator_id", "user_id", "comment", "occurred_at", "created_at") SELECT "id", "work_order_id", "sku_id", "correct", "defects", "mode", "status", "machine_id", "operator_id", "user_id", "comment", "occurred_at", "created_at" FROM `work_order_progress`;--> statement-breakpoint
DROP TABLE `work_order_progress`;--> statement-breakpoint
ALTER TABLE `__new_work_order_progress` RENAME TO `work_order_progress`;--> statement-breakpoint
CREATE INDEX `work_order_progress_order` ON `work_order_progress` (`work_order_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `__new_stop_causes` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`level` text NOT NULL,
	`parent_id` integer,
	`name` text NOT NULL,
	`is_programmed` integer,
	`is_included_in_availability` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_stop_causes`("id", "company_id", "level", "parent_id", "name", "is_programmed", "is_included_in_availability", "created_at", "updated_at", "deleted_at") SELECT "id", "company_id", "level", "parent_id", "name", "is_programmed", "is_included_in_availability", "created_at", "updated_at", "deleted_at" FROM `stop_causes`;--> statement-breakpoint
DROP TABLE `stop_causes`;--> statement-breakpoint
ALTER TABLE `__new_stop_causes` RENAME TO `stop_causes`;--> statement-breakpoint
CREATE INDEX `stop_causes_company` ON `stop_causes` (`company_id`);--> statement-breakpoint
CREATE INDEX `stop_causes_parent` ON `stop_causes` (`parent_id`);--> statement-breakpoint
-- What was not said of a specific cause was stored as these values.
UPDATE stop_causes SET is_programmed = NULL WHERE level = 'specific' AND is_programmed = 0;--> statement-breakpoint
UPDATE stop_causes SET is_included_in_availability = NULL WHERE level = 'specific' AND is_included_in_availability = 1;--> statement-breakpoint
-- Of causes with one name under one parent the first keeps it.
UPDATE stop_causes SET name = substr(name, 1, 180) || ' (' || id || ')' WHERE deleted_at IS NULL AND EXISTS (
  SELECT 1 FROM stop_causes AS earlier WHERE earlier.company_id = stop_causes.company_id AND earlier.level = stop_causes.level
    AND earlier.parent_id IS stop_causes.parent_id AND earlier.name = stop_causes.name AND earlier.deleted_at IS NULL
    AND earlier.id < stop_causes.id);--> statement-breakpoint
CREATE UNIQUE INDEX `stop_causes_name` ON `stop_causes` (`company_id`,`level`,`parent_id`,`name`) WHERE deleted_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX `stop_causes_top_name` ON `stop_causes` (`company_id`,`level`,`name`) WHERE parent_id is null and deleted_at is null;--> statement-breakpoint
ALTER TABLE `work_order_targets` ADD `defects_stated_at` integer;--> statement-breakpoint
-- Of runs that ended before ends were kept: the next run of the machine began then or later.
UPDATE order_runs SET end_at = (SELECT min(later.start_at) FROM order_runs AS later
  WHERE later.machine_id = order_runs.machine_id AND later.start_at > order_runs.start_at) WHERE end_at IS NULL;
