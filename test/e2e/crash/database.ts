import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { type EventRow, eventOf } from "../../../src/events/stored.ts";

/** Reads a copy of a state folder's database as a kill left it. The table `published` has the events as they are published, without names. */
export function readKilled<T>(stateFolder: string, read: (query: (sql: string) => Record<string, unknown>[]) => T): T {
  const { folder, file } = databaseIn(stateFolder);
  const copy = mkdtempSync(join(tmpdir(), "andon-killed-"));
  try {
    for (const part of [file, `${file}-wal`]) {
      if (existsSync(join(folder, part))) copyFileSync(join(folder, part), join(copy, part));
    }
    const database = new DatabaseSync(join(copy, file));
    database.function("event_of", { deterministic: true }, (row) => JSON.stringify(eventOf(JSON.parse(String(row)) as EventRow)));
    let isPublished = false;
    try {
      return read((sql) => {
        // Once for all queries: there are many events.
        if (sql.includes("published") && !isPublished) {
          database.exec(publishedTable);
          isPublished = true;
        }
        return database.prepare(sql).all();
      });
    } finally {
      database.close();
    }
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function databaseIn(stateFolder: string): { folder: string; file: string } {
  const folder = join(stateFolder, "v3/d1/miniflare-D1DatabaseObject");
  const file = readdirSync(folder).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name));
  if (!file) throw new Error(`No database in ${folder}`);
  return { folder, file };
}

/** Has a minute pass for a service that is down: whoever had taken a task has lost it by then, and the next cron has it go on. */
export function passMinute(stateFolder: string): void {
  const { folder, file } = databaseIn(stateFolder);
  const database = new DatabaseSync(join(folder, file));
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const tasks = ["book_closings", "recalculations", "stop_classifications"].filter((name) =>
      tables.some((table) => table.name === name),
    );
    for (const name of tasks) database.exec(`UPDATE ${name} SET next_at = next_at - 60000 WHERE next_at > 60000`);
  } finally {
    database.close();
  }
}

/** What goes on by itself after a restart: the operation that begins it, and a query that finds what is under way. */
export const underWay: Record<string, { begunBy: string; query: string }> = {
  "an import": { begunBy: "createImport", query: "SELECT id FROM imports WHERE state IN ('waiting', 'running')" },
  "the undoing of an import": { begunBy: "undoImport", query: "SELECT id FROM imports WHERE state = 'undoing'" },
  "a recalculation": { begunBy: "createRecalculation", query: "SELECT id FROM recalculations WHERE ended_at IS NULL" },
  "a bulk classification": {
    begunBy: "classifyStops",
    query: "SELECT id FROM stop_classifications WHERE state = 'running'",
  },
  "the undoing of a bulk classification": {
    begunBy: "undoStopClassification",
    query: "SELECT id FROM stop_classifications WHERE state = 'undoing'",
  },
  "a closing of books": { begunBy: "createBookClosing", query: "SELECT id FROM book_closings WHERE state = 'closing'" },
  "a reopening of books": {
    begunBy: "reopenBookClosing",
    query: "SELECT id FROM book_closings WHERE state = 'reopened' AND next_at > 0",
  },
};

/** Whether one of some tasks is under way. */
export function isUnderWay(names: readonly string[], query: (sql: string) => object[]): boolean {
  return names.some((name) => query(underWay[name]?.query ?? "").length > 0);
}

/** Waits until one of some tasks is under way in a service that runs, or until the writes that may begin them are answered. */
export async function untilUnderWay(stateFolder: string, names: readonly string[], answered: Promise<unknown>): Promise<void> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  answered.then(end, end);
  for (; !isOver; await sleep(5)) {
    try {
      if (readKilled(stateFolder, (query) => isUnderWay(names, query))) return;
    } catch {
      // What was copied while it was written cannot always be read.
    }
  }
}

const publishedTable = `CREATE TEMP TABLE published AS
  SELECT seq, company_id, machine_id, event->>'id' AS id, event->>'type' AS type, event->'data' AS data FROM (
    SELECT seq, company_id, machine_id, event_of(json_object('companyId', company_id, 'seq', seq, 'machineId', machine_id, 'n', n, 'key', key,
      'type', type, 'lineId', line_id, 'at', at, 'createdAt', created_at, 'form', form, 'data', data)) AS event FROM events)`;

