ALTER TABLE `stop_classifications` ADD `machine_ids` text;--> statement-breakpoint
ALTER TABLE `stop_classifications` ADD `undone_by` integer;--> statement-breakpoint
ALTER TABLE `stop_classifications` ADD `undone_request_id` text;--> statement-breakpoint
ALTER TABLE `stop_classifications` ADD `undone_at` integer;--> statement-breakpoint
ALTER TABLE `stop_classifications` ADD `undone` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `stop_classifications` ADD `kept` integer DEFAULT 0 NOT NULL;