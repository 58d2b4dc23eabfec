-- Stores nothing: an inserted value other than 1 fails its whole batch. See src/db/expect.ts.
CREATE VIEW `expect` AS SELECT 1 AS `holds`;
--> statement-breakpoint
CREATE TRIGGER `expect_holds` INSTEAD OF INSERT ON `expect` WHEN NEW.`holds` IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'stale_read');
END;
