-- What runs of orders made that are deleted with their shifts.
CREATE TABLE `deleted_run_totals` (
	`work_order_id` text NOT NULL,
	`sku_id` text NOT NULL,
	`correct` integer NOT NULL,
	`defects` integer NOT NULL,
	`correct_outside_shifts` integer NOT NULL,
	`last_end_at` integer NOT NULL,
	PRIMARY KEY(`work_order_id`, `sku_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `deleted_runs` (
	`machine_id` integer PRIMARY KEY NOT NULL,
	`last_end_at` integer NOT NULL
);
