-- Never holds a row: inserting 1 does nothing, inserting anything else fails the whole batch. See src/db/expect.ts.
CREATE TABLE `expect` (`holds` integer);
--> statement-breakpoint
CREATE TRIGGER `expect_holds` BEFORE INSERT ON `expect`
BEGIN
  SELECT RAISE(ABORT, 'stale_read') WHERE NEW.`holds` IS NOT 1;
  SELECT RAISE(IGNORE);
END;
