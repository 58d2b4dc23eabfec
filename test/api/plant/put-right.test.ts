import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { beginVersions } from "../../../src/api/plant/begin-versions.ts";
import { stepBounds } from "../../../src/machine/ledger/recalculation.ts";
import { DAY, HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { machineObject } from "../../support/machine-object.ts";
import { changeState } from "../../support/object-storage.ts";
import { channels, iso, newPlant, right, START, type Wrong } from "./put-right.ts";

// A plant that is put right afterwards has the numbers of one that was right from the start.

stopClockAtNoon();
const usual = { ...stepBounds };
afterEach(() => void Object.assign(stepBounds, usual));

const reason = "Found on Friday";

describe("a plant that is put right afterwards", () => {
  const kinds: [string, Wrong, (plant: Awaited<ReturnType<typeof newPlant>>) => [path: string, body: object][]][] = [
    [
      "limits",
      { limits: { stopAfterSeconds: 200, standardCycleSeconds: 30 } },
      ({ machine }) => [[`/v1/machines/${machine.id}`, { stopAfterSeconds: 900, standardCycleSeconds: 90 }]],
    ],
    [
      "standards",
      { standards: [{ machineId: null, standardCycleSeconds: 50 }] },
      () => [["/v1/skus/A", { standards: right.standards }]],
    ],
    [
      "counting factors",
      { factor: 3 },
      ({ machine }) => [
        [
          `/v1/machines/${machine.id}/count-sensor`,
          { isCountEnabled: true, configs: channels.map((one) => ({ ...one, nodeId: 7, countingFactor: 1 })) },
        ],
      ],
    ],
    [
      "a standard of one machine",
      { ofMachine: 55 },
      ({ machine }) => [["/v1/skus/B", { standards: [{ machineId: machine.id, standardCycleSeconds: 60 }] }]],
    ],
    ["the time zone", { timezone: "America/New_York" }, ({ companyId }) => [[`/v1/companies/${companyId}`, { timezone: "UTC" }]]],
    [
      "shifts",
      { early: { start: "05:00", end: "13:00", breaks: [] }, late: { start: "15:00", end: "23:00" } },
      ({ early, late }) => [
        [`/v1/shifts/${late.id}`, right.late],
        [`/v1/shifts/${early.id}`, right.early],
      ],
    ],
  ];

  it.each(kinds)("has the numbers of one that was right from the start: %s", async (_, wrong, changes) => {
    stepBounds.events = 400;
    const expected = await (await newPlant()).numbers();
    const plant = await newPlant(wrong);
    expect(await plant.numbers()).not.toEqual(expected);
    for (const [path, body] of changes(plant)) {
      const method = path.endsWith("/count-sensor") ? "PUT" : "PATCH";
      const answer = await plant.ask(method, path, { ...body, effectiveFrom: iso(START), reason });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    }
    await plant.settle();
    expect(await plant.numbers()).toEqual(expected);
    await plant.settle();
    expect(await plant.numbers()).toEqual(expected);
  });

  it.each([
    ["in one step", usual.events],
    ["in several steps", 400],
  ])("has the numbers of one that was right from the start: the commissioning, %s", async (_, events) => {
    stepBounds.events = events;
    const expected = await (await newPlant()).numbers();
    const plant = await newPlant({ commissionedAt: START + 40 * HOUR });
    const path = `/v1/machines/${plant.machine.id}`;
    expectProblem(await plant.ask("PATCH", path, { commissionedAt: iso(START + 41 * HOUR) }), 400, "/commissionedAt");
    const answer = await plant.ask("PATCH", path, { commissionedAt: iso(START) });
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200, body: { commissionedAt: iso(START) } });
    await plant.settle();
    // No event is known of the time that was added.
    const [first] = (await plant.numbers()).records;
    expect(first).toMatchObject({ start_at: expected.records[0]?.start_at });
    expect(first).not.toEqual(expected.records[0]);
    await plant.send();
    await plant.settle();
    expect(await plant.numbers()).toEqual(expected);
  });

  it("has its former numbers again after a withdrawal, and those outside of the time of the change throughout", async () => {
    const plant = await newPlant();
    const before = await plant.numbers();
    const [from, until] = [START + 30 * HOUR, START + 50 * HOUR];
    const body = { standardCycleSeconds: 45, stopAfterSeconds: 200 };
    const path = `/v1/machines/${plant.machine.id}`;
    const dated = { effectiveFrom: iso(from), effectiveUntil: iso(until), reason };
    const answer = await plant.ask("PATCH", path, { ...body, ...dated });
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200, body: { standardCycleSeconds: 90 } });
    await plant.settle();
    const changed = await plant.numbers();
    expect(changed).not.toEqual(before);
    const outside = ({ records }: typeof before) =>
      records.filter(({ start_at, end_at }) => Number(end_at) <= from || Number(start_at) >= until + 2 * HOUR);
    expect(outside(changed)).toEqual(outside(before));
    const [version] = (await plant.ask("GET", `${path}/versions`)).body.data;
    expect(version).toMatchObject({ state: "past", reason });
    expect((await plant.ask("DELETE", `${path}/versions/${version.id}`)).status).toBe(204);
    await plant.settle();
    expect(await plant.numbers()).toEqual(before);
  });
});

