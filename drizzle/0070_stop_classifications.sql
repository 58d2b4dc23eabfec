CREATE TABLE `stop_classifications` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`user_id` integer NOT NULL,
	`api_token_id` integer,
	`request_id` text NOT NULL,
	`what` text NOT NULL,
	`total` integer NOT NULL,
	`classified` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`left_out` text NOT NULL,
	`waiting` text NOT NULL,
	`next_at` integer,
	`ended_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `stop_classifications_company` ON `stop_classifications` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `stop_classifications_next` ON `stop_classifications` (`next_at`) WHERE next_at is not null;