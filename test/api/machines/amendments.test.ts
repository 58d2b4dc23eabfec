import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { stepBounds } from "../../../src/machine/ledger/recalculation.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import {
  createCompany,
  createGatewayToken,
  createMachine,
  createOperator,
  createShift,
  createSku,
  createUser,
  createWorkOrder,
} from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { configureMachine, countAt, flushMachine, ingest } from "../../support/machines.ts";
import { changeState } from "../../support/object-storage.ts";

// What people say afterwards of what was made, and of who was there.

stopClockAtNoon();
const usual = { ...stepBounds };
afterEach(() => void Object.assign(stepBounds, usual));

const START = NOON - 6 * DAY;
const iso = (at: number) => new Date(at).toISOString();
const reason = "Nobody had entered it";

interface Said {
  /** Hours since the start at which a SKU was set, perhaps for the order. */
  skus: [hour: number, sku: string, isForOrder?: boolean][];
  /** Hours at which an operator signed in or out. */
  operators: [hour: number, operator: 0 | 1, action: "in" | "out"][];
}

/** A machine with six days of counts, of which events say what was made and who was there. */
async function newPlant({ skus, operators }: Said) {
  const { companyId } = await createCompany();
  const { token, userId } = await createUser(companyId, "user");
  const limits = { commissionedAt: START, stopAfterSeconds: 900, noDataAfterSeconds: 7200, standardCycleSeconds: 90 };
  const machine = await createMachine(companyId, limits);
  for (const [start, end] of [["06:00", "14:00"] as const, ["14:00", "22:00"] as const]) {
    await createShift(companyId, { start, end, machineIds: [machine.id] });
  }
  const skuIds: string[] = [];
  for (const standardCycleSeconds of [100, 60]) {
    skuIds.push((await createSku(companyId, { standards: [{ standardCycleSeconds }] })).skuId);
  }
  const skuId = (name: string) => skuIds[name === "A" ? 0 : 1] ?? "";
  const ids = [await createOperator(companyId), await createOperator(companyId)].map(({ operatorId }) => operatorId);
  const { workOrderId } = await createWorkOrder({ id: machine.id, companyId }, skuId("A"), { status: "InProgress" });
  const configs = [{ nodeId: machine.nodeId, channel: 1, type: "total", countingFactor: 1 }];
  const admin = (await createUser(companyId, "admin")).token;
  const sensors = await call("PUT", `/v1/machines/${machine.id}/count-sensor`, {
    token: admin,
    body: { isCountEnabled: true, configs },
  });
  expect(sensors.status, JSON.stringify(sensors.body)).toBe(200);
  await configureMachine(machine.id);
  const gateway = (await createGatewayToken(companyId)).token;
  const on = (hour: number) => ({ at: iso(START + hour * HOUR), machineId: machine.id });
  const said = [
    ...skus.map(([hour, sku, isForOrder]) => ({
      ...{ type: "sku", ...on(hour), skuId: skuId(sku) },
      ...(isForOrder && { workOrderId }),
    })),
    ...operators.map(([hour, who, action]) => ({ type: "operator", ...on(hour), operatorId: ids[who], action })),
  ];
  const minutes = Array.from({ length: (6 * 24 * 60) / 4 }, (_, i) => 4 * i).filter((minute) => minute % 700 > 50);
  const counts = minutes.map((minute) => countAt(machine.nodeId ?? 0, START + minute * MINUTE, minute % 5, { id: `c${minute}` }));
  for (let i = 0; i < counts.length; i += 900) await ingest(gateway, [...(i === 0 ? said : []), ...counts.slice(i, i + 900)]);
  const settle = () => flushMachine(machine.id);
  await settle();
  const path = `/v1/machines/${machine.id}`;
  const ask = (method: string, rest: string, body?: object, as = token) =>
    call(method, path + rest, { token: as, ...(body && { body }) });
  const numbers = () =>
    numbersOf(companyId, { [workOrderId]: "order", ...Object.fromEntries(skuIds.map((id, i) => [id, `sku ${i}`])) }, ids);
  return { companyId, userId, machine, ids, skuId, workOrderId, gateway, settle, ask, numbers };
}

type Plant = Awaited<ReturnType<typeof newPlant>>;
type Row = Record<string, unknown>;

