-- With a record go its parts and its operators' shares: they say the same in more detail.
CREATE TRIGGER shift_records_divided AFTER DELETE ON shift_records BEGIN
	DELETE FROM shift_parts WHERE machine_id = OLD.machine_id AND start_at >= OLD.start_at AND start_at < OLD.end_at
		AND shift_start = OLD.start_at;
	DELETE FROM operator_shifts WHERE machine_id = OLD.machine_id AND shift_start = OLD.start_at;
END;
