ALTER TABLE `help_calls` ADD `called_by_name` text;--> statement-breakpoint
ALTER TABLE `help_calls` ADD `answered_by_name` text;