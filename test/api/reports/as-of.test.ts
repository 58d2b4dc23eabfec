import { env } from "cloudflare:workers";
import { beforeEach, expect, inject, it, onTestFinished, vi } from "vitest";
import { call } from "../../support/call.ts";
import { HOUR, MINUTE, SECOND } from "../../support/clock.ts";
import {
  createChannels,
  createCompany,
  createGatewayToken,
  createMachine,
  createOperator,
  createShift,
  createSku,
  createStopCause,
  createUser,
} from "../../support/factories.ts";
import { countAt, flushMachine, ingest, stopsOf } from "../../support/machines.ts";

// The database has a clock of its own, so these tests are in the present. Nobody can ask for the last ten seconds: the service's clock is set ahead.

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => {
    vi.useRealTimers();
  });
});

const HOUR_STARTS = Math.floor(Date.now() / HOUR) * HOUR;
/** Two shifts of two hours that are over, and one that runs. */
const shiftStarts = [HOUR_STARTS - 6 * HOUR, HOUR_STARTS - 4 * HOUR];
const iso = (at: number) => new Date(at).toISOString();

/** Two machines with counts, stops and an operator in two closed shifts, and in a running one. */
async function plant() {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  const { token: superuser } = await createUser(companyId, "superuser");
  const text = (at: number) => iso(at).slice(11, 16);
  for (const start of [...shiftStarts, HOUR_STARTS - HOUR])
    await createShift(companyId, { start: text(start), end: text(start + 2 * HOUR) });
  const { operatorId } = await createOperator(companyId);
  await createSku(companyId, { id: "A", standards: [{ standardCycleSeconds: 50 }] });
  const gateway = await createGatewayToken(companyId);
  const causes = [await createStopCause(companyId), await createStopCause(companyId)];
  const machines: Awaited<ReturnType<typeof createMachine>>[] = [];
  for (let i = 0; i < 2; i++) {
    const machine = await createMachine(companyId, { noDataAfterSeconds: null, commissionedAt: shiftStarts[0] ?? 0 });
    await createChannels(machine, [{ channel: 1, type: "total" }]);
    machines.push(machine);
  }
  const [first] = machines;
  if (!first) throw new Error("there is no machine");
  const send = async (...events: object[]) => {
    const { rejected } = await ingest(gateway.token, events);
    expect(rejected).toEqual([]);
    for (const { id } of machines) await flushMachine(id);
  };
  const count = (machine: { nodeId: number }, minute: number, value = 1) =>
    countAt(machine.nodeId, HOUR_STARTS - 6 * HOUR + minute * MINUTE, value);
  await send(
    { type: "operator", at: iso(HOUR_STARTS - 6 * HOUR), machineId: first.id, operatorId, action: "in" },
    { type: "sku", at: iso(HOUR_STARTS - 6 * HOUR), machineId: first.id, skuId: "A" },
    ...machines.flatMap((machine) =>
      Array.from({ length: 350 }, (_, i) => i)
        .filter((i) => i % 50 < 40)
        .map((i) => count(machine, i)),
    ),
  );
  const ask = async (path: string, query: Record<string, string>, status = 200) => {
    const asked = await call("GET", `/v1/${path}?${new URLSearchParams(query)}`, { token });
    expect(asked.status, JSON.stringify(asked.body)).toBe(status);
    return asked.body;
  };
  const report = async (kind: string, body: object, status = 200) => {
    const own = { companyIds: [companyId], pageSize: 200, ...body };
    const asked = await call("POST", `/v1/public/reports/${kind}`, { token: superuser, body: own });
    expect(asked.status, JSON.stringify(asked.body)).toBe(status);
    return asked.body;
  };
  return { companyId, token, machines, first, operatorId, causes, send, count, ask, report };
}

type Plant = Awaited<ReturnType<typeof plant>>;

const range = { from: iso(HOUR_STARTS - 8 * HOUR), to: iso(HOUR_STARTS - 2 * HOUR) };
const groups = ["machine", "hour", "sku", "shift,machine", "operator", "cause", "cause,sku", "machine,day"];