/** What reports and orders are made of, without what differs between two plants. */
async function numbersOf(companyId: number, names: Record<string, string>, operatorIds: number[]) {
  const own = /^(id|company_id|machine_id|shift_id|revision|(created|updated|recorded)_(at|after_ms)|recent_.*)$/;
  const machines = "(SELECT id FROM machines WHERE company_id = ?)";
  const read = async (table: string, order: string) => {
    const sql = `SELECT * FROM ${table} WHERE machine_id IN ${machines} ORDER BY ${order}`;
    const { results } = await env.DB_0.prepare(sql).bind(companyId).all<Row>();
    return (
      results
        .filter((row) => Number(row.shift_end ?? row.end_at ?? 0) <= NOON && (row.deleted_at ?? null) === null)
        // A run that is gone is a row of an empty one.
        .filter((row) => table !== "order_runs" || row.end_at !== row.start_at)
        .map((row) => {
          const plain = Object.entries(row).filter(([name]) => !own.test(name));
          return Object.fromEntries(
            plain.map(([name, value]) => {
              if (name === "operator_id") return [name, operatorIds.indexOf(Number(value))];
              if (name === "work_order_number") return [name, value === null ? null : "order"];
              return [name, names[String(value)] ?? value];
            }),
          );
        })
    );
  };
  return {
    records: await read("shift_records", "start_at"),
    parts: await read("shift_parts", "start_at"),
    operators: await read("operator_shifts", "shift_start, operator_id"),
    runs: await read("order_runs", "start_at"),
  };
}

/** What the events say in both plants. */
const usually: Said = {
  skus: [0, 11, 22, 33, 44, 55, 66, 77, 88, 99, 110, 121, 132, 140].map((hour, i) => [hour, i % 2 ? "B" : "A"]),
  operators: [0, 1, 2, 3, 4, 5].flatMap((day): Said["operators"] => [
    [24 * day + 18.5, 0, "in"],
    [24 * day + 26.5, 1, "in"],
  ]),
};

/** Days 1 and 5: archived ones, which are recalculated, and the last two days, which change at once. */
const days = [
  [1, "long ago"],
  [5, "of the last days"],
] as const;

describe.each(days)("on day %i, %s", (day) => {
  const hour = 24 * day;
  /** An interval with another SKU in it, and the time after it until the next one. */
  const [from, to] = [hour - 3, hour + 6];
  const inside = (at: number) => from <= at && at < to;

  it("what was made is put right, and equals what was right from the start", async () => {
    stepBounds.events = 400;
    const sent = usually.skus.filter(([at]) => !inside(at));
    const [, before = "A"] = usually.skus.findLast(([at]) => at < to) ?? [];
    const right = await newPlant({
      ...usually,
      skus: [...sent, [from, "A", true], [hour + 1, "B"], [to, before]],
    });
    const plant = await newPlant(usually);
    const wrong = await plant.numbers();
    expect(wrong).not.toEqual(await right.numbers());
    const runs = [
      { startTime: iso(START + from * HOUR), skuId: plant.skuId("A"), workOrderId: plant.workOrderId },
      { startTime: iso(START + (hour + 1) * HOUR), skuId: plant.skuId("B") },
    ];
    const interval = { from: iso(START + from * HOUR), to: iso(START + to * HOUR) };
    const answer = await plant.ask("PUT", "/runs", { ...interval, runs, reason });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    await plant.settle();
    expect(await plant.numbers()).toEqual(await right.numbers());
    const query = `?from=${interval.from}&to=${interval.to}`;
    const { body } = await plant.ask("GET", `/runs${query}`);
    expect(body.runs).toMatchObject([runs[0], { ...runs[1], workOrderId: null, endTime: interval.to }]);
    expect(body.amendments).toMatchObject([{ ...interval, reason, userId: plant.userId }]);
    // Late events are folded as ever.
    const late = countAt(plant.machine.nodeId ?? 0, START + (hour + 0.5) * HOUR, 7, { id: "late" });
    for (const one of [plant, right]) {
      await ingest(one.gateway, [{ ...late, nodeId: one.machine.nodeId }]);
      await one.settle();
    }
    expect(await plant.numbers()).toEqual(await right.numbers());
    expect((await plant.ask("DELETE", `/runs/${body.amendments[0].id}`)).status).toBe(204);
    await plant.settle();
    const without = await newPlant(usually);
    await ingest(without.gateway, [{ ...late, nodeId: without.machine.nodeId }]);
    await without.settle();
    expect(await plant.numbers()).toEqual(await without.numbers());
    expectProblem(await plant.ask("DELETE", `/runs/${body.amendments[0].id}`), 404);
  });

  it("who was there is put right, and equals what was right from the start", async () => {
    stepBounds.events = 400;
    // Within the late shift of the day before.
    const [start, end] = [hour - 5, hour - 2.5];
    const right = await newPlant({
      ...usually,
      operators: [
        ...usually.operators,
        ...([
          [start, 0, "out"],
          [start, 1, "in"],
          [start + 1, 1, "out"],
          [end, 0, "in"],
        ] satisfies Said["operators"]),
      ],
    });
    const plant = await newPlant(usually);
    const wrong = await plant.numbers();
    const interval = { from: iso(START + start * HOUR), to: iso(START + end * HOUR) };
    const one = { operatorId: plant.ids[1], startTime: interval.from, endTime: iso(START + (start + 1) * HOUR) };
    const answer = await plant.ask("PUT", "/presences", { ...interval, presences: [one], reason });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    await plant.settle();
    expect(await plant.numbers()).not.toEqual(wrong);
    expect(await plant.numbers()).toEqual(await right.numbers());
    const { body } = await plant.ask("GET", `/presences?from=${interval.from}&to=${interval.to}`);
    expect(body.presences).toEqual([one]);
    const [{ id }] = body.amendments;
    expect((await plant.ask("DELETE", `/presences/${id}`)).status).toBe(204);
    await plant.settle();
    expect(await plant.numbers()).toEqual(wrong);
  });
});

