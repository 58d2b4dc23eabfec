-- Where an event is in the archive: which numbers a part has, and when they happened.
ALTER TABLE `archived_days` ADD `first_key` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
ALTER TABLE `archived_days` ADD `from_at` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `archived_days` ADD `to_at` integer DEFAULT 0 NOT NULL;
