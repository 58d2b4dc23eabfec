ALTER TABLE `audit` ADD `request_id` text;--> statement-breakpoint
CREATE INDEX `audit_age` ON `audit` (`at`);--> statement-breakpoint
CREATE INDEX `notifications_age` ON `notifications` (`created_at`);--> statement-breakpoint
-- What was written down stays as it was written, until it is old enough to be forgotten.
CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'audit is append only'); END;--> statement-breakpoint
CREATE TRIGGER audit_kept BEFORE DELETE ON audit WHEN OLD.at > (unixepoch() - 30 * 86400) * 1000 BEGIN SELECT RAISE(ABORT, 'audit is append only'); END;