/** What all reports say of the closed shifts. */
async function said({ ask, report, operatorId, machines }: Plant, asOf?: number) {
  const query = asOf === undefined ? {} : { asOf: iso(asOf) };
  const summaries: Record<string, unknown> = {};
  for (const groupBy of groups) {
    const { total, data } = await ask("summary", { ...range, groupBy, ...query });
    // What was produced outside shifts is in none.
    const inside = ({ producedOutsideShifts: _, ...row }: Record<string, unknown>) => row;
    summaries[groupBy] = { total: inside(total), data: data.map(inside) };
  }
  const narrowed = await ask("summary", { ...range, groupBy: "machine", skuIds: "A", operatorIds: String(operatorId), ...query });
  const list = async (more: Record<string, string>) => (await ask("shift-records", { ...range, ...more, ...query })).data;
  return {
    summaries,
    narrowed: narrowed.data.map(({ total, availableTime }: Record<string, number>) => [total, availableTime]),
    records: await list({}),
    byOee: await list({ sort: "oee" }),
    ofSku: await list({ skuIds: "A", operatorIds: String(operatorId), machineIds: machines.map(({ id }) => id).join(",") }),
    total: (await ask("shift-records", { ...range, total: "true", ...query })).total,
    metrics: await report("metrics", { ...range, ...query }),
    stops: await report("stops", { ...range, ...query }),
    unprogrammed: await report("stops", {
      ...range,
      isProgrammed: false,
      machineIds: [machines[0]?.id],
      direction: "asc",
      ...query,
    }),
  };
}

/** The present instant by the clock of the database, at which nothing is under way. */
async function now(): Promise<number> {
  await new Promise((done) => setTimeout(done, 3));
  const { at = 0 } =
    (await env.DB_0.prepare("select CAST(unixepoch('subsec') * 1000 AS INTEGER) AS at").first<{ at: number }>()) ?? {};
  await new Promise((done) => setTimeout(done, 3));
  return at;
}

/** Changes the past in one of many ways. */
async function change({ token, first, machines, causes, send, count }: Plant, i: number): Promise<void> {
  const machine = machines[i % 2] ?? first;
  if (i % 4 === 0) return await send(count(machine, (i * 37) % 230, 1 + (i % 4)));
  if (i % 4 === 3) {
    const at = iso(HOUR_STARTS - 6 * HOUR + ((i * 37) % 230) * MINUTE);
    const entered = await call("POST", "/v1/corrections", { token, body: { machineId: machine.id, at, total: 2, defects: 1 } });
    expect(entered.status, JSON.stringify(entered.body)).toBe(201);
    return;
  }
  const slices = (await stopsOf(machine.id)).filter(({ deletedAt, sliceEnd }) => deletedAt === null && sliceEnd !== null);
  const stop = slices[i % slices.length];
  if (!stop) throw new Error("there is no stop");
  const generalCauseId = causes[Math.floor(i / 4) % 2]?.id;
  const changed =
    i % 4 === 1
      ? await call("PUT", `/v1/stops/${stop.id}/classification`, { token, body: { generalCauseId } })
      : await call("PATCH", `/v1/stops/${stop.id}`, {
          token,
          body: { isProgrammed: i % 2 === 0, isIncludedInStops: i % 5 !== 0 },
        });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
}

// A few instants in `npm test`; a hundred with a thousand changes in `npm run verify`.
const { runs } = inject("edits");
const [instants, changesEach] = runs > 4 ? [100, 10] : [8, 3];

it("asOf an earlier instant is answered as it was then, whatever has changed since", { timeout: 3_000_000 }, async () => {
  const own = await plant();
  const known: [number, unknown][] = [];
  for (let i = 0; i < instants; i++) {
    known.push([await now(), await said(own)]);
    for (let n = 0; n < changesEach; n++) await change(own, i * 7 + n);
  }
  vi.setSystemTime((await now()) + 11 * SECOND);
  for (const [at, then] of known) expect(await said(own, at), iso(at)).toEqual(then);
  const [[, first] = [], [, last] = []] = [known[0], known.at(-1)];
  expect(last).not.toEqual(first);
});

it("asOf leaves out shifts that were not closed, and counts accordingly", async () => {
  const own = await plant();
  const at = await now();
  vi.setSystemTime((await now()) + 11 * SECOND);
  const { totalCount, metrics } = await own.report("metrics", { asOf: iso(at) });
  expect([totalCount, metrics.length]).toEqual([4, 4]);
  expect((await own.report("metrics", {})).totalCount).toBe(6);
  // Ten minutes after the end of the first shift, none had been recorded; at that time no shift was closed.
  const { data, total } = await own.ask("summary", { ...range, groupBy: "shift", asOf: iso(HOUR_STARTS - 5 * HOUR) });
  expect([data, total.total]).toEqual([[], 0]);
  expect((await own.ask("shift-records", { asOf: iso(HOUR_STARTS - 3 * HOUR) })).data).toEqual([]);
});

