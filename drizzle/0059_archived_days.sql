-- Which parts of which days are in the archive.
CREATE TABLE `archived_days` (
	`company_id` integer NOT NULL,
	`kind` text NOT NULL,
	`day` integer NOT NULL,
	`part` integer NOT NULL,
	`rows` integer NOT NULL,
	`bytes` integer NOT NULL,
	`last_key` text NOT NULL,
	PRIMARY KEY(`company_id`, `kind`, `day`, `part`)
) WITHOUT ROWID;
