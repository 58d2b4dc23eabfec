CREATE TABLE `event_withdrawals` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`company_id` integer NOT NULL,
	`machine_id` integer NOT NULL,
	`from_at` integer NOT NULL,
	`to_at` integer NOT NULL,
	`filter` text NOT NULL,
	`reason` text NOT NULL,
	`events` integer NOT NULL,
	`user_id` integer NOT NULL,
	`api_token_id` integer,
	`restored_at` integer,
	`restored_by` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `event_withdrawals_company` ON `event_withdrawals` (`company_id`,`from_at`,`id`);--> statement-breakpoint
CREATE INDEX `event_withdrawals_machine` ON `event_withdrawals` (`machine_id`,`from_at`,`id`);