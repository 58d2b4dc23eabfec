import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { createShift } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { configureMachine, countAt, createLine, ingest } from "../../support/machines.ts";

// The overview that an object caches equals one computed anew: an evicted object has no cache.

stopClockAtNoon();

/** A machine that counts every ten seconds, as its standard says, in a shift from 06:00 with a meal break from 12:30 to 13:00. */
async function lineAtWork() {
  const { companyId, machine, token } = await createLine({
    ...{ commissionedAt: NOON - 6 * HOUR, standardCycleSeconds: 10, stopAfterSeconds: 60, noDataAfterSeconds: null },
  });
  await env.DB_0.prepare("UPDATE shifts SET deleted_at = 1 WHERE company_id = ?").bind(companyId).run();
  const breaks = [{ name: "Meal", start: "12:30", end: "13:00", isIncludedInAvailability: false }];
  await createShift(companyId, { start: "06:00", end: "14:00", breaks });
  await configureMachine(machine.id);
  const stub = () => machineObject(env, machine.id);
  /** Counts from one time to another, at this interval in seconds. */
  const run = (from: number, to: number, everySeconds: number) => {
    const counts = Math.floor((to - from) / (everySeconds * SECOND)) + 1;
    return ingest(
      token,
      Array.from({ length: counts }, (_, i) => countAt(machine.nodeId, from + i * everySeconds * SECOND)),
    );
  };
  /** The cached overview at an instant, compared with one computed anew. */
  const overviewAt = async (now: number) => {
    vi.setSystemTime(now);
    const remembered = await stub().overview();
    const state = await stub().state();
    await evictDurableObject(stub());
    expect(await stub().overview()).toEqual(remembered);
    expect(await stub().state()).toEqual(state);
    expect(remembered).toMatchObject(state ?? {});
    return remembered;
  };
  return { run, overviewAt };
}

describe("the overview", () => {
  it("reports whether the machine is slow against its standard, as of the newest event", async () => {
    const { run, overviewAt } = await lineAtWork();
    await run(NOON - HOUR, NOON, 10);
    expect((await overviewAt(NOON))?.numbers).toMatchObject({ isSlow: false, shortStops: 0, targetPerMs: 1 / 10_000 });
    vi.setSystemTime(NOON + 10 * MINUTE);
    await run(NOON + 14 * SECOND, NOON + 10 * MINUTE, 14);
    expect((await overviewAt(NOON + 10 * MINUTE))?.numbers).toMatchObject({ isSlow: true });
    // Nothing was counted since, but it is not yet known whether that is more than a pause.
    expect((await overviewAt(NOON + 10 * MINUTE + 20 * SECOND))?.numbers).toMatchObject({ isSlow: true });
    // A stopped machine is not slow.
    expect(await overviewAt(NOON + 14 * MINUTE)).toMatchObject({ bucket: "nonProgrammed", numbers: { isSlow: false } });
    vi.setSystemTime(NOON + 29 * MINUTE);
    await run(NOON + 14 * MINUTE, NOON + 29 * MINUTE, 10);
    expect((await overviewAt(NOON + 29 * MINUTE))?.numbers).toMatchObject({ isSlow: false, shortStops: 1 });
  });

  it("counts the short stops of the last hour and reports slow above five", async () => {
    const { run, overviewAt } = await lineAtWork();
    // Runs of a minute and stops of two minutes.
    for (let i = 0; i < 7; i++) await run(NOON - HOUR + i * 3 * MINUTE, NOON - HOUR + (i * 3 + 1) * MINUTE, 10);
    await run(NOON - HOUR + 21 * MINUTE, NOON, 10);
    expect((await overviewAt(NOON))?.numbers).toMatchObject({ shortStops: 7, isSlow: true });
    await run(NOON, NOON + 10 * SECOND, 10);
    const leavesAt = NOON + 3 * MINUTE;
    vi.setSystemTime(leavesAt - 20 * SECOND);
    await run(NOON + 10 * SECOND, leavesAt - 20 * SECOND, 10);
    expect((await overviewAt(leavesAt - 1))?.numbers).toMatchObject({ shortStops: 7, isSlow: true });
    expect((await overviewAt(leavesAt))?.numbers).toMatchObject({ shortStops: 6, isSlow: true });
    vi.setSystemTime(leavesAt + 3 * MINUTE - 20 * SECOND);
    await run(leavesAt, leavesAt + 3 * MINUTE - 20 * SECOND, 10);
    // It is cached from before the second one leaves, and right after it.
    expect((await overviewAt(leavesAt + 3 * MINUTE - 1))?.numbers).toMatchObject({ shortStops: 6, isSlow: true });
    expect((await overviewAt(leavesAt + 3 * MINUTE))?.numbers).toMatchObject({ shortStops: 5, isSlow: false });
  });

  it("reports the end of the current planned break", async () => {
    const { run, overviewAt } = await lineAtWork();
    vi.setSystemTime(NOON + 20 * MINUTE);
    await run(NOON, NOON + 20 * MINUTE, 10);
    expect(await overviewAt(NOON + 25 * MINUTE)).toMatchObject({ stop: { breakName: null, plannedUntil: null } });
    const meal = { breakName: "Meal", plannedUntil: NOON + HOUR };
    expect(await overviewAt(NOON + 30 * MINUTE)).toMatchObject({ bucket: "other", stop: meal });
    expect(await overviewAt(NOON + HOUR - 1)).toMatchObject({ stop: meal, numbers: { targetPerMs: 0 } });
    expect(await overviewAt(NOON + HOUR)).toMatchObject({ stop: { breakName: null, plannedUntil: null } });
    expect(await overviewAt(NOON + 2 * HOUR)).toMatchObject({ shift: null, stop: null, numbers: null });
  });
});
