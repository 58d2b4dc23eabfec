import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, beforeEach, expect, inject, it, vi } from "vitest";
import { issueToken } from "../../../src/core/token.ts";
import { extendSums } from "../../../src/oee/shift-ledger.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE } from "../../support/clock.ts";
import { createShift, createStopCause, createUser } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest, recordsOf, stopsOf } from "../../support/machines.ts";
import { changeState, stateIn } from "../../support/object-storage.ts";
import { iso } from "./stopped-line.ts";

// Random signals and edits by people, interleaved. Times are whole minutes, many of them edges of
// shifts and breaks, so that some coincide. fast-check prints the seed of a failure.
const { runs } = inject("edits");

declare module "vitest" {
  interface ProvidedContext {
    edits: { runs: number };
  }
}

const start = Date.UTC(2041, 0, 7, 6);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  vi.spyOn(console, "log").mockReturnValue(undefined);
});
// The log stays silent: messages that the last request logs after its answer must not arrive while the file's worker is closed.
afterEach(() => {
  vi.useRealTimers();
});

async function createPlant(noDataAfterSeconds: number | null) {
  const options = { commissionedAt: start, noDataAfterSeconds, standardCycleSeconds: 60 };
  const { companyId, shiftId, machine, token: gateway } = await createLine(options);
  await env.DB_0.prepare("UPDATE shifts SET deleted_at = 1 WHERE id = ?").bind(shiftId).run();
  const breaks = [{ name: "Lunch", start: "10:00", end: "10:30", isIncludedInAvailability: false }];
  await createShift(companyId, { start: "06:00", end: "14:00", breaks });
  await createShift(companyId, { start: "14:00", end: "22:00" });
  const general = await createStopCause(companyId, { ownIsProgrammed: true });
  const specific = await createStopCause(companyId, { level: "specific", ownIsIncludedInAvailability: false });
  const { userId: id, role, tokenVersion } = await createUser(companyId, "user");
  const user = { id, companyId, role, tokenVersion };
  return { machine, machineId: machine.id, gateway, user, causes: [general.id, specific.id] };
}
type Plant = Awaited<ReturnType<typeof createPlant>>;

const edges = [0, 4 * HOUR, 4.5 * HOUR, 8 * HOUR, 16 * HOUR, DAY];

/** A whole minute between the start, or up to two days ago, and now: one in four is at an edge or next to it. */
function timeAt(part: number): number {
  const now = Math.floor(Date.now() / MINUTE) * MINUTE;
  const earliest = Math.max(start, now - 2 * DAY);
  const at = earliest + Math.floor(((now - earliest) / MINUTE) * part) * MINUTE;
  const nearest = start + Math.round((at - start) / DAY) * DAY + (edges[Math.floor(part * 1e6) % edges.length] ?? 0);
  return Math.floor(part * 1e4) % 4 === 0 && nearest >= earliest && nearest < now ? nearest : at;
}

/** Calls as the plant's user. The clock runs fast, so each call has a new token. */
async function ask({ user }: Plant, method: string, path: string, body?: object) {
  const { token } = await issueToken(env, user, Date.now() / 1000);
  const answer = await call(method, path, { token, body });
  expect([200, 201, 204, 400, 404, 409], JSON.stringify(answer.body)).toContain(answer.status);
  if (method === "GET" || ![200, 201].includes(answer.status)) return answer;
  // An edit answers with the same stops as later reads.
  for (const stop of answer.body.data ?? [answer.body]) {
    expect((await call("GET", `/v1/stops/${stop.id}`, { token })).body).toEqual(stop);
  }
  return answer;
}

async function known(plant: Plant): Promise<{ id: number; startTime: string; endTime: string | null; isManual: boolean }[]> {
  const { body } = await ask(plant, "GET", `/v1/stops?limit=500&machineIds=${plant.machineId}`);
  return body.data.toReversed();
}

function pick<T>(list: readonly T[], part: number): T | undefined {
  return list[Math.floor(part * list.length)];
}

async function run({ gateway, machine }: Plant, a: number, b: number) {
  const at = timeAt(a);
  const length = Math.floor((Math.min(Date.now(), at + b * b * 8 * HOUR) - at) / MINUTE) + 1;
  const events = Array.from({ length: Math.max(0, length) }, (_, i) => countAt(machine.nodeId, at + i * MINUTE));
  if (events.length > 0) await ingest(gateway, events);
}

