import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { stepBounds } from "../../../src/machine/ledger/recalculation.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { createMachine, createOperator, createUser } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest } from "../../support/machines.ts";
import { stateIn } from "../../support/object-storage.ts";

stopClockAtNoon();
const usual = { ...stepBounds };
afterEach(() => void Object.assign(stepBounds, usual));

const START = NOON - 80 * HOUR;
const iso = (at: number) => new Date(at).toISOString();

/** A machine that made something each four minutes for 80 hours, with an operator. */
async function newMachine(line: { token: string; machine: { id: number; nodeId: number }; companyId: number }) {
  const { id: machineId, nodeId } = line.machine;
  const { operatorId } = await createOperator(line.companyId);
  const counts = Array.from({ length: 80 * 15 }, (_, i) => countAt(nodeId, START + i * 4 * MINUTE, 1, { id: `${nodeId}-${i}` }));
  await ingest(line.token, [{ type: "operator", at: iso(START), machineId, operatorId, action: "in" }, ...counts.slice(0, 900)]);
  await ingest(line.token, counts.slice(900));
  await flushMachine(machineId);
  return {
    machineId,
    recalculate: () => machineObject(env, machineId).recalculate(START + 30 * HOUR, NOON - 30 * HOUR, null),
    /** Does an alarm. Returns whether it did a step, and whether the recalculation is over. */
    ring: () =>
      runInDurableObject(machineObject(env, machineId), async (object, { storage }) => {
        const before = JSON.stringify(stateIn(storage).recalculation);
        await object.alarm();
        const state = stateIn(storage).recalculation;
        return { isStep: before !== JSON.stringify(state), isOver: !state };
      }),
    evict: () => evictDurableObject(machineObject(env, machineId)),
  };
}
type Machine = Awaited<ReturnType<typeof newMachine>>;

/** A company with some such machines. */
async function plant(count: number) {
  const line = await createLine({ commissionedAt: START, noDataAfterSeconds: null, stopAfterSeconds: 600 });
  const machines = [await newMachine(line)];
  while (machines.length < count) {
    const machine = await createMachine(line.companyId, {
      commissionedAt: START,
      noDataAfterSeconds: null,
      nodeId: line.machine.nodeId + machines.length,
    });
    await env.DB_0.prepare(
      "insert into count_channels (company_id, node_id, channel, since, machine_id, type, counting_factor, is_counted) values (?, ?, 1, 0, ?, 'total', 1, 1)",
    )
      .bind(line.companyId, machine.nodeId, machine.id)
      .run();
    machines.push(await newMachine({ ...line, machine }));
  }
  return { ...line, machines: machines as [Machine, ...Machine[]] };
}

async function slotsOf(companyId: number): Promise<number[]> {
  const { results } = await env.DB_0.prepare("select machine_id from recalculation_slots where company_id = ? order by slot")
    .bind(companyId)
    .all<{ machine_id: number }>();
  return results.map(({ machine_id }) => machine_id);
}

/** Rings until a machine's recalculation is over. */
async function finish({ ring, machineId }: Machine): Promise<void> {
  for (let i = 0; i < 200; i++) if ((await ring()).isOver) break;
  await flushMachine(machineId);
}

const small = { events: 60, rows: 10, moved: 20, days: 1, stepsPerAlarm: 2, stepsOfSmall: 4 };

