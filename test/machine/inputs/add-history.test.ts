import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { SentEvent } from "../../../src/objects/machine-protocol.ts";
import { DAY, HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest, recordsOf } from "../../support/machines.ts";

stopClockAtNoon();

/** A flush comes at most ten seconds after the one before. */
const SOON_MS = 11 * SECOND;

/** A machine that made a unit a minute for an hour of an old day and of yesterday. Further ones change nothing but numbers. */
async function createPlant() {
  const { machine, token } = await createLine({ commissionedAt: NOON - 12 * DAY });
  const object = machineObject(env, machine.id);
  const [old, yesterday] = [NOON - 10 * DAY, NOON - 20 * HOUR];
  /** A unit of each minute of the hour, a little later for each import. */
  const pieceOf = (importId: number, start: number) => {
    const events = Array.from({ length: 60 }, (_, i): SentEvent => {
      const id = `${importId}:${i}`;
      return { id, at: start + i * MINUTE + importId, nodeId: machine.nodeId, channel: 1, value: 1 };
    });
    return { importId, receivedAt: NOON, offset: 0, events };
  };
  for (const [i, start] of [old, yesterday].entries()) {
    await object.addHistory(pieceOf(i + 1, start), 1);
    await object.endHistory(i + 1);
  }
  await flushMachine(machine.id);
  /** The units that reports have once the alarms of the next seconds have rung. */
  const unitsSoon = async () => {
    const until = Date.now() + SOON_MS;
    await runInDurableObject(object, async (inner, { storage }) => {
      for (let at = await storage.getAlarm(); at !== null && at <= until; at = await storage.getAlarm()) {
        vi.setSystemTime(Math.max(at, Date.now()));
        await inner.alarm();
      }
    });
    vi.setSystemTime(until);
    return (await recordsOf(machine.id)).reduce((sum, { totalUnits }) => sum + totalUnits, 0);
  };
  expect(await unitsSoon()).toBe(120);
  return { machine, token, object, old, yesterday, pieceOf, unitsSoon };
}

describe("what an import changed", () => {
  it.each(["old", "yesterday"] as const)(
    "is in the reports soon after its end, and out of them soon after it is taken back: %s",
    async (day) => {
      const { object, pieceOf, unitsSoon, [day]: start } = await createPlant();
      await object.addHistory(pieceOf(3, start), 1);
      await object.endHistory(3);
      expect(await unitsSoon()).toBe(180);
      await object.withdrawHistory(3);
      expect(await unitsSoon()).toBe(120);
    },
  );

  it("does not wait because a run that is late sends the last piece again", async () => {
    const { object, old, pieceOf, unitsSoon } = await createPlant();
    await object.addHistory(pieceOf(3, old), 1);
    await object.endHistory(3);
    await object.addHistory(pieceOf(3, old), 1);
    expect(await unitsSoon()).toBe(180);
  });

  it("does not wait for the rest of a piece of another import that is taken back meanwhile", async () => {
    const { object, old, pieceOf, unitsSoon } = await createPlant();
    await object.addHistory(pieceOf(3, old), 1);
    await object.endHistory(3);
    // Of ten days: it is taken in three parts.
    const events = pieceOf(4, old).events.map((one, i) => ({ ...one, at: old + i * 4 * HOUR }));
    // In the object itself: two calls from outside may arrive so far apart that the first is done.
    const answer = await runInDurableObject(object, async (inner) => {
      const adding = inner.addHistory({ ...pieceOf(4, old), events }, 1);
      await scheduler.wait(0);
      await inner.withdrawHistory(4);
      return await adding;
    });
    expect(answer).toBe("over");
    expect(await unitsSoon()).toBe(180);
  });
});

it("late events of an archived day are in the reports soon after they were recalculated", async () => {
  const { machine, token, old, unitsSoon } = await createPlant();
  await ingest(token, [countAt(machine.nodeId, old + 30 * MINUTE + 7)]);
  // More may come, so the recalculation waits for ten seconds.
  await unitsSoon();
  expect(await unitsSoon()).toBe(121);
});