/** Inconsistencies that an interrupted write must never leave, each as a query that must find nothing. */
export const halfWritten: Record<string, string> = {
  "an order without a target": "SELECT id FROM work_orders WHERE id NOT IN (SELECT work_order_id FROM work_order_targets)",
  "an order without a machine": "SELECT id FROM work_orders WHERE id NOT IN (SELECT work_order_id FROM work_order_machines)",
  "progress that the targets do not sum up to": `
    SELECT id FROM work_orders AS o
    WHERE (SELECT sum(reported_correct) FROM work_order_targets WHERE work_order_id = o.id)
      <> (SELECT coalesce(sum(correct), 0) FROM work_order_progress WHERE work_order_id = o.id)`,
  "a shift record that its stops do not sum up to": `
    SELECT r.id FROM shift_records AS r
    WHERE r.programmed_ms + r.non_programmed_ms + r.other_ms <>
      (SELECT coalesce(sum(s.slice_end - s.slice_start), 0) FROM stops AS s
       WHERE s.machine_id = r.machine_id AND s.shift_start = r.start_at AND s.deleted_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM stops AS s WHERE s.machine_id = r.machine_id AND s.slice_end IS NULL)
      AND r.open_bucket IS NULL`,
  "a shift record that its parts do not sum up to": `
    SELECT r.id FROM shift_records AS r LEFT JOIN (SELECT machine_id, shift_start, sum(available_ms) AS available_ms, sum(no_data_ms) AS no_data_ms,
        sum(programmed_ms + non_programmed_ms + other_ms) AS stopped_ms, sum(total_units) AS total_units, sum(defect_units) AS defect_units
      FROM shift_parts GROUP BY 1, 2) AS p ON p.machine_id = r.machine_id AND p.shift_start = r.start_at
    WHERE r.open_bucket IS NULL AND (p.available_ms, p.no_data_ms, p.stopped_ms, p.total_units, p.defect_units)
      IS NOT (r.available_ms, r.no_data_ms, r.programmed_ms + r.non_programmed_ms + r.other_ms, r.total_units, r.defect_units)`,
  "an archived dashboard without an audit row": `
    SELECT id FROM dashboards WHERE archived_at IS NOT NULL
      AND id NOT IN (SELECT object_id FROM audit WHERE action = 13 * 256 + 9)`,
  "an edited stop without an audit row": `
    SELECT id FROM stops WHERE version > 0 AND is_manual AND deleted_at IS NULL
      AND machine_id NOT IN (SELECT CAST(object_id AS INTEGER) / 67108864 FROM audit WHERE kind = 18)`,
  "a sensor without its channel":
    "SELECT machine_id FROM count_sensors WHERE machine_id NOT IN (SELECT machine_id FROM count_channels WHERE until IS NULL)",
  "events of a machine that are not all there, once each, in their order": `
    SELECT machine_id FROM (SELECT machine_id, row_number() OVER (PARTITION BY machine_id ORDER BY seq) AS place,
        CAST(substr(id, length(rtrim(id, '0123456789')) + 1) AS INTEGER) AS number
      FROM published WHERE id GLOB '*:[0-9]*-[0-9]*' AND machine_id IS NOT NULL AND type NOT GLOB 'alert.*')
    WHERE place <> number`,
  "a stop that is not what its last event says": `
    SELECT s.id FROM stops AS s JOIN (SELECT data->>'stopId' AS stop_id, data->>'since' AS since, data->>'until' AS until,
        data->>'isRemoved' AS is_removed, max(seq) FROM published WHERE type GLOB 'stop.*' GROUP BY 1) AS published ON published.stop_id = s.id
    WHERE s.deleted_at IS NULL AND (is_removed IS 1 OR strftime('%Y-%m-%dT%H:%M:%fZ', s.start_at / 1000.0, 'unixepoch') <> since
      OR strftime('%Y-%m-%dT%H:%M:%fZ', s.end_at / 1000.0, 'unixepoch') IS NOT until)`,
  "a recorded stop that nobody was notified of": `
    SELECT id FROM stops WHERE is_manual AND deleted_at IS NULL
      AND id NOT IN (SELECT data->>'stopId' FROM published WHERE type = 'stop.opened')`,
  "an order without its event": "SELECT id FROM work_orders WHERE 'work_order.created:' || id NOT IN (SELECT id FROM published)",
  "an order in progress whose start was not published": `
    SELECT id FROM work_orders WHERE status IN ('InProgress', 'Paused', 'Completed') AND 'work_order.started:' || id NOT IN (SELECT id FROM published)`,
  "a call for help that was not published":
    "SELECT id FROM help_calls WHERE 'help.called:' || id NOT IN (SELECT id FROM published)",
  "an import that has ended, and lost lines or counted them twice": `
    SELECT id FROM imports WHERE state = 'done' AND accepted + duplicates + failed <> line - 1`,
  "a recalculation that has ended before its machines": `
    SELECT id FROM recalculations WHERE (ended_at IS NULL) <> (id IN (
      SELECT recalculation_id FROM recalculation_machines WHERE state NOT IN ('done', 'failed')))`,
  "a bulk classification whose numbers do not add up": `
    SELECT id FROM stop_classifications WHERE state = 'done' AND (classified + unchanged <> total OR waiting <> '[]')
      OR state = 'undone' AND (undone + kept <> classified OR waiting <> '[]')`,
  "books that are not closed as their newest closing says": `
    SELECT b.company_id FROM books AS b WHERE b.locked_to <> coalesce((SELECT max(to_at) FROM book_closings WHERE company_id = b.company_id AND state = 'closed'), 0)
      OR b.closing_to IS NOT (SELECT to_at FROM book_closings WHERE company_id = b.company_id AND state = 'closing')`,
  "closed books whose shifts do not sum up to what was stored": `
    SELECT c.id FROM book_closings AS c, json_each(c.sums) AS one WHERE c.state = 'closed' AND one.value->>'totalUnits' <> (
      SELECT sum(total_units) FROM shift_records WHERE machine_id = one.value->>'machineId' AND end_at > c.from_at AND end_at <= c.to_at)`,
  "a machine whose closing is over, and which has not followed": `
    SELECT closing_id FROM book_closing_machines AS m JOIN book_closings AS c ON c.id = m.closing_id
    WHERE (m.state = 'waiting' AND c.state <> 'closing') OR (m.state = 'reopening' AND c.next_at IS NULL)`,
  "a withdrawal of events without an audit row": `
    SELECT id FROM event_withdrawals WHERE id NOT IN (SELECT CAST(object_id AS INTEGER) FROM audit)`,
  "a system widget whose source is not there": `
    SELECT id FROM widgets WHERE source_widget_id IS NOT NULL AND source_widget_id NOT IN (SELECT id FROM widgets)`,
};
