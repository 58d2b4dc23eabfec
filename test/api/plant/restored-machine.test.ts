import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createUser } from "../../support/factories.ts";
import { configureMachine, countAt, createLine, flushMachine, ingest, recordsOf } from "../../support/machines.ts";

stopClockAtNoon();

const START = NOON - 2 * DAY;
const iso = (at: number) => new Date(at).toISOString();

/** A machine with a shift from 06:00 to 14:00 each day, which makes something each minute of its shifts up to now. */
async function plant() {
  const line = await createLine({ commissionedAt: START, noDataAfterSeconds: null, stopAfterSeconds: 600 });
  // Tokens end after some hours.
  const ask = async (method: string, path: string, body?: object) =>
    call(method, path, { token: (await createUser(line.companyId, "admin")).token, ...(body && { body }) });
  const { id: machineId, nodeId } = line.machine;
  const shift = { name: "Early", start: "06:00", end: "14:00" };
  expect((await ask("PATCH", `/v1/shifts/${line.shiftId}`, shift)).status).toBe(200);
  await configureMachine(machineId);
  const work = async (from: number, to: number) => {
    const counts = Array.from({ length: (to - from) / MINUTE }, (_, i) => countAt(nodeId, from + i * MINUTE));
    return await ingest(line.token, counts);
  };
  const follow = async () => {
    await configureMachine(machineId);
    await flushMachine(machineId);
  };
  const shifts = async () => {
    const records = await recordsOf(machineId);
    return records.map(({ startAt, endAt, totalUnits, availableMs, nonProgrammedMs, noDataMs }) => ({
      from: (startAt - NOON) / HOUR,
      hours: (availableMs + nonProgrammedMs + noDataMs) / HOUR,
      isClosed: endAt <= Date.now(),
      totalUnits,
    }));
  };
  return { ...line, machineId, nodeId, ask, work, follow, shifts, path: `/v1/machines/${machineId}` };
}

it("a machine that is restored goes on with its channels, and the time in between has no shifts", async () => {
  const { ask, work, follow, shifts, path } = await plant();
  await work(NOON - 6 * HOUR, NOON - MINUTE);
  await follow();
  expect((await ask("DELETE", path)).status).toBe(204);
  await follow();
  const before = await shifts();
  expect(before.at(-1)).toMatchObject({ from: -6, hours: 6 });
  vi.setSystemTime(NOON + 3 * DAY - HOUR);
  await follow();
  expect(await shifts()).toEqual(before.map((one) => ({ ...one, isClosed: true })));
  const restored = await ask("POST", `${path}/restore`);
  expect(restored).toMatchObject({ status: 200, body: { deletedAt: null, decommissionedAt: null } });
  await follow();
  vi.setSystemTime(NOON + 3 * DAY + 3 * HOUR);
  expect(await work(NOON + 3 * DAY - HOUR, NOON + 3 * DAY + 2 * HOUR)).toMatchObject({ accepted: 180, rejected: [] });
  await follow();
  const after = await shifts();
  expect(after.slice(0, -1)).toEqual(before.map((one) => ({ ...one, isClosed: true })));
  expect(after.at(-1)).toMatchObject({ from: 71, hours: 3, totalUnits: 180 });
  const { body } = await ask("GET", `/v1/summary?groupBy=machine&from=${iso(START)}&to=${iso(NOON + 4 * DAY)}`);
  expect(body.total.totalCount ?? body.total.total).toBe(before.reduce((sum, one) => sum + one.totalUnits, 180));
});

it("a machine that is restored in the shift in which it was deleted has this shift as a whole", async () => {
  const { ask, work, follow, shifts, path } = await plant();
  await work(NOON - 6 * HOUR, NOON - MINUTE);
  await follow();
  await ask("DELETE", path);
  await follow();
  vi.setSystemTime(NOON + 5 * MINUTE);
  expect((await ask("POST", `${path}/restore`)).status).toBe(200);
  await follow();
  vi.setSystemTime(NOON + 3 * HOUR);
  await work(NOON + 5 * MINUTE, NOON + 2 * HOUR);
  await follow();
  expect((await shifts()).at(-1)).toEqual({ from: -6, hours: 8, isClosed: true, totalUnits: 6 * 60 - 1 + 115 });
});

it("a channel that another machine has by now stays there when a machine is restored", async () => {
  const { ask, path, nodeId, machineId } = await plant();
  await ask("DELETE", path);
  const other = (await ask("POST", "/v1/machines", { name: "New", ref: `N-${machineId}`, nodeId })).body;
  const configs = [{ type: "total", countingFactor: 1, channel: 1, nodeId }];
  expect((await ask("PUT", `/v1/machines/${other.id}/count-sensor`, { isCountEnabled: true, configs })).status).toBe(200);
  expect((await ask("POST", `${path}/restore`)).status).toBe(200);
  const { data } = (await ask("GET", "/v1/count-sensors")).body;
  const channelsOf = (id: number) =>
    (data as { machineId: number; configs: { channel: number }[] }[])
      .filter((one) => one.machineId === id)
      .flatMap((one) => one.configs.map(({ channel }) => channel));
  expect([channelsOf(other.id), channelsOf(machineId)]).toEqual([[1], [2]]);
});

it("a machine whose ref another one has by now is not restored", async () => {
  const { ask, path, nodeId, machine } = await plant();
  await ask("DELETE", path);
  await ask("POST", "/v1/machines", { name: "New", ref: machine.ref, nodeId });
  expectProblem(await ask("POST", `${path}/restore`), 409, "/ref");
});

it("a machine that was decommissioned before it was deleted is restored as that", async () => {
  const { ask, path } = await plant();
  const decommissionedAt = iso(NOON + HOUR);
  await ask("PATCH", path, { decommissionedAt });
  vi.setSystemTime(NOON + 2 * HOUR);
  await ask("DELETE", path);
  expect((await ask("POST", `${path}/restore`)).body).toMatchObject({ deletedAt: null, decommissionedAt });
});

it("a machine is restored 100 times at most", async () => {
  const { ask, path, machineId } = await plant();
  const times = Array.from({ length: 99 }, (_, i) => [START + i * MINUTE, START + i * MINUTE + 1]);
  await env.DB_0.prepare("UPDATE machines SET deleted_times = ? WHERE id = ?").bind(JSON.stringify(times), machineId).run();
  await ask("DELETE", path);
  expect((await ask("POST", `${path}/restore`)).status).toBe(200);
  await ask("DELETE", path);
  const refused = await ask("POST", `${path}/restore`);
  expectProblem(refused, 409);
  expect(refused.body.detail).toContain("restored 100 times");
  expect((await ask("GET", path)).status).toBe(404);
});
