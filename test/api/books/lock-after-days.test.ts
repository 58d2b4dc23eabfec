import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { createRecalculation, createUser } from "../../support/factories.ts";
import { doJob } from "../../support/jobs.ts";
import { flushMachine } from "../../support/machines.ts";
import { iso, plant } from "./closed-plant.ts";

stopClockAtNoon();

const MIDNIGHT = NOON - 12 * HOUR;

async function lockedPlant(lockAfterDays: number | null, more: object = {}) {
  const p = await plant();
  const set = (body: object) => p.send("PATCH", `/v1/companies/${p.companyId}`, body);
  expect(await set({ lockAfterDays, timezone: "UTC", ...more })).toMatchObject({ status: 200, body: { lockAfterDays } });
  // Half a day later, sessions have ended.
  const get = async (path: string) => (await call("GET", path, { token: (await createUser(p.companyId, "admin")).token })).body;
  const closings = async () => (await get("/v1/books/closings")).data;
  return { ...p, set, get, closings };
}

async function sweepLater(ms: number) {
  vi.setSystemTime(Date.now() + ms);
  await doJob("sweep", Date.now());
}

describe("books that are closed by themselves", () => {
  it("are closed up to the beginning of a day of the plant, without anybody's work being done, and again a day later", async () => {
    const { closings, get, locked, machineId } = await lockedPlant(2);
    await sweepLater(MINUTE);
    const [first, ...others] = await closings();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ from: null, to: iso(MIDNIGHT - 2 * DAY), state: "closed", isForced: true, createdBy: null });
    const audited = async () => (await get("/v1/audit?objectType=book-closing")).data;
    const after = { to: iso(MIDNIGHT - 2 * DAY), reason: null, isForced: true, findings: first.findings };
    expect(await audited()).toMatchObject([
      {
        action: "book-closing.create",
        objectId: String(first.id),
        userId: 0,
        userName: null,
        requestId: null,
        before: null,
        after,
      },
    ]);
    expect(first.findings).toContainEqual({ code: "unclassified_stops", count: expect.any(Number) });
    const before = await locked(MIDNIGHT - 2 * DAY);
    await sweepLater(2 * HOUR);
    expect(await closings()).toHaveLength(1);
    await sweepLater(10 * HOUR);
    await sweepLater(MINUTE);
    const all = await closings();
    expect(all).toHaveLength(2);
    expect(await audited()).toHaveLength(2);
    expect(all[0]).toMatchObject({ from: iso(MIDNIGHT - 2 * DAY), to: iso(MIDNIGHT - DAY), state: "closed" });
    await flushMachine(machineId);
    expect(await locked(MIDNIGHT - 2 * DAY)).toEqual(before);
    const { machines } = await get(`/v1/books/closings/${first.id}`);
    expect(machines[0].sums).toEqual(machines[0].sumsNow);
  }, 60_000);

  it("follow the wall clock of the plant", async () => {
    const { closings } = await lockedPlant(2, { timezone: "Asia/Tokyo" });
    await sweepLater(MINUTE);
    expect(await closings()).toMatchObject([{ to: iso(MIDNIGHT - 2 * DAY - 9 * HOUR) }]);
  });

  it("wait for recalculations", async () => {
    const { closings, companyId, userId, machineId } = await lockedPlant(2);
    const id = await createRecalculation({ id: machineId, companyId }, userId);
    const setEnded = (at: number | null) =>
      env.DB_0.prepare("update recalculations set ended_at = ? where id = ?").bind(at, id).run();
    await setEnded(null);
    await sweepLater(MINUTE);
    expect(await closings()).toEqual([]);
    await setEnded(Date.now());
    await sweepLater(6 * MINUTE);
    expect(await closings()).toMatchObject([{ state: "closed" }]);
  });

  it("stay reopened until the next day", async () => {
    const { closings, reopen, machineId } = await lockedPlant(2);
    await sweepLater(MINUTE);
    await reopen((await closings())[0].id);
    await sweepLater(HOUR);
    expect(await closings()).toMatchObject([{ state: "reopened" }]);
    // What was reopened is computed again first.
    await flushMachine(machineId);
    await sweepLater(12 * HOUR);
    await sweepLater(MINUTE);
    expect(await closings()).toMatchObject([{ from: null, to: iso(MIDNIGHT - DAY), state: "closed" }, { state: "reopened" }]);
  });

  it("are not closed any more when the setting is taken away, or has no whole days", async () => {
    const { closings, set } = await lockedPlant(2);
    expect((await set({ lockAfterDays: null })).status).toBe(200);
    await sweepLater(MINUTE);
    expect(await closings()).toEqual([]);
    for (const lockAfterDays of [0, 1.5, -1, 3651, "2"])
      expect(await set({ lockAfterDays })).toMatchObject({ status: 400, body: { errors: [{ pointer: "/lockAfterDays" }] } });
  });
});
