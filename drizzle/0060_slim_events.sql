-- Written by hand: a table without a rowid, whose rows drizzle-kit would copy by the names of columns that are gone.
CREATE TABLE `event_counters` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`dispatched_seq` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
-- Events keep their numbers, and with them the cursors of those who read them. New ones follow on the highest that any event or delivery has had.
INSERT INTO event_counters (company_id, dispatched_seq)
SELECT c.id, coalesce(
  (SELECT min(e.seq) - 1 FROM events AS e WHERE e.company_id = c.id AND e.dispatched_at IS NULL),
  max((SELECT coalesce(max(seq), 0) FROM events), (SELECT coalesce(max(event_seq), 0) FROM webhook_deliveries)))
FROM companies AS c;
--> statement-breakpoint
CREATE TABLE `__new_events` (
	`company_id` integer NOT NULL,
	`seq` integer NOT NULL,
	`machine_id` integer,
	`n` integer,
	`key` text,
	`type` integer NOT NULL,
	`line_id` integer,
	`at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`form` integer NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`company_id`, `seq`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
-- Their data stay as they are (form 0) until they are forgotten. The number of a machine's event is the end of its id; where an object began to number
-- anew, the newest event keeps it.
INSERT INTO `__new_events` (company_id, seq, machine_id, n, key, type, line_id, at, created_at, form, data)
SELECT company_id, seq, machine_id, iif(row_number() OVER (PARTITION BY machine_id, n ORDER BY seq DESC) = 1, n, NULL), id,
  CASE type WHEN 'stop.opened' THEN 1 WHEN 'stop.closed' THEN 2 WHEN 'stop.changed' THEN 3 WHEN 'stop.classified' THEN 4
    WHEN 'shift.closed' THEN 5 WHEN 'shift.revised' THEN 6 WHEN 'machine.no_data' THEN 7 WHEN 'machine.signal_back' THEN 8
    WHEN 'machine.counts_held' THEN 9 WHEN 'operator.signed_in' THEN 10 WHEN 'operator.signed_out' THEN 11 WHEN 'work_order.created' THEN 12
    WHEN 'work_order.started' THEN 13 WHEN 'work_order.late' THEN 14 WHEN 'work_order.completed' THEN 15 WHEN 'alert.opened' THEN 16
    WHEN 'alert.escalated' THEN 17 WHEN 'alert.acknowledged' THEN 18 WHEN 'alert.resolved' THEN 19 WHEN 'help.called' THEN 20 END,
  NULL, at, created_at, 0, data
FROM (SELECT *, iif((type GLOB 'stop.*' OR type GLOB 'shift.*' OR type GLOB 'machine.*' OR type GLOB 'operator.*')
    AND instr(id, ':' || machine_id || '-') > 0,
    CAST(substr(id, instr(id, ':' || machine_id || '-') + length(machine_id) + 2) AS INTEGER), NULL) AS n FROM events);
--> statement-breakpoint
DROP TABLE `events`;
--> statement-breakpoint
ALTER TABLE `__new_events` RENAME TO `events`;
--> statement-breakpoint
CREATE UNIQUE INDEX `events_machine` ON `events` (`machine_id`,`n`);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_key` ON `events` (`key`) WHERE key is not null;
