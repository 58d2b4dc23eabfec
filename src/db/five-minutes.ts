import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { customType } from "drizzle-orm/sqlite-core";

/** `[units, defects, scheduledMs]` of five minutes. */
type Triple = [number, number, number];

const SCHEDULED_MS = 300_000;

/**
 * A column with the production of successive five minutes as text, because as JSON it was a third of a machine's history: one word for each five
 * minutes, with the units, `:` and the defects if there are any, `/` and the scheduled ms if they are not all of the five minutes.
 *
 *   [[27, 0, 300000], [30, 1, 300000], [0, 0, 120000]]  is  27 30:1 0/120000
 */
export const fiveMinutesColumn = customType<{ data: Triple[]; driverData: string }>({
  dataType: () => "text",
  toDriver: fiveMinutesText,
  fromDriver: fiveMinutesIn,
});

export function fiveMinutesText(triples: readonly Triple[]): string {
  return triples
    .map(([units, defects, scheduledMs]) => {
      return `${units}${defects === 0 ? "" : `:${defects}`}${scheduledMs === SCHEDULED_MS ? "" : `/${scheduledMs}`}`;
    })
    .join(" ");
}

function fiveMinutesIn(text: string): Triple[] {
  if (text === "") return [];
  return text.split(" ").map((word) => {
    const [counted = "", scheduledMs] = word.split("/");
    const [units, defects = 0] = counted.split(":");
    return [Number(units), Number(defects), Number(scheduledMs ?? SCHEDULED_MS)];
  });
}

/** A table of SQL with the words of such a column as `value`; `CAST(value AS REAL)` is the units. */
export function wordsOf(column: SQLWrapper): SQL {
  return sql`json_each('["' || replace(${column}, ' ', '","') || '"]')`;
}
