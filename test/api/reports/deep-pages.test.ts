import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { NARROWEST_MS } from "../../../src/db/report-counts.ts";
import { call } from "../../support/call.ts";
import { createCompany, createMachine, createShift, createUser } from "../../support/factories.ts";
import { changed, serviceWith } from "../../support/service.ts";

// Late pages are found by counts. Here they are compared with the whole list, requested in one page.

const day = 86_400_000;
const since = Date.UTC(2026, 8, 1);
const rowsOfEach = 600;

afterEach(() => vi.restoreAllMocks());
let token: string;
const lines: { companyId: number; machineId: number; shiftId: number }[] = [];
beforeAll(async () => {
  token = (await createUser((await createCompany()).companyId, "superuser")).token;
  const [one, other] = [await createCompany(), await createCompany()];
  for (const { companyId } of [one, one, other]) {
    const { machineId } = await createMachine(companyId);
    const { shiftId } = await createShift(companyId);
    lines.push({ companyId, machineId, shiftId });
    await insertRows({ companyId, machineId, shiftId });
  }
});

/** Stops and shift records over ten days, in random order; several share a start, and some stops are deleted. */
async function insertRows({ companyId, machineId, shiftId }: (typeof lines)[number]) {
  const series = `WITH RECURSIVE series(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM series WHERE n + 1 < ${rowsOfEach}),
    spread AS (SELECT n, ${since} + (n / 2 * 2654435761 % ${10 * day}) / 1000 * 1000 AS at FROM series)`;
  await env.DB_0.batch([
    env.DB_0.prepare(`${series} INSERT INTO stops (id, shift_start, revision, company_id, machine_id, shift_id, shift_ms, before_slice_ms, slice_start,
      slice_ms, is_manual, is_programmed, is_included_in_stops, is_included_in_availability, created_after_ms, updated_after_ms, deleted_at)
      SELECT ${machineId} * 67108864 + n, at, 1, ${companyId}, ${machineId}, ${shiftId}, 1000, 0, at, 1000, 0, 0, 1, 1, 0, 0,
        iif(n % 7 = 0, at, NULL) FROM spread`),
    env.DB_0.prepare(`${series} INSERT INTO shift_records (id, revision, company_id, machine_id, shift_id, start_at, end_at, as_of, open_is_annotated,
      available_ms, no_data_ms, programmed_ms, non_programmed_ms, other_ms, late_start_ms, non_programmed_since_available_ms, annotated_ms,
      cycles, total_units, defect_units, ideal_ms, cycles_with_standard, lost_by_defects_ms, recent_units, recent_ms, created_at, updated_at,
      no_data_spans)
      SELECT ${machineId} * 67108864 + n, 1, ${companyId}, ${machineId}, ${shiftId}, at, at + 1000, at + 1000, 0, 1000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, at, at, '[]' FROM spread`),
  ]);
}

const ask = async (report: string, body: object) => (await call("POST", `/v1/public/reports/${report}`, { token, body })).body;
// biome-ignore lint/suspicious/noExplicitAny: items of either report.
const idsOf = (body: any): number[] =>
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  (body.stops ?? body.metrics).map(({ stop, shiftIndicators }: any) => stop?.id ?? shiftIndicators.indicatorId);

const filters = {
  everything: () => ({}),
  "a company": () => ({ companyIds: [lines[0]?.companyId] }),
  "two companies": () => ({ companyIds: [lines[0]?.companyId, lines[2]?.companyId] }),
  "a machine": () => ({ machineIds: [lines[1]?.machineId] }),
  "two machines": () => ({ machineIds: [lines[0]?.machineId, lines[2]?.machineId] }),
  "a company's machines": () => ({
    companyIds: [lines[2]?.companyId],
    machineIds: lines.map(({ machineId }) => machineId),
  }),
  "no company": () => ({ companyIds: [] }),
};

describe.each(["stops", "metrics"])("the %s report", (report) => {
  describe.each(["asc", "desc"])("%s", (direction) => {
    it.each(Object.entries(filters))("pages through %s without losing or repeating a row", async (_, filterOf) => {
      for (const includeDeleted of report === "stops" ? [false, true] : [undefined]) {
        const filter = { ...filterOf(), direction, ...(includeDeleted !== undefined && { includeDeleted }) };
        // A range that excludes nothing is counted row by row.
        const whole: number[] = [];
        for (let page = 1, pages = 1; page <= pages; page++) {
          const body = await ask(report, { ...filter, from: new Date(since - 1).toISOString(), page, pageSize: 1000 });
          whole.push(...idsOf(body));
          pages = body.totalPages;
        }
        const pages = [1, 6, 7, 12, 18, 19].map((page) => ({ page, pageSize: 97 }));
        for (const { page, pageSize } of [...pages, { page: 3, pageSize: 250 }]) {
          const body = await ask(report, { ...filter, page, pageSize });
          expect(body.totalCount).toBe(whole.length);
          expect(idsOf(body), `page ${page}`).toEqual(whole.slice((page - 1) * pageSize, page * pageSize));
        }
      }
    });
  });
});

