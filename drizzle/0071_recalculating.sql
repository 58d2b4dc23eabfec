-- WITHOUT ROWID is written by hand, as in 0053.
CREATE TABLE `recalculation_slots` (
	`company_id` integer NOT NULL,
	`slot` integer NOT NULL,
	`machine_id` integer NOT NULL,
	`until` integer NOT NULL,
	PRIMARY KEY(`company_id`, `slot`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `machines` ADD `recalculating_from` integer;--> statement-breakpoint
ALTER TABLE `machines` ADD `recalculating_to` integer;--> statement-breakpoint
ALTER TABLE `machines` ADD `recalculating_revision` integer;--> statement-breakpoint
CREATE INDEX `machines_recalculating` ON `machines` (`company_id`) WHERE recalculating_from is not null;