async function record(plant: Plant, a: number, b: number) {
  const { machineId } = plant;
  const at = timeAt(a);
  const endTime = iso(Math.min(Date.now(), at + Math.ceil(b * b * 600) * MINUTE));
  const flags = { isProgrammed: b > 0.5, isIncludedInAvailability: a > 0.2 };
  const stop = { startTime: iso(at), endTime, ...flags };
  const { status, body } = await ask(plant, "POST", "/v1/stops", { machineId, ...stop });
  if (status === 201) expect(body).toMatchObject({ ...stop, isManual: true });
}

async function split(plant: Plant, a: number, b: number) {
  const stop = pick(await known(plant), a);
  if (!stop) return;
  const { startTime, endTime } = stop;
  const [from, to] = [Date.parse(startTime), endTime === null ? Date.now() : Date.parse(endTime)];
  const at = iso(from + Math.floor(((to - from) / MINUTE) * b) * MINUTE);
  const { status, body } = await ask(plant, "POST", `/v1/stops/${stop.id}/split`, { at });
  // The stop may have changed since it was published, but not where it is split.
  if (status === 200) expect(body.data).toMatchObject([{ id: stop.id, endTime: at }, { startTime: at }]);
}

async function merge(plant: Plant, a: number) {
  const stops = await known(plant);
  const pairs = stops.flatMap((stop, i) => {
    const next = stops[i + 1];
    return next && stop.endTime === next.startTime ? [[stop.id, next.id]] : [];
  });
  const pair = pick(pairs, a);
  if (!pair) return;
  const { status, body } = await ask(plant, "POST", "/v1/stops/merge", { ids: pair });
  if (status === 200) expect(body.id).toBe(pair[0]);
}

async function classify(plant: Plant, a: number, b: number) {
  const stop = pick(await known(plant), a);
  const [generalCauseId, specificCauseId] = plant.causes.map(String);
  const body = pick([{ description: "why" }, { generalCauseId }, { specificCauseId }], b);
  if (stop) await ask(plant, "PUT", `/v1/stops/${stop.id}/classification`, body);
}

async function change(plant: Plant, a: number, b: number) {
  const stop = pick(await known(plant), a);
  const body = { name: "named", isProgrammed: b > 0.5, isIncludedInAvailability: b > 0.2 };
  if (stop) await ask(plant, "PATCH", `/v1/stops/${stop.id}`, body);
}

/** The random actions; `a` and `b` are from 0 to 1. */
const happenings = {
  run,
  runAgain: run,
  pulse: ({ gateway, machine }: Plant, a: number) => ingest(gateway, [countAt(machine.nodeId, timeAt(a))]),
  heartbeat: ({ gateway, machineId }: Plant, a: number) =>
    ingest(gateway, [{ type: "heartbeat", machineId, at: iso(timeAt(a)) }]),
  wait: (_: Plant, a: number, b: number) => vi.setSystemTime(Date.now() + Math.ceil(a * b * 30 * 60) * MINUTE),
  alarm: ({ machineId }: Plant) => flushMachine(machineId),
  evict: async ({ machineId }: Plant) => {
    // An evicted object cannot be evicted.
    await machineObject(env, machineId).operators();
    await evictDurableObject(machineObject(env, machineId));
  },
  record,
  recordAgain: record,
  split,
  splitAgain: split,
  merge,
  mergeAgain: merge,
  classify,
  change,
  clear: async (plant: Plant, a: number) => {
    const stop = pick(await known(plant), a);
    if (stop) await ask(plant, "DELETE", `/v1/stops/${stop.id}/classification`);
  },
  delete: async (plant: Plant, a: number) => {
    const manual = (await known(plant)).filter((stop) => stop.isManual);
    const stop = pick(manual, a);
    if (stop) await ask(plant, "DELETE", `/v1/stops/${stop.id}`);
  },
} satisfies Record<string, (plant: Plant, a: number, b: number) => unknown>;

const sums = ["programmedMs", "nonProgrammedMs", "otherMs", "annotatedMs"] as const;

