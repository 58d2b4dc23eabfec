import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { createAlertRule } from "../../support/alerts.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createUser } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest, stopsOf } from "../../support/machines.ts";

stopClockAtNoon();
const iso = (at: number) => new Date(at).toISOString();

async function plant() {
  const own = await createLine({ commissionedAt: NOON - HOUR, noDataAfterSeconds: 300, stopAfterSeconds: 120 });
  const send = async (method: string, path: string, body?: object) => {
    const { token } = await createUser(own.companyId, "admin");
    return await call(method, `/v1/${path}`, { token, ...(body && { body }) });
  };
  const plan = async (from: number, to: number, more: object = {}) =>
    await send("POST", "stops", {
      machineId: own.machine.id,
      startTime: iso(from),
      endTime: iso(to),
      isProgrammed: true,
      ...more,
    });
  /** Counts once a minute in [from, to). */
  const work = async (from: number, to: number) => {
    const counts = Array.from({ length: (to - from) / MINUTE }, (_, i) => countAt(own.machine.nodeId, from + i * MINUTE));
    await ingest(own.token, counts);
    await flushMachine(own.machine.id);
  };
  const stops = async () =>
    (await stopsOf(own.machine.id))
      .filter(({ deletedAt }) => deletedAt === null)
      .map(({ startAt, endAt, isManual, isProgrammed, name }) => [startAt, endAt, isManual, isProgrammed, name]);
  const total = async () => {
    const range = { from: iso(NOON - HOUR), to: iso(NOON + 12 * HOUR) };
    const { body } = await send("GET", `summary?${new URLSearchParams({ groupBy: "machine", ...range })}`);
    return body.total;
  };
  return { ...own, send, plan, work, stops, total };
}

it("a stop planned ahead is in no report until it begins, and then programmed time, whatever the machine does", async () => {
  const own = await plant();
  await own.work(NOON - HOUR, NOON);
  const planned = await own.plan(NOON + HOUR, NOON + 2 * HOUR, { name: "Maintenance" });
  expect(planned.status, JSON.stringify(planned.body)).toBe(201);
  expect(planned.body).toMatchObject({
    startTime: iso(NOON + HOUR),
    endTime: iso(NOON + 2 * HOUR),
    isProgrammed: true,
    isManual: true,
  });
  expect(await own.stops()).toEqual([]);
  vi.setSystemTime(NOON + 90 * MINUTE);
  // It has been silent, and counts a little in the planned time.
  await own.work(NOON, NOON + 70 * MINUTE);
  expect(await own.stops()).toEqual([[NOON + HOUR, null, true, true, "Maintenance"]]);
  vi.setSystemTime(NOON + 3 * HOUR);
  await own.work(NOON + 2 * HOUR, NOON + 3 * HOUR);
  expect(await own.stops()).toEqual([[NOON + HOUR, NOON + 2 * HOUR, true, true, "Maintenance"]]);
  expect(await own.total()).toMatchObject({
    programmedDowntime: 60,
    nonProgrammedDowntime: 0,
    noDataTime: 0,
    availableTime: 180,
  });
  const read = await own.send("GET", `stops/${planned.body.id}`);
  expect(read.body).toMatchObject({ startTime: iso(NOON + HOUR), endTime: iso(NOON + 2 * HOUR), name: "Maintenance" });
});

it("silences alerts while it lasts, and no longer", async () => {
  const own = await plant();
  await createAlertRule(own.companyId, { kind: "stop", params: { minutes: 5 } });
  await createAlertRule(own.companyId, { kind: "no_data", params: { minutes: 10 } });
  await own.work(NOON - HOUR, NOON);
  expect((await own.plan(NOON + MINUTE, NOON + 2 * HOUR)).status).toBe(201);
  const conditions = async () => {
    await flushMachine(own.machine.id);
    const found = await env.DB_0.prepare("select since from alert_conditions where machine_id = ? order by since")
      .bind(own.machine.id)
      .all();
    return found.results.map(({ since }) => since);
  };
  vi.setSystemTime(NOON + HOUR);
  expect(await conditions()).toEqual([]);
  vi.setSystemTime(NOON + 119 * MINUTE);
  expect(await conditions()).toEqual([]);
  vi.setSystemTime(NOON + 3 * HOUR);
  expect((await conditions()).length).toBeGreaterThan(0);
});

it("is changed and deleted before it begins, and while it lasts", async () => {
  const own = await plant();
  await own.work(NOON - HOUR, NOON);
  const [one, two] = [await own.plan(NOON + HOUR, NOON + 2 * HOUR), await own.plan(NOON + 3 * HOUR, NOON + 4 * HOUR)];
  const renamed = await own.send("PATCH", `stops/${two.body.id}`, { name: "Cleaning" });
  expect([renamed.status, renamed.body.name, renamed.body.version]).toEqual([200, "Cleaning", 2]);
  expect((await own.send("DELETE", `stops/${one.body.id}`)).status).toBe(204);
  vi.setSystemTime(NOON + 210 * MINUTE);
  await own.work(NOON, NOON + 210 * MINUTE);
  expect(await own.stops()).toEqual([[NOON + 3 * HOUR, null, true, true, "Cleaning"]]);
  expect((await own.send("DELETE", `stops/${two.body.id}`)).status).toBe(204);
  vi.setSystemTime(NOON + 5 * HOUR);
  await own.work(NOON + 210 * MINUTE, NOON + 5 * HOUR);
  expect(await own.stops()).toEqual([]);
  expect(await own.total()).toMatchObject({ programmedDowntime: 0, availableTime: 360 });
});

it("is refused if it is not programmed, too far ahead, over another one, or beyond the limit", async () => {
  const own = await plant();
  await own.work(NOON - HOUR, NOON);
  expectProblem(await own.plan(NOON + HOUR, NOON + 2 * HOUR, { isProgrammed: false }), 400, "/isProgrammed");
  expectProblem(await own.plan(NOON - MINUTE, NOON + HOUR, { isProgrammed: undefined }), 400, "/isProgrammed");
  expectProblem(await own.plan(NOON + 400 * DAY, NOON + 401 * DAY), 400, "/endTime");
  expect((await own.plan(NOON + HOUR, NOON + 2 * HOUR)).status).toBe(201);
  expectProblem(await own.plan(NOON + 90 * MINUTE, NOON + 3 * HOUR), 409);
  await runInDurableObject(machineObject(env, own.machine.id), async (_, { storage }) => {
    for (let i = 2; i <= 200; i++) {
      const start = NOON + i * DAY;
      storage.sql.exec(`insert into manual_stops (start, "end") values (?, ?)`, start, start + HOUR);
    }
  });
  expectProblem(await own.plan(NOON + 201 * DAY, NOON + 201 * DAY + HOUR), 409);
});
