-- WITHOUT ROWID is written by hand, as in 0053.
CREATE TABLE `import_errors` (
	`import_id` integer NOT NULL,
	`line` integer NOT NULL,
	`offset` integer NOT NULL,
	`member` text,
	`code` text NOT NULL,
	`message` text NOT NULL,
	PRIMARY KEY(`import_id`, `line`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `import_machines` (
	`import_id` integer NOT NULL,
	`machine_id` integer NOT NULL,
	`ended_at` integer,
	`withdrawn_at` integer,
	PRIMARY KEY(`import_id`, `machine_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`format` text NOT NULL,
	`state` text NOT NULL,
	`upload_id` text,
	`sha256` text,
	`bytes` integer DEFAULT 0 NOT NULL,
	`head` text,
	`offset` integer DEFAULT 0 NOT NULL,
	`line` integer DEFAULT 1 NOT NULL,
	`accepted` integer DEFAULT 0 NOT NULL,
	`duplicates` integer DEFAULT 0 NOT NULL,
	`held` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`reason` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`finished_at` integer,
	`undone_at` integer,
	`file_deleted_at` integer
);
--> statement-breakpoint
CREATE INDEX `imports_under_way` ON `imports` (`company_id`,`id`) WHERE state in ('receiving', 'waiting', 'running', 'undoing');--> statement-breakpoint
CREATE INDEX `imports_company` ON `imports` (`company_id`,`id`);--> statement-breakpoint
CREATE INDEX `imports_files` ON `imports` (`created_at`) WHERE file_deleted_at is null;