ALTER TABLE `messages` ADD `contact_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ADD `language` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `started_at` integer;--> statement-breakpoint
ALTER TABLE `messages` ADD `digest_id` text;--> statement-breakpoint
CREATE INDEX `messages_started` ON `messages` (`contact_id`,`started_at`) WHERE started_at is not null;