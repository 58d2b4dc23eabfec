import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { stepBounds } from "../../../src/machine/ledger/recalculation.ts";
import { membersOf } from "../../../src/machine/publish/revisions.ts";
import { readWouldBeSetUps } from "../../../src/objects/set-up.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createUser } from "../../support/factories.ts";
import { doJob } from "../../support/jobs.ts";
import { machineObject } from "../../support/machine-object.ts";
import { flushMachine, recordsOf } from "../../support/machines.ts";
import { channels, iso, newPlant, right, START, type Wrong } from "./put-right.ts";

stopClockAtNoon();
const usual = { ...stepBounds };
afterEach(() => void Object.assign(stepBounds, usual));

const reason = "Found on Friday";
type Plant = Awaited<ReturnType<typeof newPlant>>;
type Members = Record<string, number>;

/** The members of the records of a machine, by the start of the shift. */
async function membersByShift({ machine }: Plant): Promise<Map<number, Members>> {
  const records = await recordsOf(machine.id);
  // The running shift is as of an instant of its own.
  const ended = records.filter(({ endAt }) => endAt <= NOON);
  return new Map(
    ended.map((row) => {
      const { actualSpeed: _, ...members } = membersOf(row as never);
      return [row.startAt, members];
    }),
  );
}

/** What differs between the records before and after a change. */
function differences(before: Map<number, Members>, after: Map<number, Members>) {
  const starts = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b);
  return starts.flatMap((at) => {
    const [was, is] = [before.get(at), after.get(at)];
    const differing = Object.keys({ ...was, ...is }).filter((name) => was?.[name] !== is?.[name]);
    const some = (all?: Members) => all && Object.fromEntries(differing.map((name) => [name, all[name]]));
    return differing.length > 0 ? [{ start: iso(at), before: some(was) ?? null, after: some(is) ?? null }] : [];
  });
}

interface Shown {
  start: string;
  end: string;
  before: Members | null;
  after: Members | null;
}

/** A change of the members that reports have of a shift, apart from what it was stamped with. */
const withoutStamps = (members: Members | null) =>
  members && Object.fromEntries(Object.entries(members).filter(([name]) => name !== "hourlyRate" && name !== "lineId"));

/** The ended shifts of a dry run whose records would differ. */
const shownOf = (shifts: Shown[]) =>
  shifts
    .filter(({ end }) => end <= iso(NOON))
    .map(({ start, before, after }) => ({ start, before: withoutStamps(before), after: withoutStamps(after) }))
    .filter(({ before, after }) => Object.keys({ ...before, ...after }).length > 0);

/** All that the object of a machine and the database of its company have stored. */
async function dump({ machine }: Plant) {
  const ofObject = await runInDurableObject(machineObject(env, machine.id), (_, { storage }) => {
    const names = storage.sql.exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
    );
    return {
      tables: names.toArray().map(({ name }) => [name, storage.sql.exec(`SELECT * FROM ${name}`).toArray()]),
      values: [...storage.kv.list()],
    };
  });
  const ofTable = async (table: string) => (await env.DB_0.prepare(`SELECT * FROM ${table}`).all()).results;
  const tables = [
    "set_up_versions",
    "machines",
    "shifts",
    "skus",
    "sku_standards",
    "companies",
    "count_channels",
    "count_sensors",
  ];
  const more = ["calendar_days", "shift_records", "shift_revisions", "audit", "idempotency_keys", "sequences", "recalculations"];
  return { ofObject, ofDatabase: await Promise.all([...tables, ...more].map(ofTable)) };
}

type Change = [method: string, path: string, body?: object];

