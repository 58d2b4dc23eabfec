import { type SQL, sql } from "drizzle-orm";
import type { reportCounts } from "./schema.ts";

/** Rows of a report that are counted ahead: everyone's, those of some companies, or those of some machines. */
export interface CountedRows {
  report: typeof reportCounts.$inferSelect.report;
  companyIds: readonly number[] | undefined;
  machineIds: readonly number[] | undefined;
  includeDeleted: boolean;
}

// The more rows a bucket can hold, the finer it is divided: what is passed over one by one stays a page or so.
const dayMs = 86_400_000;
const finer = 16;
/** As many as there are days in eighty years: the walk ends also where counts are not what they should be. */
const mostSteps = 30_000;
const narrowestMs = { everyone: dayMs / finer ** 2, company: dayMs / finer, machine: dayMs };

/** How many rows there are, as a scalar. Reads one row per day and company or machine. */
export function totalOf(rows: CountedRows): SQL<number> {
  return sql`(SELECT coalesce(${sumOf(rows)}, 0) FROM report_counts AS r WHERE ${isOf(rows)} AND r.width_ms = ${dayMs})`;
}

/** Where a row is to be looked for. */
export interface Place {
  /** Common table expressions that the others refer to. */
  ctes: SQL;
  /** From this time on (ascending), or before it (descending); null: there is no such row. */
  edge: SQL;
  /** Rows to be passed over from there. */
  passed: SQL;
}

/**
 * The place of the row that `offset` others come before. From the first day on, each bucket that ends before the row is passed over, and
 * the one that holds it is divided.
 */
export function placeOf(rows: CountedRows, direction: "asc" | "desc", offset: number): Place {
  const narrowest = narrowestMs[rows.machineIds ? "machine" : rows.companyIds ? "company" : "everyone"];
  const [first, startAt, next] =
    direction === "asc"
      ? ["min(r.start_at)", "edge", "edge + width"]
      : [`max(r.start_at) + ${dayMs}`, "edge - width", "edge - width"];
  const isNext = sql`${isOf(rows)} ${sql.raw(`AND r.width_ms = width AND r.start_at = ${startAt}`)}`;
  const [bucket, n] =
    scopesOf(rows).length === 1
      ? [sql`LEFT JOIN report_counts AS r ON ${isNext}`, `coalesce(${countOf(rows)}, 0)`]
      : // One value in each step, as a table: a recursion takes no sum by itself.
        [
          sql`JOIN json_each((SELECT json_array(${sumOf(rows)}) FROM report_counts AS r WHERE ${isNext})) AS sums`,
          "coalesce(sums.value, 0)",
        ];
  // As text, but for the values: most of what a place takes is that the statement is written and prepared.
  const begin = sql.raw(`WITH found AS MATERIALIZED (WITH RECURSIVE walk(width, edge, before) AS (SELECT ${dayMs}, ${first},`);
  const step = sql.raw(`UNION ALL SELECT iif(${n} <= before, width, width / ${finer}), iif(${n} <= before, ${next}, edge),
    iif(${n} <= before, before - ${n}, before) FROM walk`);
  const end = sql.raw(
    `WHERE width >= ${narrowest} LIMIT ${mostSteps}) SELECT edge, before FROM walk WHERE width < ${narrowest})`,
  );
  return {
    ctes: sql`${begin} ${offset} FROM report_counts AS r WHERE ${isOf(rows)} AND r.width_ms = ${dayMs} HAVING ${sumOf(rows)} > ${offset}
      ${step} ${bucket} ${end}`,
    edge: sql.raw("(SELECT edge FROM found)"),
    passed: sql.raw("coalesce((SELECT before FROM found), 0)"),
  };
}

function sumOf(rows: CountedRows): SQL {
  return sql.raw(`sum(${countOf(rows)})`);
}

function countOf({ includeDeleted }: CountedRows): string {
  return includeDeleted ? "r.kept + r.deleted" : "r.kept";
}

function isOf(rows: CountedRows): SQL {
  return sql`${sql.raw(`r.report = '${rows.report}' AND r.scope`)} ${isScope(rows)}`;
}

function isScope(rows: CountedRows): SQL {
  const { companyIds, machineIds } = rows;
  const listed = (list: readonly number[]) => sql`(SELECT value FROM json_each(${JSON.stringify(list)}))`;
  if (machineIds && companyIds) {
    return sql`IN (SELECT id FROM machines WHERE id IN ${listed(machineIds)} AND company_id IN ${listed(companyIds)})`;
  }
  const scopes = scopesOf(rows);
  // The days of a single scope are in order already: nothing is sorted.
  return scopes.length === 1 ? sql`= ${scopes[0]}` : sql`IN ${listed(scopes)}`;
}

/** The scopes that the rows are counted in: all of them, or those of them that are also of some companies. */
function scopesOf({ companyIds, machineIds }: CountedRows): readonly number[] {
  return machineIds ?? companyIds?.map((id) => -id) ?? [0];
}
