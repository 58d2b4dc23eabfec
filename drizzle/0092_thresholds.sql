ALTER TABLE `companies` ADD `oee_thresholds` text;--> statement-breakpoint
ALTER TABLE `companies` ADD `availability_thresholds` text;--> statement-breakpoint
ALTER TABLE `companies` ADD `coverage_thresholds` text;--> statement-breakpoint
ALTER TABLE `machines` ADD `oee_thresholds` text;--> statement-breakpoint
ALTER TABLE `machines` ADD `availability_thresholds` text;--> statement-breakpoint
ALTER TABLE `machines` ADD `coverage_thresholds` text;