it("a page may have more text than D1 returns as one value", async () => {
  const machineIds = [lines[1]?.machineId];
  const describe = (classificationId: number | null, description: string | null) =>
    env.DB_0.prepare("UPDATE stops SET classification_id = ?, description = ? WHERE machine_id = ?")
      .bind(classificationId, description, machineIds[0])
      .run();
  // Each of its characters takes six in JSON.
  const description = "\u0001".repeat(2000);
  await describe(1, description);
  const sizes: number[] = [];
  const watched = (statement: D1PreparedStatement): D1PreparedStatement =>
    changed(statement, {
      bind: (...values: unknown[]) => watched(statement.bind(...values)),
      all: async () => {
        const answer = await statement.all<object>();
        sizes.push(...answer.results.flatMap(Object.values).map((value) => Buffer.byteLength(String(value))));
        return answer;
      },
    });
  const withSession = (start: string) => {
    const session = env.DB_0.withSession(start);
    return changed(session, { prepare: (query: string) => watched(session.prepare(query)) });
  };
  const via = serviceWith({ DB_0: changed(env.DB_0, { withSession }) });
  const { body } = await call("POST", "/v1/public/reports/stops", { token, body: { machineIds, pageSize: 1000 }, via });
  expect(body.stops).toHaveLength(body.totalCount);
  for (const { classification } of body.stops) expect(classification.description === description).toBe(true);
  expect(Math.max(...sizes)).toBeGreaterThan(1_000_000);
  expect(Math.max(...sizes)).toBeLessThan(2_000_000);
  await describe(null, null);
});

describe("what is counted", () => {
  const recount = (table: string, report: string, start: string, deleted: string) =>
    [
      ["all", "0", [86400000, 5400000, 337500]] as const,
      ["company", "company_id", [86400000, 5400000]] as const,
      ["machine", "machine_id", [86400000]] as const,
    ].flatMap(([scope, id, widths]) =>
      widths.map(
        (width) => `SELECT '${report}', '${scope}' AS scope, ${id} AS scope_id, ${width} AS width_ms,
        ${start} - ${start} % ${width} AS start_at, sum(NOT (${deleted})), sum(${deleted}) FROM ${table} GROUP BY 3, 5`,
      ),
    );

  it("uses the bucket widths that the triggers count", async () => {
    const { results } = await env.DB_0.prepare(
      "SELECT scope, min(width_ms) AS narrowest FROM report_buckets GROUP BY scope",
    ).all();
    expect(Object.fromEntries(results.map(({ scope, narrowest }) => [scope, narrowest]))).toEqual(NARROWEST_MS);
  });

  async function expectExact() {
    const kept = await env.DB_0.prepare("SELECT * FROM report_counts WHERE kept <> 0 OR deleted <> 0").raw();
    const counted = [
      ...recount("stops", "stops", "slice_start", "deleted_at IS NOT NULL"),
      ...recount("shift_records", "shifts", "start_at", "0"),
    ];
    const fresh = (await Promise.all(counted.map((one) => env.DB_0.prepare(one).raw()))).flat();
    const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
    expect(sorted(kept)).toEqual(sorted(fresh));
  }

  it("is right after any writes", async () => {
    await expectExact();
    const [machineId, other] = lines.map((line) => line.machineId);
    const run = (statement: string) => env.DB_0.prepare(statement).run();
    await run(`UPDATE stops SET deleted_at = iif(deleted_at IS NULL, 1, NULL) WHERE machine_id = ${machineId} AND id % 3 = 0`);
    await run(
      `UPDATE stops SET slice_start = slice_start - 7777777, updated_after_ms = 5 WHERE machine_id = ${machineId} AND id % 5 = 0`,
    );
    await run(`UPDATE stops SET updated_after_ms = 6 WHERE machine_id = ${machineId}`);
    await run(`DELETE FROM stops WHERE machine_id = ${other} AND id % 4 = 0`);
    await run(`DELETE FROM shift_records WHERE machine_id = ${other} AND id % 4 = 0`);
    await run(`UPDATE shift_records SET start_at = start_at + 1, company_id = company_id WHERE machine_id = ${machineId}`);
    await expectExact();
  });
});

describe("the rows read", () => {
  const rowsRead = async (report: string, body: object) => {
    const log = vi.spyOn(console, "log").mockReturnValue(undefined);
    await ask(report, body);
    return JSON.parse(log.mock.lastCall?.[0]).rowsRead;
  };
  const days = 11;
  const pageSize = 100;
  // The rows, their machines, and the rows again for the few names that they share.
  const ofPage = 3 * pageSize + days + 30;
  // The days to sum up; two for each bucket on the way, and one for each row of the last one.
  const ofPlace = days + 2 * (days + 2 * 16) + 60;

  it.each([
    ["metrics", {}],
    ["stops", { includeDeleted: true }],
  ])("of the %s report are three times the page and the days, and for a page far back the way to it", async (report, more) => {
    for (const filter of [filters["a company"](), filters["a machine"](), {}]) {
      const body = { ...filter, ...more, pageSize };
      const { totalPages } = await ask(report, body);
      expect(await rowsRead(report, body), "the first page").toBeLessThanOrEqual(ofPage);
      for (const page of [2, Math.ceil(totalPages / 2), totalPages - 1, totalPages]) {
        expect(await rowsRead(report, { ...body, page }), `page ${page}`).toBeLessThanOrEqual(ofPage + ofPlace);
      }
    }
  });
});

it("the search for a page ends after as many days as there can be, even if the counts are wrong", async () => {
  await env.DB_0.prepare("UPDATE report_counts SET kept = 0 WHERE width_ms < 86400000").run();
  const body = await ask("stops", { page: 6, pageSize: 97 });
  expect([body.stops, body.totalCount > 600]).toEqual([[], true]);
});