/** Tries a change, which must change nothing, and makes it: both have to agree. */
async function tryAndMake(plant: Plant, [method, path, body]: Change) {
  await plant.settle();
  const before = await membersByShift(plant);
  const stored = await dump(plant);
  const dryPath = body ? path : `${path}?dryRun=true`;
  const dry = await plant.ask(method, dryPath, body && { ...body, dryRun: true });
  expect(dry.status, JSON.stringify(dry.body)).toBe(200);
  expect(await dump(plant)).toEqual(stored);
  const made = await plant.ask(method, path, body);
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  await plant.settle();
  const expected = differences(before, await membersByShift(plant));
  const { dryRun } = dry.body;
  expect(dryRun).toMatchObject({ recalculationId: null, machineCount: 1 });
  expect(shownOf(dryRun.shifts)).toEqual(expected);
  expect(dryRun.shiftCount).toBe(dryRun.shifts.length);
  return { dryRun, expected, made };
}

const dates = { effectiveFrom: iso(START), reason };

describe("a dry run agrees with the change, and changes nothing", () => {
  const kinds: [string, Wrong, (plant: Plant) => Change[]][] = [
    [
      "limits",
      { limits: { stopAfterSeconds: 200, standardCycleSeconds: 30 } },
      ({ machine }) => [["PATCH", `/v1/machines/${machine.id}`, { stopAfterSeconds: 900, standardCycleSeconds: 90, ...dates }]],
    ],
    [
      "the commissioning",
      { commissionedAt: START + 80 * HOUR },
      ({ machine }) => [["PATCH", `/v1/machines/${machine.id}`, { commissionedAt: iso(START) }]],
    ],
    [
      "standards",
      { standards: [{ machineId: null, standardCycleSeconds: 50 }] },
      () => [["PATCH", "/v1/skus/A", { standards: right.standards, ...dates }]],
    ],
    [
      "a standard of one machine",
      { ofMachine: 55 },
      ({ machine }) => [["PATCH", "/v1/skus/B", { standards: [{ machineId: machine.id, standardCycleSeconds: 60 }], ...dates }]],
    ],
    [
      "counting factors",
      { factor: 3 },
      ({ machine }) => [
        [
          "PUT",
          `/v1/machines/${machine.id}/count-sensor`,
          { isCountEnabled: true, configs: channels.map((one) => ({ ...one, nodeId: 7, countingFactor: 1 })), ...dates },
        ],
      ],
    ],
    [
      "the time zone",
      { timezone: "America/New_York" },
      ({ companyId }) => [["PATCH", `/v1/companies/${companyId}`, { timezone: "UTC", ...dates }]],
    ],
    [
      "shifts with breaks",
      { early: { start: "05:00", end: "13:00", breaks: [] }, late: { start: "15:00", end: "23:00" } },
      ({ early, late }) => [
        ["PATCH", `/v1/shifts/${late.id}`, { ...right.late, ...dates }],
        ["PATCH", `/v1/shifts/${early.id}`, { ...right.early, ...dates }],
      ],
    ],
  ];

  it.each(kinds)("%s", async (_, wrong, changes) => {
    stepBounds.events = 400;
    const plant = await newPlant(wrong);
    for (const change of changes(plant)) {
      const { dryRun, expected } = await tryAndMake(plant, change);
      expect(expected.length).toBeGreaterThan(5);
      expect(dryRun.before).not.toEqual(dryRun.after);
    }
  });

  it("calendar days of the past and of today", async () => {
    stepBounds.events = 400;
    const plant = await newPlant();
    for (const days of [4, 1, 0]) {
      const date = iso(NOON - days * DAY).slice(0, 10);
      const { made } = await tryAndMake(plant, ["POST", "/v1/calendar-days", { date, scope: "company", closed: true }]);
      const path = `/v1/calendar-days/${made.body.id}`;
      const shifts = [{ shiftId: plant.early.id, start: "08:00", end: "13:00" }];
      const { expected } = await tryAndMake(plant, ["PATCH", path, { shifts }]);
      if (days > 0) expect(expected.some(({ before, after }) => before === null && after !== null)).toBe(true);
      await tryAndMake(plant, ["DELETE", path]);
    }
  });

  it("limits of a time, and the withdrawal of their version", async () => {
    stepBounds.events = 400;
    const plant = await newPlant();
    const path = `/v1/machines/${plant.machine.id}`;
    const ofTime = { effectiveFrom: iso(START + 30 * HOUR), effectiveUntil: iso(START + 50 * HOUR), reason };
    const { expected } = await tryAndMake(plant, ["PATCH", path, { standardCycleSeconds: 45, stopAfterSeconds: 200, ...ofTime }]);
    const [version] = (await plant.ask("GET", `${path}/versions`)).body.data;
    const back = await tryAndMake(plant, ["DELETE", `${path}/versions/${version.id}`]);
    expect(back.expected).toEqual(expected.map((one) => ({ ...one, before: one.after, after: one.before })));
    // Once more over it, through all, and without dates.
    await tryAndMake(plant, ["PATCH", path, { stopAfterSeconds: 300, effectiveFrom: iso(START + DAY), through: "all", reason }]);
    await tryAndMake(plant, ["PATCH", path, { stopAfterSeconds: 120, hourlyRate: 40 }]);
    await tryAndMake(plant, ["PATCH", path, { noDataAfterSeconds: 1800, effectiveFrom: iso(NOON - 2 * HOUR), reason }]);
  });

  it("a shift that is changed from now on, or ahead, changes no closed shift", async () => {
    const plant = await newPlant();
    const path = `/v1/shifts/${plant.early.id}`;
    const now = await tryAndMake(plant, ["PATCH", path, { end: "13:30" }]);
    expect(now.dryRun.shifts.every(({ end }: { end: string }) => end > iso(NOON))).toBe(true);
    const ahead = { end: "12:00", effectiveFrom: iso(NOON + DAY), dryRun: true };
    const { body } = await plant.ask("PATCH", path, ahead);
    expect(body.dryRun).toMatchObject({ machineCount: 0, shiftCount: 0, shifts: [] });
    expect(body.timeline.length).toBeGreaterThan(1);
  });
});