/** Checks that the published rows are consistent. */
async function check({ machineId }: Plant): Promise<void> {
  const now = Date.now();
  const slices = (await stopsOf(machineId)).filter((slice) => slice.deletedAt === null);
  for (const record of await recordsOf(machineId)) {
    const about = `shift of ${iso(record.startAt)}`;
    const until = Math.min(now, record.endAt);
    const extended = extendSums(record, until);
    const { availableMs, noDataMs, programmedMs, nonProgrammedMs, otherMs } = extended;
    const covered = until - Math.max(record.startAt, start);
    expect(availableMs + noDataMs + programmedMs + nonProgrammedMs + otherMs, about).toBe(covered);
    const added = { programmedMs: 0, nonProgrammedMs: 0, otherMs: 0, annotatedMs: 0 };
    let end = record.startAt;
    for (const slice of slices.filter(({ shiftStart }) => shiftStart === record.startAt)) {
      expect(slice.sliceStart, `${about}: ${slice.id} overlaps`).toBeGreaterThanOrEqual(end);
      end = slice.sliceEnd ?? until;
      const bucket = !slice.isIncludedInAvailability ? "otherMs" : slice.isProgrammed ? "programmedMs" : "nonProgrammedMs";
      added[bucket] += end - slice.sliceStart;
      const isAnnotated = (slice.generalCauseId ?? slice.specificCauseId) !== null && slice.isIncludedInAvailability;
      if (isAnnotated) added.annotatedMs += end - slice.sliceStart;
    }
    expect(end, about).toBeLessThanOrEqual(until);
    expect(added, about).toEqual(Object.fromEntries(sums.map((sum) => [sum, extended[sum]])));
  }
  // Whole stops: all slices of a stop agree on it, and no stops overlap.
  const whole = new Map(slices.map((slice) => [slice.id, `${slice.startAt} ${slice.endAt} ${slice.version}`]));
  for (const slice of slices) expect(`${slice.startAt} ${slice.endAt} ${slice.version}`).toBe(whole.get(slice.id));
  const spans = [...new Map(slices.map(({ id, startAt, endAt }) => [id, { id, startAt, endAt: endAt ?? now }])).values()];
  spans.sort((a, b) => a.startAt - b.startAt);
  for (const [i, span] of spans.entries()) {
    const next = spans[i + 1];
    if (next) expect(next.startAt, `${span.id} and ${next.id} overlap`).toBeGreaterThanOrEqual(span.endAt);
  }
}

async function publishedRows(machineId: number) {
  const plain = <T extends { revision: number; updatedAt: number }>({ revision: _, updatedAt: __, ...row }: T) => row;
  return { records: (await recordsOf(machineId)).map(plain), stops: (await stopsOf(machineId)).map(plain) };
}

async function reckonAnew(machineId: number): Promise<void> {
  await runInDurableObject(machineObject(env, machineId), (_, { storage }) => {
    const { settled } = stateIn(storage);
    if (settled) changeState(storage, { settled: { ...settled, dirtyFrom: 0 } });
  });
  await evictDurableObject(machineObject(env, machineId));
  await flushMachine(machineId);
}

const part = fc.noBias(fc.integer({ min: 0, max: 999_999 })).map((millionths) => millionths / 1e6);
const kind = fc.constantFrom(...(Object.keys(happenings) as (keyof typeof happenings)[]));
const steps = fc.array(fc.tuple(kind, part, part), { minLength: 1, maxLength: 60, size: "max" });

it("keeps consistent records whatever people and machines do, in any order", { timeout: 600_000 }, async () => {
  // Not by fast-check's limits: it would leave a run that it interrupts at work, and that run would set the clock of the next tests.
  const until = performance.now() + 15_000;
  const property = fc.asyncProperty(fc.constantFrom(600, null), steps, async (noDataAfterSeconds, script) => {
    if (performance.now() > until) return;
    vi.setSystemTime(start);
    const plant = await createPlant(noDataAfterSeconds);
    await machineObject(env, plant.machineId).configure(1);
    vi.setSystemTime(start + 12 * HOUR);
    for (const [i, [kind, a, b]] of script.entries()) {
      await happenings[kind](plant, a, b);
      if (i % 6 === 5) {
        await flushMachine(plant.machineId);
        await check(plant);
      }
    }
    await flushMachine(plant.machineId);
    await check(plant);
    const before = await publishedRows(plant.machineId);
    await reckonAnew(plant.machineId);
    expect(await publishedRows(plant.machineId)).toEqual(before);
  });
  await fc.assert(property, { numRuns: runs });
});
