-- The kind of alert "micro_stops" is "short_stops", and the status "folded" of a message is "digested": see docs/glossary.md. Machines with such a
-- rule read their set-up again.
UPDATE machines SET config_version = config_version + 1
WHERE company_id IN (SELECT company_id FROM alert_rules WHERE kind = 'micro_stops' AND deleted_at IS NULL);
--> statement-breakpoint
UPDATE alert_rules SET kind = 'short_stops' WHERE kind = 'micro_stops';
--> statement-breakpoint
UPDATE messages SET status = 'digested' WHERE status = 'folded';
--> statement-breakpoint
UPDATE messages SET params = replace(params, '"kind":"micro_stops"', '"kind":"short_stops"')
WHERE status IN ('pending', 'held') AND params LIKE '%"kind":"micro_stops"%';