it("nothing is left of a shift that another one ends earlier, as is found afterwards", async () => {
  const { ask, settle, numbers, early } = await newPlant({ early: { start: "05:00", end: "05:30", breaks: [] } });
  // Half an hour in the middle of the late shift, which then ends at its beginning.
  const body = { start: "16:00", end: "16:30", breaks: [], effectiveFrom: iso(START), reason };
  const answer = await ask("PATCH", `/v1/shifts/${early.id}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await settle();
  const { parts } = await numbers();
  expect(parts.filter(({ end_at, shift_end }) => Number(end_at) > Number(shift_end))).toEqual([]);
  // A part left behind says that the shift ended later than it does.
  expect(parts.filter(({ shift_start, shift_end }) => Number(shift_end) - Number(shift_start) > 2 * HOUR)).toEqual([]);
});

it("a stop leaves a shift that another one ends before it, as is found afterwards", async () => {
  const { ask, settle, numbers, early } = await newPlant({ early: { start: "05:00", end: "05:30", breaks: [] } });
  const inLate = ({ stops }: Awaited<ReturnType<typeof numbers>>) =>
    stops.filter(({ slice_start }) => Number(slice_start) % DAY > 20 * HOUR && Number(slice_start) % DAY < 21.5 * HOUR);
  expect(inLate(await numbers())).toMatchObject([{ shift_end: expect.any(Number) }, { shift_end: expect.any(Number) }]);
  const body = { start: "20:00", end: "21:30", breaks: [], effectiveFrom: iso(START), reason };
  const answer = await ask("PATCH", `/v1/shifts/${early.id}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await settle();
  const moved = inLate(await numbers());
  expect(moved.map(({ shift_start }) => Number(shift_start) % DAY)).toEqual([20 * HOUR, 20 * HOUR]);
});

it("nothing is left of a former shift that reaches beyond the step in which its record goes", async () => {
  const { ask, settle, numbers, early } = await newPlant({ early: { start: "05:00", end: "13:00", breaks: [] } });
  const ofFormer = async () => (await numbers()).stops.filter(({ shift_start }) => Number(shift_start) % DAY === 5 * HOUR);
  expect((await ofFormer()).length).toBeGreaterThan(5);
  stepBounds.days = 1 / 24;
  const body = { start: "10:00", end: "14:00", breaks: [], effectiveFrom: iso(START), reason };
  const answer = await ask("PATCH", `/v1/shifts/${early.id}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await settle();
  expect(await ofFormer()).toEqual([]);
});

it("a change that was planned ahead holds from its instant to its end, though the job that begins it is late", async () => {
  const [from, until] = [NOON + HOUR, NOON + HOUR + 30 * MINUTE];
  const change = {
    standardCycleSeconds: 45,
    stopAfterSeconds: 100,
    effectiveFrom: iso(from),
    effectiveUntil: iso(until),
    reason,
  };
  const numbers = [];
  for (const isPlanned of [true, false]) {
    vi.setSystemTime(NOON);
    const { ask, machine, settle, count, numbers: now } = await newPlant();
    const path = `/v1/machines/${machine.id}`;
    if (isPlanned) expect((await ask("PATCH", path, change)).status).toBe(200);
    for (const at of [from, until]) {
      vi.setSystemTime(at + 50 * SECOND);
      await count(at - 30 * MINUTE, at + MINUTE);
      await settle();
      await beginVersions(env, Date.now());
      await settle();
      expect((await ask("GET", path)).body.stopAfterSeconds).toBe(isPlanned && at === from ? 100 : 900);
    }
    vi.setSystemTime(NOON + 3 * HOUR);
    if (!isPlanned) expect((await ask("PATCH", path, change)).status).toBe(200);
    await settle();
    numbers.push(await now());
  }
  expect(numbers[1]).toEqual(numbers[0]);
});

it("a deleted SKU takes no dates, and its standard holds on in its runs", async () => {
  const { ask, settle, numbers } = await newPlant();
  const before = await numbers();
  expect((await ask("DELETE", "/v1/skus/A")).status).toBe(204);
  const body = { standards: [], effectiveFrom: iso(START), reason };
  expectProblem(await ask("PATCH", "/v1/skus/A", body), 404);
  await settle();
  expect(await numbers()).toEqual(before);
});

it("an SKU without a standard can be given its first one for the past, and has none again after the withdrawal", async () => {
  const expected = await (await newPlant()).numbers();
  const { ask, settle, numbers } = await newPlant({ standards: [] });
  const before = await numbers();
  expect(before).not.toEqual(expected);
  const { standards } = right;
  const answer = await ask("PATCH", "/v1/skus/A", { standards, effectiveFrom: iso(START), reason });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200, body: { standards } });
  await settle();
  expect(await numbers()).toEqual(expected);
  const [version] = (await ask("GET", "/v1/skus/A/versions")).body.data;
  expect((await ask("DELETE", `/v1/skus/A/versions/${version.id}`)).status).toBe(204);
  expect((await ask("GET", "/v1/skus/A")).body).toMatchObject({ standards: [] });
  await settle();
  expect(await numbers()).toEqual(before);
});

it("a time whose events a machine does not keep is refused with the instant from which it keeps them", async () => {
  const { ask, machine, early } = await newPlant();
  const keptFrom = START + DAY;
  const stub = machineObject(env, machine.id);
  await runInDurableObject(stub, (_, { storage }) => changeState(storage, { "complete from": keptFrom }));
  await evictDurableObject(stub);
  for (const [path, body] of [
    [`/v1/machines/${machine.id}`, { stopAfterSeconds: 60 }],
    [`/v1/shifts/${early.id}`, { end: "13:00" }],
    ["/v1/skus/A", { standards: [] }],
  ] as const) {
    const refused = await ask("PATCH", path, { ...body, effectiveFrom: iso(keptFrom - 1), reason });
    expectProblem(refused, 409, "/effectiveFrom");
    expect(refused.body.errors[0].message).toContain(iso(keptFrom));
    expect((await ask("PATCH", path, { ...body, effectiveFrom: iso(keptFrom), reason })).status).toBe(200);
  }
});

it("each member holds until the next change of it, and through all of them if that is said", async () => {
  const { ask, machine } = await newPlant();
  const path = `/v1/machines/${machine.id}`;
  const change = async (body: object) => expect((await ask("PATCH", path, { ...body, reason })).status).toBe(200);
  const [first, second] = [START + DAY, START + 2 * DAY];
  await change({ hourlyRate: 50, effectiveFrom: iso(first) });
  await change({ stopAfterSeconds: 60, effectiveFrom: iso(second) });
  await change({ stopAfterSeconds: 300, hourlyRate: 40, effectiveFrom: iso(START) });
  const at = async (instant: number) => {
    const { stopAfterSeconds, hourlyRate } = (await ask("GET", `${path}?at=${iso(instant)}`)).body;
    return [stopAfterSeconds, hourlyRate];
  };
  expect(await Promise.all([START, first, second, NOON].map(at))).toEqual([
    [300, 40],
    [300, 50],
    [60, 50],
    [60, 50],
  ]);
  await change({ stopAfterSeconds: 120, effectiveFrom: iso(first), through: "all" });
  expect(await Promise.all([START, first, second, NOON].map(at))).toEqual([
    [300, 40],
    [120, 50],
    [120, 50],
    [120, 50],
  ]);
  expect((await ask("GET", path)).body.stopAfterSeconds).toBe(120);
  const versions = (await ask("GET", `${path}/versions`)).body.data;
  for (const { id, effectiveFrom, values } of versions.filter((one: { id: number | null }) => one.id)) {
    if (effectiveFrom >= iso(first) && values.stopAfterSeconds === 120)
      expect((await ask("DELETE", `${path}/versions/${id}`)).status).toBe(204);
  }
  expect(await at(NOON)).toEqual([60, 50]);
  expect((await ask("GET", path)).body.stopAfterSeconds).toBe(60);
});

it("counting factors of the past need a reason, and no change of the channel in between", async () => {
  const { ask, machine, settle, numbers } = await newPlant();
  const before = await numbers();
  const put = (countingFactor: number, dates: object = {}) => {
    const configs = channels.map((one) => ({ ...one, nodeId: 7, countingFactor }));
    return ask("PUT", `/v1/machines/${machine.id}/count-sensor`, { isCountEnabled: true, configs, ...dates });
  };
  const from = iso(START + 2 * DAY);
  expectProblem(await put(2, { effectiveFrom: from }), 400, "/reason");
  expectProblem(await put(2, { effectiveFrom: iso(Date.now() + HOUR), reason }), 400, "/effectiveFrom");
  expectProblem(await put(2, { effectiveFrom: iso(START - 1), reason }), 400, "/effectiveFrom");
  expect((await put(2, { effectiveFrom: from, reason })).status).toBe(200);
  await settle();
  expect(await numbers()).not.toEqual(before);
  expectProblem(await put(1, { effectiveFrom: iso(START + DAY), reason }), 409, "/effectiveFrom");
  expect((await put(1, { effectiveFrom: from, reason })).status).toBe(200);
  await settle();
  expect(await numbers()).toEqual(before);
});

it("a change of the past needs a reason, a time in service, and no other shift at any time in which it holds", async () => {
  const { ask, machine, early, late } = await newPlant();
  const path = `/v1/machines/${machine.id}`;
  expectProblem(await ask("PATCH", path, { stopAfterSeconds: 60, effectiveFrom: iso(START) }), 400, "/reason");
  expectProblem(await ask("PATCH", path, { stopAfterSeconds: 60, effectiveFrom: iso(START - 1), reason }), 400, "/effectiveFrom");
  const monday = { effectiveFrom: iso(START), effectiveUntil: iso(START + DAY), reason };
  expect((await ask("PATCH", `/v1/shifts/${early.id}`, { end: "13:00", ...monday })).status).toBe(200);
  expect((await ask("PATCH", `/v1/shifts/${late.id}`, { start: "13:00", ...monday })).status).toBe(200);
  expectProblem(await ask("PATCH", `/v1/shifts/${early.id}`, { end: "14:00", effectiveFrom: iso(START), reason }), 409, "/start");
  expect((await ask("GET", `/v1/shifts/${late.id}?at=${iso(START + HOUR)}`)).body.start).toBe("13:00");
  expect((await ask("GET", `/v1/shifts/${late.id}`)).body.start).toBe("14:00");
});
