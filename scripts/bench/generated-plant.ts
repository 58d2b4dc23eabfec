import { DatabaseSync } from "node:sqlite";
import { recordId } from "../../src/core/record-id.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/oee/time.ts";

/** The size of a generated plant. */
export interface PlantShape {
  companies: number;
  machinesPerCompany: number;
  /** Three shifts a day, back from the plant's end. */
  shiftsPerMachine: number;
  /** Stops of a machine in successive shifts. */
  stopsPerShift: readonly number[];
  /** Times without data in each shift record. */
  noDataSpansPerShift: number;
  ordersPerCompany: number;
  /** The number of days, back from the plant's end, for which the first company has parts of shifts, one an hour, and shares of operators. */
  partsDays: number;
}

/**
 * 20 companies, 2,000 machines, 300,000 shift records with 3,000,000 times without data, 1,000,000 stops, 50,000 orders; 216,000 parts of
 * shifts and 54,000 shares of operators.
 */
export const large: PlantShape = {
  companies: 20,
  machinesPerCompany: 100,
  shiftsPerMachine: 150,
  stopsPerShift: [3, 3, 4],
  noDataSpansPerShift: 10,
  ordersPerCompany: 2500,
  partsDays: 90,
};

/** 10,000 stops of 200 machines in five days. */
export const small: PlantShape = { ...large, companies: 2, shiftsPerMachine: 15, ordersPerCompany: 100, partsDays: 5 };

export const SHIFT_MS = 8 * HOUR_MS;
const MACHINES_PER_NODE = 20;

/**
 * Fills an empty, migrated database file with a plant whose rows only differ in their numbers, so that a query's cost
 * depends on its shape. The same arguments produce the same plant.
 * @param until the end of its last shift, epoch ms; a multiple of 8 h
 */
