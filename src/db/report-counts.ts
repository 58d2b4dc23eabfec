import { type SQL, sql } from "drizzle-orm";
import { reportCounts } from "./schema.ts";

/** Rows of a report that are counted ahead: everyone's, those of some companies, or those of some machines. */
export interface CountedRows {
  report: typeof reportCounts.$inferSelect.report;
  companyIds: readonly number[] | undefined;
  machineIds: readonly number[] | undefined;
  includeDeleted: boolean;
}

// The more rows a bucket can hold, the finer it is divided: what is passed over one by one stays a page or so.
const dayMs = 86_400_000;
const widthsMs = { everyone: [dayMs, dayMs / 16, dayMs / 256], company: [dayMs, dayMs / 16], machine: [dayMs] };

/** How many rows there are, as a scalar. Reads one row per day and company or machine. */
export function totalOf(rows: CountedRows): SQL<number> {
  return sql`(SELECT coalesce(sum(${countOf(rows)}), 0) FROM ${reportCounts} AS r WHERE ${isOf(rows)} AND r.width_ms = ${dayMs})`;
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

/** The place of the row that `offset` others come before, found by counts: coarse buckets first, then those inside. */
export function placeOf(rows: CountedRows, direction: "asc" | "desc", offset: number): Place {
  const order = direction === "asc" ? sql`` : sql`DESC`;
  const widths = widthsOf(rows);
  // Of a single scope each row is a bucket by itself, and is summed up in half of the time.
  const [inBucket, group] =
    scopesOf(rows).length === 1 ? [countOf(rows), sql``] : [sql`sum(${countOf(rows)})`, sql`GROUP BY r.start_at`];
  // The first bucket with which the running sum goes beyond the offset. Nested and short: to prepare it is most of what it takes.
  const found = widths.reduce((outer: SQL | null, width, i) => {
    const inOuter = outer && sql`AND r.start_at >= o.at AND r.start_at < o.at + ${widths[i - 1]}`;
    return sql`(SELECT at, upto - n AS passed FROM (SELECT r.start_at AS at, ${inBucket} AS n,
        ${outer ? sql`o.passed + ` : sql``}sum(${inBucket}) OVER (ORDER BY r.start_at ${order} ROWS UNBOUNDED PRECEDING) AS upto
      FROM ${outer ? sql`${outer} AS o CROSS JOIN ` : sql``}${reportCounts} AS r
      WHERE ${isOf(rows)} AND r.width_ms = ${width} ${inOuter ?? sql``} ${group} ORDER BY r.start_at ${order})
      WHERE upto > ${offset} LIMIT 1)`;
  }, null);
  return {
    ctes: sql`WITH found AS MATERIALIZED ${found}`,
    edge: direction === "asc" ? sql`(SELECT at FROM found)` : sql`(SELECT at + ${widths.at(-1)} FROM found)`,
    passed: sql`coalesce((SELECT ${offset} - passed FROM found), 0)`,
  };
}

function countOf({ includeDeleted }: CountedRows): SQL {
  return includeDeleted ? sql`(r.kept + r.deleted)` : sql`r.kept`;
}

function widthsOf({ companyIds, machineIds }: CountedRows): number[] {
  return widthsMs[machineIds ? "machine" : companyIds ? "company" : "everyone"];
}

function isOf(rows: CountedRows): SQL {
  return sql`r.report = ${rows.report} AND r.scope ${isScope(rows)}`;
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
