-- Written by hand: a table without a rowid.
CREATE TABLE `former_lines` (
	`line_id` integer NOT NULL,
	`machine_id` integer NOT NULL,
	PRIMARY KEY(`line_id`, `machine_id`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `hours_outside_shifts` ADD `line_id` integer;
