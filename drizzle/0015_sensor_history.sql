-- The channels get a history. What is set up holds since ever: nothing tells since when it does.
CREATE TABLE `__new_count_channels` (
	`company_id` integer NOT NULL,
	`node_id` integer NOT NULL,
	`channel` integer NOT NULL,
	`since` integer DEFAULT 0 NOT NULL,
	`until` integer,
	`machine_id` integer NOT NULL,
	`type` text NOT NULL,
	`counting_factor` real NOT NULL,
	`is_counted` integer DEFAULT true NOT NULL,
	PRIMARY KEY(`company_id`, `node_id`, `channel`, `since`),
	FOREIGN KEY (`machine_id`) REFERENCES `machines`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_count_channels`("company_id", "node_id", "channel", "since", "until", "machine_id", "type", "counting_factor", "is_counted")
SELECT count_channels."company_id", "node_id", "channel", 0, NULL, count_channels."machine_id", "type", "counting_factor", "is_count_enabled"
FROM `count_channels` JOIN `count_sensors` ON count_sensors."machine_id" = count_channels."machine_id";--> statement-breakpoint
DROP TABLE `count_channels`;--> statement-breakpoint
ALTER TABLE `__new_count_channels` RENAME TO `count_channels`;--> statement-breakpoint
CREATE UNIQUE INDEX `count_channels_open` ON `count_channels` (`company_id`,`node_id`,`channel`) WHERE "until" is null;--> statement-breakpoint
CREATE INDEX `count_channels_node` ON `count_channels` (`company_id`,`node_id`,`until`);--> statement-breakpoint
CREATE INDEX `count_channels_machine` ON `count_channels` (`machine_id`,`until`);