-- WITHOUT ROWID is written by hand, as in 0053.
CREATE TABLE `book_closing_machines` (
	`closing_id` integer NOT NULL,
	`machine_id` integer NOT NULL,
	`state` text NOT NULL,
	`waits_for` text,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`closing_id`, `machine_id`),
	FOREIGN KEY (`closing_id`) REFERENCES `book_closings`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`machine_id`) REFERENCES `machines`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `book_closings` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`from_at` integer NOT NULL,
	`to_at` integer NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`is_forced` integer NOT NULL,
	`findings` text NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` integer,
	`ended_at` integer,
	`failure` text,
	`sums` text,
	`reopened_at` integer,
	`reopened_by` integer,
	`reopen_reason` text,
	`next_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `book_closings_company` ON `book_closings` (`company_id`,`id`);--> statement-breakpoint
CREATE INDEX `book_closings_due` ON `book_closings` (`company_id`,`next_at`) WHERE next_at is not null;--> statement-breakpoint
CREATE TABLE `books` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`locked_to` integer DEFAULT 0 NOT NULL,
	`closing_to` integer
);
