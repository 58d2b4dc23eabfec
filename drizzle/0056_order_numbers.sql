-- Parts of shifts name their work order by a number instead of a text of 36 characters.
ALTER TABLE `work_orders` ADD `number` integer;
--> statement-breakpoint
UPDATE work_orders SET number = place FROM (SELECT id AS order_id, row_number() OVER (ORDER BY created_at, id) AS place FROM work_orders) WHERE order_id = id;
--> statement-breakpoint
CREATE UNIQUE INDEX `work_orders_number` ON `work_orders` (`number`);
--> statement-breakpoint
-- Orders are never deleted from the table, so the next number was never used.
CREATE TRIGGER work_orders_numbered AFTER INSERT ON work_orders WHEN NEW.number IS NULL BEGIN
	UPDATE work_orders SET number = (SELECT coalesce(max(number), 0) + 1 FROM work_orders) WHERE id = NEW.id;
END;
--> statement-breakpoint
ALTER TABLE `shift_parts` ADD `work_order_number` integer;
--> statement-breakpoint
UPDATE shift_parts SET work_order_number = (SELECT number FROM work_orders WHERE id = work_order_id) WHERE work_order_id IS NOT NULL;
--> statement-breakpoint
ALTER TABLE `shift_parts` DROP COLUMN `work_order_id`;