describe("a large recalculation", () => {
  it("shows at the rows that it may change, from its first steps until D1 has all of them", async () => {
    const { companyId, machines } = await plant(1);
    const [machine] = machines;
    const { token } = await createUser(companyId, "superuser");
    const { machineId } = machine;
    const records = async (from: number) => {
      const query = `companyId=${companyId}&from=${iso(from)}&limit=1&sort=start`;
      const { data } = (await call("GET", `/v1/shift-records?${query}`, { token })).body;
      return data.map(({ isRecalculating }: { isRecalculating: boolean }) => isRecalculating);
    };
    const shown = async () => {
      const body = { machineIds: [machineId], from: iso(START) };
      const answers = [
        await call("POST", "/v1/public/reports/metrics", { token, body }),
        await call("POST", "/v1/public/reports/stops", { token, body: { machineIds: [machineId] } }),
        await call("GET", `/machines/realtime/operators?machineId=${machineId}`, { token }),
      ];
      const state = (await call("GET", `/v1/machines/${machineId}/state`, { token })).body;
      const item = (await call("GET", `/v1/machines/${machineId}`, { token })).body;
      const summary = (await call("GET", `/v1/summary?companyId=${companyId}&groupBy=machine`, { token })).body;
      const range = `companyId=${companyId}&from=${iso(START)}&to=${iso(START + 7 * DAY)}`;
      const said = async (path: string) => (await call("GET", path, { token })).body.isRecalculating;
      const reports = await Promise.all([
        ...["5min", "hour", "shift"].map((interval) => said(`/v1/production?interval=${interval}&${range}`)),
        said(`/v1/timeline?${range}`),
      ]);
      const before = `/v1/summary?companyId=${companyId}&groupBy=machine&from=${iso(START)}&to=${iso(START + HOUR)}`;
      return {
        headers: answers.map(({ headers }) => headers.get("x-recalculating")),
        reports,
        members: [state.isRecalculating, item.isRecalculating, summary.isRecalculating, (await records(START))[0]],
        others: [(await records(START - 24 * HOUR))[0], (await call("GET", before, { token })).body.isRecalculating],
      };
    };
    const atRest = { headers: [null, null, null], reports: [false, false, false, false], members: [false, false, false, false] };
    expect(await shown()).toMatchObject(atRest);
    Object.assign(stepBounds, small);
    await machine.recalculate();
    for (let i = 0; i < 4; i++) await machine.ring();
    expect(await slotsOf(companyId)).toEqual([machineId]);
    const during = await shown();
    expect(during.headers).toEqual(["true", null, null]);
    expect(during.members).toEqual([true, true, true, true]);
    expect(during.reports).toEqual([true, true, true, true]);
    expect(during.others).toEqual([false, false]);
    await finish(machine);
    expect(await shown()).toMatchObject(atRest);
    expect(await slotsOf(companyId)).toEqual([]);
  });

  it("waits while two other machines of the company do one, and goes on when one of them has ended", async () => {
    const { companyId, machines } = await plant(3);
    const [first, second, third] = machines as [Machine, Machine, Machine];
    Object.assign(stepBounds, small);
    for (const { recalculate } of machines) await recalculate();
    for (let i = 0; i < 3; i++) for (const { ring } of machines) await ring();
    expect(await slotsOf(companyId)).toEqual([first.machineId, second.machineId]);
    expect(await third.ring()).toEqual({ isStep: false, isOver: false });
    await finish(first);
    // It asks again after a pause.
    expect((await third.ring()).isStep).toBe(false);
    vi.setSystemTime(Date.now() + 16 * SECOND);
    expect((await third.ring()).isStep).toBe(true);
    expect((await slotsOf(companyId)).toSorted((a, b) => a - b)).toEqual([second.machineId, third.machineId]);
    await finish(second);
    await finish(third);
    expect(await slotsOf(companyId)).toEqual([]);
  });

  it("keeps its slot when the object is killed, and loses it once it does not come back", async () => {
    const { companyId, machines } = await plant(3);
    const [first, second, third] = machines as [Machine, Machine, Machine];
    Object.assign(stepBounds, small);
    for (const { recalculate } of machines) await recalculate();
    for (let i = 0; i < 3; i++) for (const { ring } of machines) await ring();
    await first.evict();
    expect((await first.ring()).isStep).toBe(true);
    await first.evict();
    vi.setSystemTime(Date.now() + 61 * SECOND);
    await second.ring();
    expect((await third.ring()).isStep).toBe(true);
    expect(await slotsOf(companyId)).toEqual([third.machineId, second.machineId]);
    expect((await first.ring()).isStep).toBe(false);
    await finish(second);
    await finish(third);
    vi.setSystemTime(Date.now() + 16 * SECOND);
    await finish(first);
    expect(await slotsOf(companyId)).toEqual([]);
  });
});
