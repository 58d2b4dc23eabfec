ALTER TABLE `companies` ADD `currency` text DEFAULT 'EUR' NOT NULL;--> statement-breakpoint
ALTER TABLE `machines` ADD `hourly_rate` real;