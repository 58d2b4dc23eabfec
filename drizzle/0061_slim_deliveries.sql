-- Written by hand: tables without a rowid, and a trigger.
ALTER TABLE `webhook_subscriptions` ADD `nr` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE webhook_subscriptions SET nr = (SELECT count(*) FROM webhook_subscriptions AS earlier
  WHERE earlier.company_id = webhook_subscriptions.company_id AND earlier.rowid <= webhook_subscriptions.rowid);
--> statement-breakpoint
CREATE INDEX `webhook_subscriptions_nr` ON `webhook_subscriptions` (`company_id`,`nr`);
--> statement-breakpoint
CREATE TRIGGER webhook_subscriptions_number AFTER INSERT ON webhook_subscriptions WHEN NEW.nr = 0 BEGIN
  UPDATE webhook_subscriptions SET nr = (SELECT max(nr) + 1 FROM webhook_subscriptions WHERE company_id = NEW.company_id) WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TABLE `__new_webhook_deliveries` (
	`company_id` integer NOT NULL,
	`subscription_nr` integer NOT NULL,
	`event_seq` integer NOT NULL,
	`machine_id` integer NOT NULL,
	`status` integer NOT NULL,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer,
	`updated_at` integer NOT NULL,
	`called_ms` integer,
	`duration_ms` integer,
	`answer_status` integer,
	PRIMARY KEY(`company_id`, `subscription_nr`, `event_seq`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_webhook_deliveries` (company_id, subscription_nr, event_seq, machine_id, status, attempts, next_attempt_at, updated_at, called_ms,
  duration_ms, answer_status)
SELECT d.company_id, s.nr, d.event_seq, d.machine_id, CASE d.status WHEN 'pending' THEN 0 WHEN 'succeeded' THEN 1 WHEN 'failed' THEN 2 ELSE 3 END,
  d.attempts, d.next_attempt_at, d.updated_at, d.updated_at - a.at, a.duration_ms, a.status
FROM webhook_deliveries AS d JOIN webhook_subscriptions AS s ON s.id = d.subscription_id
  LEFT JOIN webhook_attempts AS a ON d.status = 'succeeded' AND a.id = (SELECT max(last.id) FROM webhook_attempts AS last
    WHERE last.subscription_id = d.subscription_id AND last.event_seq = d.event_seq AND last.error IS NULL);
--> statement-breakpoint
CREATE TABLE `__new_webhook_attempts` (
	`company_id` integer NOT NULL,
	`subscription_nr` integer NOT NULL,
	`event_seq` integer NOT NULL,
	`at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`status` integer,
	`answer` text NOT NULL,
	`error` text NOT NULL,
	PRIMARY KEY(`company_id`, `subscription_nr`, `event_seq`, `at`)
) WITHOUT ROWID;
--> statement-breakpoint
-- The calls that succeeded are in their deliveries.
INSERT OR IGNORE INTO `__new_webhook_attempts` (company_id, subscription_nr, event_seq, at, duration_ms, status, answer, error)
SELECT s.company_id, s.nr, a.event_seq, a.at, a.duration_ms, a.status, a.answer, a.error
FROM webhook_attempts AS a JOIN webhook_subscriptions AS s ON s.id = a.subscription_id WHERE a.error IS NOT NULL;
--> statement-breakpoint
DROP TABLE `webhook_deliveries`;
--> statement-breakpoint
DROP TABLE `webhook_attempts`;
--> statement-breakpoint
ALTER TABLE `__new_webhook_deliveries` RENAME TO `webhook_deliveries`;
--> statement-breakpoint
ALTER TABLE `__new_webhook_attempts` RENAME TO `webhook_attempts`;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_pending` ON `webhook_deliveries` (`company_id`,`subscription_nr`,`machine_id`,`event_seq`) WHERE status = 0;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`next_attempt_at`) WHERE status = 0;