it("a dry run is refused like the change, and allowed to the same people", async () => {
  const plant = await newPlant();
  const path = `/v1/machines/${plant.machine.id}`;
  const change = { stopAfterSeconds: 60, effectiveFrom: iso(START - 1), reason, dryRun: true };
  expectProblem(await plant.ask("PATCH", path, change), 400, "/effectiveFrom");
  expectProblem(await plant.ask("PATCH", path, { ...change, effectiveFrom: iso(START), reason: undefined }), 400, "/reason");
  const { token } = await createUser(plant.companyId, "readonly");
  expect((await call("PATCH", path, { token, body: { ...change, effectiveFrom: iso(START) } })).status).toBe(403);
});

it("a dry run that is killed in the middle leaves nothing behind, and one that is asked for again finds all", async () => {
  const plant = await newPlant();
  await plant.settle();
  const { machine } = plant;
  const stored = await dump(plant);
  Object.assign(stepBounds, { events: 100, stepsPerAlarm: 3 });
  const change = { machine: { machineId: machine.id, stopAfterSeconds: 200, standardCycleSeconds: 30 } };
  const versions = {
    kinds: ["limits" as const],
    entity: String(machine.id),
    all: [
      {
        ...{ companyId: plant.companyId, id: 1e9, kind: "limits" as const, entity: String(machine.id), machineId: 0 },
        ...{ validFrom: START, validUntil: null, isExplicit: true, recordedAt: Date.now(), userId: 1, apiTokenId: null },
        ...{ requestId: null, reason, withdrawnAt: null, withdrawnBy: null, dueAt: null },
        body: { ...right.limits, signal: "counts", reportingSeconds: null, hourlyRate: null, stopAfterSeconds: 200 },
      },
    ],
  };
  const [wouldBe] = await readWouldBeSetUps(env, plant.companyId, [machine.id], { ...change, versions });
  const stub = () => machineObject(env, machine.id) as unknown as import("../../../src/objects/machines.ts").MachineStub;
  const step = async () => await stub().dryRun("one", wouldBe?.setUp as never, 100);
  for (let killed = 0; killed < 4; killed++) {
    for (let steps = 0; steps <= killed; steps++) expect(await step()).toMatchObject({ state: "going" });
    const rows = await runInDurableObject(machineObject(env, machine.id), (_, { storage }) =>
      storage.sql.exec("SELECT 1 FROM next_spans").toArray(),
    );
    expect(rows.length).toBeGreaterThan(0);
    await evictDurableObject(machineObject(env, machine.id));
    await machineObject(env, machine.id).heardAt();
    expect(await dump(plant)).toEqual(stored);
  }
  let answer = await step();
  while (answer?.state === "going") answer = await step();
  expect(answer).toMatchObject({ state: "done" });
  expect((answer as { count: number }).count).toBeGreaterThan(5);
  expect(await dump(plant)).toEqual(stored);
});

