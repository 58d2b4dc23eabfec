-- Indexes that no statement uses: `npm run indexes` finds such.
DROP INDEX `hours_outside_shifts_start`;--> statement-breakpoint
DROP INDEX `work_orders_by_code`;--> statement-breakpoint
DROP INDEX `subscription_logs_open`;