export function generatePlant(databaseFile: string, shape: PlantShape, until: number): void {
  const db = new DatabaseSync(databaseFile);
  const since = until - shape.shiftsPerMachine * SHIFT_MS;
  db.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; BEGIN");
  db.exec(setUpSql(shape, since));
  db.exec(recordsSql(shape, since));
  db.exec(stopsSql(shape, since));
  db.exec(ordersSql(shape, since));
  db.exec(partsSql(shape, until));
  db.exec(operatorShiftsSql(shape, until));
  db.exec("COMMIT; PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}

/** The rows 0, 1, ... below a number, as a table of a recursive WITH. */
function upTo(rows: number, name = "n"): string {
  return `${name}(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM ${name} WHERE n + 1 < ${rows})`;
}

/** The companies of a plant with their shifts, causes, SKUs, operators, machines and sensors. */
export function setUpSql(
  { companies, machinesPerCompany }: Pick<PlantShape, "companies" | "machinesPerCompany">,
  since: number,
): string {
  const stamps = `${since}, ${since}`;
  return `
    WITH RECURSIVE ${upTo(companies)} INSERT INTO companies (id, name, timezone, created_at, updated_at)
      SELECT n + 1, 'Company ' || (n + 1), 'UTC', ${stamps} FROM n;
    WITH RECURSIVE ${upTo(companies * 3)} INSERT INTO shifts (id, company_id, name, start, "end", days, breaks, created_at, updated_at)
      SELECT n + 1, 1 + n / 3, 'Shift ' || (n % 3 + 1), printf('%02d:00', n % 3 * 8), printf('%02d:00', (n + 1) % 3 * 8),
        '[1,2,3,4,5,6,7]', '[]', ${stamps} FROM n;
    WITH RECURSIVE ${upTo(companies * 8)} INSERT INTO stop_causes (id, company_id, level, name, created_at, updated_at)
      SELECT n + 1, 1 + n / 8, 'general', 'Cause ' || (n % 8 + 1), ${stamps} FROM n;
    WITH RECURSIVE ${upTo(companies)} INSERT INTO skus (company_id, id, name, created_at, updated_at)
      SELECT n + 1, 'SKU', 'Product', ${stamps} FROM n;
    WITH RECURSIVE ${upTo(companies * 10)} INSERT INTO operators (id, company_id, name, code, created_at, updated_at)
      SELECT n + 1, 1 + n / 10, 'Operator ' || (n + 1), 'OP-' || n, ${stamps} FROM n;
    WITH RECURSIVE ${upTo(companies * machinesPerCompany)}
      INSERT INTO machines (id, company_id, name, ref, node_id, signal, standard_cycle_seconds, commissioned_at, configured_version,
        created_at, updated_at)
      SELECT n + 1, 1 + n / ${machinesPerCompany}, 'Machine ' || (n + 1), 'M-' || (n + 1),
        1 + n % ${machinesPerCompany} / ${MACHINES_PER_NODE}, 'counts', 10, ${since}, 1, ${stamps} FROM n;
    INSERT INTO count_sensors (machine_id, is_count_enabled, updated_at) SELECT id, 1, created_at FROM machines;
    INSERT INTO count_channels (company_id, node_id, channel, machine_id, type, counting_factor)
      SELECT company_id, node_id, 1 + (id - 1) % ${MACHINES_PER_NODE}, id, 'total', 1 FROM machines;`;
}

/** Every machine in every shift, as a table of a WITH. Shifts of all machines begin at the same times. */
function runs({ machinesPerCompany, shiftsPerMachine }: PlantShape, since: number): string {
  return `${upTo(shiftsPerMachine, "shift")},
    run AS (SELECT machines.id AS machine_id, 1 + (machines.id - 1) / ${machinesPerCompany} AS company_id, shift.n AS shift_no,
      ${since} + shift.n * ${SHIFT_MS} AS start FROM machines, shift)`;
}

/** The definition of a row's shift. */
function shiftIdOf(start: string): string {
  return `(company_id - 1) * 3 + ${start} % ${DAY_MS} / ${SHIFT_MS} + 1`;
}

function recordsSql(shape: PlantShape, since: number): string {
  const { noDataSpansPerShift } = shape;
  const spans = Array.from({ length: noDataSpansPerShift }, (_, i) => {
    const start = `start + ${(i * SHIFT_MS) / noDataSpansPerShift}`;
    return `json_array(${start}, ${start} + ${MINUTE_MS})`;
  });
  const noDataMs = noDataSpansPerShift * MINUTE_MS;
  return `
    WITH RECURSIVE ${runs(shape, since)}
      INSERT INTO shift_records (id, revision, company_id, machine_id, shift_id, start_at, end_at, as_of, open_bucket, open_is_annotated,
        available_ms, no_data_ms, programmed_ms, non_programmed_ms, other_ms, late_start_ms, non_programmed_since_available_ms,
        annotated_ms, cycles, total_units, defect_units, ideal_ms, cycles_with_standard, lost_by_defects_ms, standard_cycle_ms,
        recent_units, recent_ms, created_at, updated_at, no_data_spans)
      SELECT machine_id * ${recordId(1, 0)} + shift_no + 1, 1, company_id, machine_id, ${shiftIdOf("start")},
        start, start + ${SHIFT_MS}, start + ${SHIFT_MS}, NULL, 0, ${SHIFT_MS - HOUR_MS}, ${noDataMs}, 0, ${HOUR_MS - noDataMs}, 0, 0, 0, 0,
        2400, 2400 + machine_id % 100, 10, 24000000, 2400, 100000, 10000, 50, 600000, start, start, json_array(${spans.join(", ")})
      FROM run;`;
}

/** One stop in four is programmed, every other one classified, one in twenty deleted. Stops at one time are of all kinds: all pages are alike. */
function stopsSql(shape: PlantShape, since: number): string {
  const { stopsPerShift } = shape;
  const perCycle = stopsPerShift.reduce((sum, stops) => sum + stops, 0);
  const before = stopsPerShift.map((_, i) => stopsPerShift.slice(0, i).reduce((sum, stops) => sum + stops, 0));
  const places = stopsPerShift.flatMap((stops, shift) => Array.from({ length: stops }, (_, place) => [shift, place]));
  return `
    WITH RECURSIVE ${runs(shape, since)},
      place AS (SELECT value ->> 0 AS shift_in_cycle, value ->> 1 AS place FROM json_each('${JSON.stringify(places)}')),
      numbered AS (SELECT run.*, place,
        shift_no / ${stopsPerShift.length} * ${perCycle} + '${JSON.stringify(before)}' ->> shift_in_cycle + place + 1 AS number
        FROM run JOIN place ON shift_in_cycle = shift_no % ${stopsPerShift.length}),
      -- Each machine's stops lie a little beside those of the others.
      stop AS (SELECT numbered.*, machine_id * ${recordId(1, 0)} + number AS id,
        start + (place * 2 + 1) * ${HOUR_MS} + machine_id * 7919 % ${50 * MINUTE_MS} AS at, number + machine_id / 20 AS kind FROM numbered)
      INSERT INTO stops (id, shift_start, revision, company_id, machine_id, shift_id, shift_ms, before_slice_ms, duration_ms, slice_start, slice_ms,
        is_manual, is_programmed, is_included_in_stops, is_included_in_availability, classification_id, general_cause_id, classified_after_ms,
        created_after_ms, updated_after_ms, deleted_at)
      SELECT id, start, 1, company_id, machine_id, ${shiftIdOf("start")}, ${SHIFT_MS}, 0, ${5 * MINUTE_MS}, at, ${5 * MINUTE_MS},
        0, kind % 4 = 0, 1, 1, iif(kind % 2, id, NULL), iif(kind % 2, (company_id - 1) * 8 + kind % 8 + 1, NULL),
        iif(kind % 2, at - start, NULL), at - start, at - start, iif((number + machine_id) % 20 = 0, at + ${10 * MINUTE_MS}, NULL)
      FROM stop;`;
}

function ordersSql({ companies, machinesPerCompany, ordersPerCompany }: PlantShape, since: number): string {
  return `
    WITH RECURSIVE ${upTo(companies * ordersPerCompany)}
      INSERT INTO work_orders (id, company_id, code, name, status, priority, source, created_at, updated_at)
      SELECT 'order-' || (n + 1), 1 + n / ${ordersPerCompany}, 'WO-' || n, 'Order ' || n, iif(n % 10, 'Completed', 'InProgress'), 1, 'erp',
        ${since} + n * 1000, ${since} + n * 1000 FROM n;
    INSERT INTO work_order_targets (work_order_id, sku_id, target_quantity, created_at, updated_at)
      SELECT id, 'SKU', 1000, ${since}, ${since} FROM work_orders;
    INSERT INTO work_order_machines (work_order_id, machine_id)
      SELECT id, (company_id - 1) * ${machinesPerCompany} + 1 + substr(id, 7) % ${machinesPerCompany} FROM work_orders;`;
}

/** The first company's machines in every hour of its days with parts, in minutes: 51 available, 2 without data, 7 stopped. Orders change every hour. */
function partsSql({ machinesPerCompany, ordersPerCompany, partsDays }: PlantShape, until: number): string {
  const since = until - partsDays * DAY_MS;
  const fiveMinutes = Array(12)
    .fill(`25/${4.5 * MINUTE_MS}`)
    .join(" ");
  return `
    WITH RECURSIVE ${upTo(partsDays * 24, "hour")},
      part AS (SELECT machines.id AS machine_id, 1 AS company_id, hour.n AS hour_no, ${since} + hour.n * ${HOUR_MS} AS start,
        ${since} + hour.n / ${SHIFT_MS / HOUR_MS} * ${SHIFT_MS} AS shift_start
        FROM machines, hour WHERE machines.id <= ${machinesPerCompany})
      INSERT INTO shift_parts (machine_id, start_at, duration_ms, revision, company_id, shift_id, into_shift_ms, shift_left_ms, into_hour_ms, sku_id,
        work_order_number, as_of, open_bucket, open_is_annotated, available_ms, no_data_ms, programmed_ms, non_programmed_ms, other_ms,
        annotated_ms, cycles, total_units, defect_units, ideal_ms, cycles_with_standard, lost_by_defects_ms, unit_standard_ms, five_minutes)
      SELECT machine_id, start, ${HOUR_MS}, 1, company_id, ${shiftIdOf("shift_start")}, start - shift_start,
        shift_start + ${SHIFT_MS} - start, 0, 'SKU', (machine_id + hour_no) % ${ordersPerCompany} + 1, NULL, NULL, 0,
        ${51 * MINUTE_MS}, ${2 * MINUTE_MS}, ${2 * MINUTE_MS}, ${5 * MINUTE_MS}, 0, ${MINUTE_MS}, 300, 300 + machine_id % 10, 2,
        3000000, 300, 20000, 10000, '${fiveMinutes}'
      FROM part;`;
}

/** Two operators in each shift of the first company's machines, in the days with parts. */
function operatorShiftsSql({ machinesPerCompany, partsDays }: PlantShape, until: number): string {
  const shifts = (partsDays * DAY_MS) / SHIFT_MS;
  return `
    WITH RECURSIVE ${upTo(shifts, "shift")},
      share AS (SELECT machines.id AS machine_id, 1 AS company_id, shift.n AS shift_no, place.value AS place,
        ${until - shifts * SHIFT_MS} + shift.n * ${SHIFT_MS} AS start
        FROM machines, shift, json_each('[0,5]') AS place WHERE machines.id <= ${machinesPerCompany})
      INSERT INTO operator_shifts (machine_id, shift_start, operator_id, revision, company_id, shift_id, shift_end, uptime_ms, downtime_ms,
        units, sku_id)
      SELECT machine_id, start, (machine_id + shift_no + place) % 10 + 1, 1, company_id, ${shiftIdOf("start")}, start + ${SHIFT_MS},
        ${SHIFT_MS - HOUR_MS}, ${30 * MINUTE_MS}, 2400, 'SKU'
      FROM share;`;
}