async function amend(plant: Plant, over: object = {}, path = "/runs") {
  const [from, to] = [START + 24 * HOUR, START + 30 * HOUR].map(iso);
  const body = { from, to, runs: [{ startTime: from, skuId: plant.skuId("B") }], reason };
  return await plant.ask("PUT", path, { ...body, ...over });
}

it("of two amendments of one time the later one holds, and the earlier one again when that is undone", async () => {
  const plant = await newPlant(usually);
  const run = (hour: number, sku: string) => ({ startTime: iso(START + hour * HOUR), skuId: plant.skuId(sku) });
  const interval = (from: number, to: number) => ({ from: iso(START + from * HOUR), to: iso(START + to * HOUR) });
  await amend(plant, { ...interval(24, 30), runs: [run(24, "B")] });
  await plant.settle();
  const first = await plant.numbers();
  const { body } = await amend(plant, { ...interval(26, 28), runs: [run(26, "A")] });
  await plant.settle();
  const made = async () => {
    const { from, to } = interval(24, 30);
    return (await plant.ask("GET", `/runs?from=${from}&to=${to}`)).body.runs.map(({ skuId }: { skuId: string }) => skuId);
  };
  expect(await made()).toEqual(["B", "A", "B"].map(plant.skuId));
  await plant.ask("DELETE", `/runs/${body.amendments[0].id}`);
  await plant.settle();
  expect(await made()).toEqual([plant.skuId("B")]);
  expect(await plant.numbers()).toEqual(first);
});

it("what is made after an amendment of a machine without SKUs is a part of the hour of its own", async () => {
  const plant = await newPlant({ skus: [], operators: [] });
  const before = await plant.numbers();
  const [from, to] = [START + 24.2 * HOUR, START + 24.6 * HOUR].map(iso);
  expect((await amend(plant, { from, to, runs: [{ startTime: from, skuId: plant.skuId("B") }] })).status).toBe(200);
  await plant.settle();
  const { parts, records } = await plant.numbers();
  const sum = (rows: Row[]) => rows.reduce((all, row) => all + Number(row.total_units), 0);
  expect([sum(parts), sum(records)]).toEqual([sum(before.parts), sum(before.records)]);
  const ofHour = parts.filter((part) => part.hour_start === START + 24 * HOUR);
  expect(ofHour.map((part) => [part.start_at, part.sku_id])).toEqual([
    [START + 24 * HOUR, null],
    [START + 24.2 * HOUR, "sku 1"],
    [START + 24.6 * HOUR, null],
  ]);
  expect(parts.filter((part) => part.sku_id !== null)).toHaveLength(1);
});

it("amendments hold when everything since the commissioning is computed again", async () => {
  const plant = await newPlant(usually);
  const presences = [{ operatorId: plant.ids[1], startTime: iso(START + 25 * HOUR), endTime: iso(START + 27 * HOUR) }];
  expect((await amend(plant)).status).toBe(200);
  expect((await amend(plant, { runs: undefined, presences }, "/presences")).status).toBe(200);
  await plant.settle();
  const numbers = await plant.numbers();
  stepBounds.events = 400;
  expect(await machineObject(env, plant.machine.id).recalculate(START, NOON, null)).toBe(true);
  await plant.settle();
  expect(await plant.numbers()).toEqual(numbers);
});

