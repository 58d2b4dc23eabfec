ALTER TABLE `wall_pairings` ADD `name` text;--> statement-breakpoint
ALTER TABLE `wall_pairings` ADD `created_by` integer;