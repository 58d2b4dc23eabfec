CREATE TABLE `followed` (
	`database` integer NOT NULL,
	`kind` text NOT NULL,
	`until` integer NOT NULL,
	`id` integer NOT NULL,
	PRIMARY KEY(`database`, `kind`)
);
--> statement-breakpoint
CREATE TABLE `homes` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`database` integer NOT NULL,
	`jurisdiction` text,
	`state` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `logins` (
	`email` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`company_id` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `logins_user` ON `logins` (`user_id`);--> statement-breakpoint
CREATE TABLE `token_homes` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL
);
