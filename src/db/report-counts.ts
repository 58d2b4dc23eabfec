import { type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "../oee/time.ts";
import type { reportCounts } from "./schema.ts";

// OFFSET alone is slow for a page far back in a report: it reads an index entry for each row before the page. So rows are counted
// as they are written, per bucket of time (`report_counts`), and whole buckets are skipped.
//
// Example: row 10,000 of a company, oldest first. Day 1 has 6,000 rows, day 2 has 7,000. Day 1 is skipped (4,000 left), day 2 is too many,
// so it is divided into 16 parts of 90 minutes, which are skipped one after the other until the part that holds the row. From its start, the
// few rows that are left are skipped with OFFSET.

/** The counted rows of a report: all, those of some companies, or those of some machines. */
export interface CountedRows {
  report: typeof reportCounts.$inferSelect.report;
  companyIds: readonly number[] | undefined;
  machineIds: readonly number[] | undefined;
  includeDeleted: boolean;
}

/** The number of parts into which a bucket is divided, if there are finer ones. */
const PARTS = 16;
/** The finest buckets of each scope, as in the view `report_buckets`: the more rows a scope has, the finer its buckets. */
export const NARROWEST_MS = { all: DAY_MS / PARTS ** 2, company: DAY_MS / PARTS, machine: DAY_MS };
/** More than the buckets of eighty years, so that the walk ends even if the counts are wrong. */
const MAX_STEPS = 30_000;

/** The total number of rows, as a scalar. Reads one row per day and company or machine. */
export function totalOf(rows: CountedRows): SQL<number> {
  return sql`(SELECT coalesce(${sumOf(rows)}, 0) FROM report_counts AS r WHERE ${ofScope(rows)} AND r.width_ms = ${DAY_MS})`;
}

/** The place from which a row is found. */
export interface Place {
  /** Common table expressions that the other two refer to. */
  ctes: SQL;
  /** The row starts at or after this time (ascending), or before it (descending); null if there is no such row. */
  edge: SQL;
  /** The number of rows to skip from there. */
  offset: SQL;
}

/** The place of the row with `offset` rows before it. */
export function placeOf(rows: CountedRows, direction: "asc" | "desc", offset: number): Place {
  const narrowest = NARROWEST_MS[scopeOf(rows)];
  const [first, startAt, next] =
    direction === "asc"
      ? ["min(r.start_at)", "edge", "edge + width"]
      : [`max(r.start_at) + ${DAY_MS}`, "edge - width", "edge - width"];
  const nextBucket = sql`${ofScope(rows)} ${sql.raw(`AND r.width_ms = width AND r.start_at = ${startAt}`)}`;
  const [bucket, n] =
    idsOf(rows).length === 1
      ? [sql`LEFT JOIN report_counts AS r ON ${nextBucket}`, `coalesce(${countOf(rows)}, 0)`]
      : // SQLite allows no aggregate in a recursive step, so the sum comes as a table of one value.
        [
          sql`JOIN json_each((SELECT json_array(${sumOf(rows)}) FROM report_counts AS r WHERE ${nextBucket})) AS sums`,
          "coalesce(sums.value, 0)",
        ];
  // Raw text except for the values, because building and preparing the statement is most of its cost.
  const begin = sql.raw(`WITH found AS MATERIALIZED (WITH RECURSIVE walk(width, edge, before) AS (SELECT ${DAY_MS}, ${first},`);
  const step = sql.raw(`UNION ALL SELECT iif(${n} <= before, width, width / ${PARTS}), iif(${n} <= before, ${next}, edge),
    iif(${n} <= before, before - ${n}, before) FROM walk`);
  const end = sql.raw(
    `WHERE width >= ${narrowest} LIMIT ${MAX_STEPS}) SELECT edge, before FROM walk WHERE width < ${narrowest})`,
  );
  return {
    ctes: sql`${begin} ${offset} FROM report_counts AS r WHERE ${ofScope(rows)} AND r.width_ms = ${DAY_MS} HAVING ${sumOf(rows)} > ${offset}
      ${step} ${bucket} ${end}`,
    edge: sql.raw("(SELECT edge FROM found)"),
    offset: sql.raw("coalesce((SELECT before FROM found), 0)"),
  };
}

function sumOf(rows: CountedRows): SQL {
  return sql.raw(`sum(${countOf(rows)})`);
}

function countOf({ includeDeleted }: CountedRows): string {
  return includeDeleted ? "r.kept + r.deleted" : "r.kept";
}

function scopeOf({ companyIds, machineIds }: CountedRows): keyof typeof NARROWEST_MS {
  if (machineIds) return "machine";
  return companyIds ? "company" : "all";
}

/** The ids under which the rows are counted. */
function idsOf({ companyIds, machineIds }: CountedRows): readonly number[] {
  return machineIds ?? companyIds ?? [0];
}

/** The condition on counts of the rows' report and scope. */
function ofScope(rows: CountedRows): SQL {
  const { companyIds, machineIds } = rows;
  const listed = (list: readonly number[]) => sql`(SELECT value FROM json_each(${JSON.stringify(list)}))`;
  const scope = sql.raw(`r.report = '${rows.report}' AND r.scope = '${scopeOf(rows)}' AND r.scope_id`);
  if (machineIds && companyIds) {
    return sql`${scope} IN (SELECT id FROM machines WHERE id IN ${listed(machineIds)} AND company_id IN ${listed(companyIds)})`;
  }
  const ids = idsOf(rows);
  // With a single id, the index returns the buckets in order and nothing is sorted.
  return ids.length === 1 ? sql`${scope} = ${ids[0]}` : sql`${scope} IN ${listed(ids)}`;
}
