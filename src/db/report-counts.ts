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
  return sql`(SELECT coalesce(sum(${countOf(rows)}), 0) FROM ${reportCounts} WHERE ${isOf(rows)} AND ${reportCounts.widthMs} = ${dayMs})`;
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
  const { startAt, widthMs } = reportCounts;
  const order = direction === "asc" ? sql`${startAt}` : sql`${startAt} DESC`;
  const widths = widthsOf(rows);
  const n = countOf(rows);
  // Of a single scope each row is a bucket by itself, and is summed up in half of the time.
  const [inBucket, group] = scopesOf(rows).length === 1 ? [n, sql``] : [sql`sum(${n})`, sql`GROUP BY ${startAt}`];
  const ctes = widths.map((width, i) => {
    const outer = sql.raw(`found_${i - 1}`);
    const inOuter = i === 0 ? sql`` : sql`AND ${startAt} >= ${outer}.at AND ${startAt} < ${outer}.at + ${widths[i - 1]}`;
    const before = i === 0 ? sql`0` : sql`${outer}.passed`;
    const from = i === 0 ? sql`${reportCounts}` : sql`${outer} CROSS JOIN ${reportCounts}`;
    // The first bucket with which the running sum goes beyond the offset.
    return sql`${sql.raw(`found_${i}`)} AS MATERIALIZED (SELECT at, upto - n AS passed FROM
      (SELECT ${startAt} AS at, ${inBucket} AS n,
          ${before} + sum(${inBucket}) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS upto
        FROM ${from} WHERE ${isOf(rows)} AND ${widthMs} = ${width} ${inOuter} ${group} ORDER BY ${order})
      WHERE upto > ${offset} LIMIT 1)`;
  });
  const found = sql.raw(`found_${widths.length - 1}`);
  return {
    ctes: sql`WITH ${sql.join(ctes, sql`, `)}`,
    edge: direction === "asc" ? sql`(SELECT at FROM ${found})` : sql`(SELECT at + ${widths.at(-1)} FROM ${found})`,
    passed: sql`coalesce((SELECT ${offset} - passed FROM ${found}), 0)`,
  };
}

function countOf({ includeDeleted }: CountedRows): SQL {
  return includeDeleted ? sql`(${reportCounts.kept} + ${reportCounts.deleted})` : sql`${reportCounts.kept}`;
}

function widthsOf({ companyIds, machineIds }: CountedRows): number[] {
  return widthsMs[machineIds ? "machine" : companyIds ? "company" : "everyone"];
}

function isOf(rows: CountedRows): SQL {
  return sql`${reportCounts.report} = ${rows.report} AND ${reportCounts.scope} ${isScope(rows)}`;
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