it("an amendment is made once, audited with what was there before, and makes revisions by its author", async () => {
  const plant = await newPlant(usually);
  const headers = { "idempotency-key": crypto.randomUUID() };
  const from = iso(START + 26 * HOUR);
  const body = { from, to: iso(START + 30 * HOUR), runs: [{ startTime: from, skuId: plant.skuId("B") }], reason };
  const { token } = await createUser(plant.companyId, "user");
  for (let i = 0; i < 2; i++) {
    const answer = await call("PUT", `/v1/machines/${plant.machine.id}/runs`, { token, body, headers });
    expect(answer.status).toBe(200);
    expect(answer.body.amendments).toHaveLength(1);
  }
  await plant.settle();
  const admin = await createUser(plant.companyId, "admin");
  const { data } = (await call("GET", "/v1/audit?limit=100", { token: admin.token })).body;
  const entries = data.filter(({ action }: { action: string }) => action.startsWith("run."));
  expect(entries).toMatchObject([
    {
      action: "run.change",
      before: { runs: [{ skuId: plant.skuId("A") }] },
      after: { machineId: plant.machine.id, runs: [{ skuId: plant.skuId("B") }], reason },
    },
  ]);
  const { results } = await env.DB_0.prepare("SELECT reasons FROM shift_revisions WHERE machine_id = ?")
    .bind(plant.machine.id)
    .all();
  expect(results.length).toBeGreaterThan(0);
  expect((await plant.numbers()).parts.some(({ total_units }) => Number(total_units) > 0)).toBe(true);
});

it("what is wrong with an amendment is named, and changes nothing", async () => {
  const plant = await newPlant(usually);
  const other = await newPlant(usually);
  const before = await plant.numbers();
  const [from, to] = [START + 24 * HOUR, START + 30 * HOUR].map(iso);
  const run = { startTime: from, skuId: plant.skuId("B") };
  expectProblem(await amend(plant, { reason: "" }), 400, "/reason");
  expectProblem(await amend(plant, { reason: undefined }), 400, "/reason");
  expectProblem(await amend(plant, { to: from }), 400, "/to");
  expectProblem(await amend(plant, { to: iso(START + 24 * HOUR + 32 * DAY) }), 400, "/to");
  expectProblem(await amend(plant, { to: iso(NOON + HOUR) }), 400, "/to");
  const early = iso(START - HOUR);
  expectProblem(await amend(plant, { from: early, runs: [{ ...run, startTime: early }] }), 400, "/from");
  expectProblem(await amend(plant, { runs: [] }), 400, "/runs");
  expectProblem(await amend(plant, { runs: [{ ...run, startTime: to }] }), 400, "/runs/0/startTime");
  expectProblem(await amend(plant, { runs: [run, { ...run, startTime: from }] }), 400, "/runs/1/startTime");
  expectProblem(await amend(plant, { runs: [{ ...run, skuId: other.skuId("A") }] }), 400, "/runs/0/skuId");
  expectProblem(await amend(plant, { runs: [{ ...run, workOrderId: other.workOrderId }] }), 400, "/runs/0/workOrderId");
  expectProblem(await amend(plant, { runs: [{ ...run, workOrderId: plant.workOrderId }] }), 400, "/runs/0/skuId");
  const presences = (presences: object[]) => plant.ask("PUT", "/presences", { from, to, presences, reason });
  const presence = { operatorId: plant.ids[0], startTime: from, endTime: to };
  expectProblem(await presences([{ ...presence, operatorId: other.ids[0] }]), 400, "/presences/0/operatorId");
  expectProblem(await presences([{ ...presence, endTime: from }]), 400, "/presences/0/endTime");
  expectProblem(await presences([{ ...presence, startTime: iso(START) }]), 400, "/presences/0/startTime");
  expectProblem(await presences([presence, presence]), 400, "/presences/1");
  const readonly = await createUser(plant.companyId, "readonly");
  expectProblem(await plant.ask("PUT", "/presences", { from, to, presences: [], reason }, readonly.token), 403);
  const stranger = await createUser(other.companyId, "admin");
  expectProblem(await plant.ask("PUT", "/presences", { from, to, presences: [], reason }, stranger.token), 404);
  expectProblem(await plant.ask("GET", `/runs?from=${from}&to=${to}`, undefined, stranger.token), 404);
  const keptFrom = START + 25 * HOUR;
  const stub = machineObject(env, plant.machine.id);
  await runInDurableObject(stub, (_, { storage }) => changeState(storage, { "complete from": keptFrom }));
  await evictDurableObject(stub);
  const refused = await amend(plant);
  expectProblem(refused, 409, "/from");
  expect(refused.body.errors[0].message).toContain(iso(keptFrom));
  await plant.settle();
  expect(await plant.numbers()).toEqual(before);
});
