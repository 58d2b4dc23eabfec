import { selectParts } from "../../core/archive/queries.ts";
import { configOf } from "../../core/config.ts";
import { boundedRows, rowsOfBounded } from "../../db/bounded-rows.ts";
import { archivedEventOf } from "../../events/archived.ts";
import { type KnownNames, withNames } from "../../events/names.ts";
import { selectDispatched } from "../../events/queries.ts";
import { eventOf } from "../../events/stored.ts";
import { DAY_MS } from "../../oee/time.ts";
import type { Archivable } from "./archivable.ts";
import { deleteEventsOf, EVENTS_PER_STEP } from "./queries.ts";

/** The most bytes of rows that are read at once. */
const MAX_BYTES = 1024 * 1024;

/**
 * Dispatched events in the archive. They are moved in the order of their numbers, so each part has all numbers between its first and its last. Requests
 * that were stored at the same time may have numbers and times in another order: an event that was stored before midnight, after one of the next day,
 * belongs to the next day.
 */
export function archivableEvents(env: Env): Archivable {
  const names: KnownNames = new Map();
  const { PUBLIC_URL } = configOf(env);
  return {
    ...{ kind: "events", rowsPerPart: 25_000, keysPerStep: EVENTS_PER_STEP },
    readRows: async (db, { companyId, day, after }, limit) => {
      const select = selectDispatched(db, companyId, after?.[0] ?? 0, limit);
      const { rows } = rowsOfBounded(await boundedRows(db, select, MAX_BYTES));
      const later = rows.findIndex(({ createdAt }) => createdAt >= day + DAY_MS);
      const ofDay = later < 0 ? rows : rows.slice(0, later);
      const named = await withNames(db, ofDay.map(eventOf), names);
      return named.map((event) => ({ key: [event.seq], at: event.at, item: archivedEventOf(event, PUBLIC_URL) }));
    },
    selectOldest: async (db, companyId) => {
      const [[oldest], [newest]] = await db.batch([
        selectDispatched(db, companyId, 0, 1),
        selectParts(db, { companyId, kind: "events" }, 1),
      ]);
      return oldest ? [{ at: Math.max(oldest.createdAt, newest?.day ?? 0) }] : [];
    },
    deleteKeys: (db, companyId, keys) =>
      deleteEventsOf(
        db,
        companyId,
        keys.map(([seq = 0]) => seq),
      ),
    keyOfLine: (line) => [(JSON.parse(line) as { seq: number }).seq],
  };
}