it("a recalculation goes before a dry run, which then finds what it would have found", async () => {
  const plant = await newPlant();
  await plant.settle();
  const { machine, ask } = plant;
  stepBounds.events = 100;
  const body = { stopAfterSeconds: 200, ...dates, dryRun: true };
  const first = await ask("PATCH", `/v1/machines/${machine.id}`, body);
  expect(first.body.dryRun.recalculationId).toBeNull();
  const asked = { reason: "Doubts", machineIds: [machine.id], from: iso(START + HOUR) };
  expect((await ask("POST", "/v1/recalculations", asked)).status).toBe(201);
  await machineObject(env, machine.id).recalculate(START + HOUR, NOON, null);
  const { recalculationId } = (await ask("PATCH", `/v1/machines/${machine.id}`, body)).body.dryRun;
  expect(recalculationId).toBeGreaterThan(0);
  const get = async () => (await ask("GET", `/v1/recalculations/${recalculationId}`)).body;
  for (let i = 0; i < 40 && (await get()).endedAt === null; i++) {
    vi.setSystemTime(Date.now() + 31 * SECOND);
    await flushMachine(machine.id);
    await doJob("sweep", Date.now());
  }
  const { dryRun, endedAt, isDryRun } = await get();
  expect({ endedAt, isDryRun }).toEqual({ endedAt: expect.any(String), isDryRun: true });
  const closed = ({ end }: { end: string }) => end < iso(NOON);
  expect(dryRun.shifts.filter(closed)).toEqual(first.body.dryRun.shifts.filter(closed));
});

it("a dry run of more than 31 machine-days is a job, whose result is kept for a week", async () => {
  const plant = await newPlant();
  await plant.settle();
  const { ask, companyId } = plant;
  for (let i = 0; i < 6; i++) {
    const answer = await ask("POST", "/v1/machines", { name: `M${i}`, ref: `M${i}`, nodeId: 20 + i, commissionedAt: iso(START) });
    expect(answer.status).toBe(201);
  }
  const change = { timezone: "Asia/Tokyo", ...dates, dryRun: true };
  const answer = await ask("PATCH", `/v1/companies/${companyId}`, change);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { recalculationId, machineCount } = answer.body.dryRun;
  expect({ machineCount, isJob: recalculationId !== null }).toEqual({ machineCount: 7, isJob: true });
  const get = async () => await ask("GET", `/v1/recalculations/${recalculationId}`);
  expect((await get()).body).toMatchObject({ isDryRun: true, reason });
  for (let i = 0; i < 10 && (await get()).body.endedAt === null; i++) {
    await doJob("sweep", Date.now());
    vi.setSystemTime(Date.now() + MINUTE);
  }
  const { dryRun, endedCount, failedCount, changedRecords } = (await get()).body;
  expect({ endedCount, failedCount }).toEqual({ endedCount: 7, failedCount: 0 });
  expect(changedRecords).toBe(dryRun.shiftCount);
  expect(dryRun.shifts.length).toBeGreaterThan(12);
  expect((await ask("GET", `/v1/companies/${companyId}`)).body.timezone).toBe("UTC");
  vi.setSystemTime(Date.now() + 8 * DAY);
  await doJob("forgetShared", Date.now());
  const left = await env.DB_0.prepare("SELECT 1 FROM recalculations WHERE id = ?").bind(recalculationId).all();
  expect(left.results).toEqual([]);
});