it("asOf in the last ten seconds, in the future, or before it is known what was reported, is refused", async () => {
  const { companyId, ask, report } = await plant();
  const paths = [
    (asOf: number) => ask("summary", { groupBy: "shift", asOf: iso(asOf) }, 400),
    (asOf: number) => ask("shift-records", { asOf: iso(asOf) }, 400),
    (asOf: number) => report("metrics", { asOf: iso(asOf) }, 400),
    (asOf: number) => report("stops", { asOf: iso(asOf) }, 400),
  ];
  for (const path of paths) {
    for (const asOf of [Date.now() - 9 * SECOND, Date.now() + HOUR]) {
      expect((await path(asOf)).errors).toMatchObject([{ pointer: expect.stringMatching(/asOf$/), code: "out_of_range" }]);
    }
  }
  await env.DB_0.prepare("update report_times set known_from = ? where company_id = ?")
    .bind(HOUR_STARTS - HOUR, companyId)
    .run();
  for (const path of paths) {
    const { errors } = await path(HOUR_STARTS - HOUR - 1);
    expect(errors).toMatchObject([{ message: expect.stringContaining(iso(HOUR_STARTS - HOUR)) }]);
  }
  await ask("summary", { groupBy: "shift", asOf: iso(HOUR_STARTS - HOUR) });
});

it("the pages of a list as of an instant are of that instant", async () => {
  const own = await plant();
  const at = await now();
  vi.setSystemTime((await now()) + 11 * SECOND);
  const whole = (await own.ask("shift-records", { asOf: iso(at) })).data;
  await own.send(own.count(own.first, 45, 3));
  const pages: unknown[] = [];
  let cursor: string | null = null;
  do {
    const page = await own.ask("shift-records", { asOf: iso(at), limit: "1", ...(cursor && { cursor }) });
    pages.push(...page.data);
    cursor = page.cursor;
  } while (cursor);
  expect(pages).toEqual(whole);
  const [first] = (await own.ask("shift-records", { asOf: iso(at), limit: "1" })).cursor ? [1] : [];
  expect(first).toBe(1);
  const { cursor: ofPresent } = await own.ask("shift-records", { limit: "1" });
  await own.ask("shift-records", { asOf: iso(at), limit: "1", cursor: ofPresent }, 400);
});

it("asOf shows nothing of another company", async () => {
  const own = await plant();
  await own.send(own.count(own.first, 45, 3));
  const other = await plant();
  const at = await now();
  await own.send(own.count(own.first, 46, 3));
  vi.setSystemTime((await now()) + 11 * SECOND);
  const [theirs] = (await other.ask("shift-records", { asOf: iso(at) })).data;
  expect(theirs.company.id).toBe(other.companyId);
  expect((await other.ask("shift-records", { asOf: iso(at) })).data).toHaveLength(4);
  await other.ask("shift-records", { asOf: iso(at), machineIds: String(own.first.id) }, 404);
  const { total } = await other.ask("summary", { ...range, groupBy: "machine", asOf: iso(at) });
  expect(total.total).toBe((await other.ask("summary", { ...range, groupBy: "machine" })).total.total);
});

it("asOf of a superuser without a filter is of all companies, as they were then", async () => {
  const own = await plant();
  const all = { companyIds: undefined, ...range };
  const ofOwn = (rows: { machine: { id: number } }[]) =>
    rows.filter(({ machine }) => own.machines.some(({ id }) => id === machine.id));
  const before = await own.report("metrics", range);
  const stopsBefore = await own.report("stops", range);
  const at = await now();
  await own.send(own.count(own.first, 45, 3));
  vi.setSystemTime((await now()) + 11 * SECOND);
  const metrics = await own.report("metrics", { ...all, asOf: iso(at) });
  const stops = await own.report("stops", { ...all, asOf: iso(at) });
  expect(ofOwn(metrics.metrics)).toEqual(before.metrics);
  expect(ofOwn(stops.stops)).toEqual(stopsBefore.stops);
});
