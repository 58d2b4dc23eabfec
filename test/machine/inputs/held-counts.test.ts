import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { countEvent } from "../../../src/oee/events.ts";
import { DAY, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, ingest } from "../../support/machines.ts";
import { changeState, stateIn } from "../../support/object-storage.ts";

stopClockAtNoon();

const GLITCH = 999_999_999;

it("a machine holds 10,000 counts and refuses others that it would hold", async () => {
  const { machine, token } = await createLine({ commissionedAt: NOON - DAY });
  const send = (...values: number[]) =>
    ingest(
      token,
      values.map((value, i) => countAt(machine.nodeId, NOON - i - 1, value)),
    );
  await send(1);
  const stub = machineObject(env, machine.id);
  await runInDurableObject(stub, (_, { storage }) => changeState(storage, { held: { last: 9999, count: 9999, oldestAt: NOON } }));
  await evictDurableObject(stub);
  const { accepted, rejected } = await send(1, GLITCH, GLITCH, 7);
  // In the order of their times.
  expect([accepted, rejected]).toMatchObject([
    2,
    [{ index: 1, code: "too_many_held", message: expect.stringContaining("10000"), isTransient: true }],
  ]);
  // Sent again, what is held is a duplicate.
  const again = await send(1, GLITCH, GLITCH);
  expect([again.duplicates, again.rejected]).toMatchObject([2, [{ index: 1, code: "too_many_held" }]]);
  // What was refused was not stored, and can be sent again.
  expect((await send(1, 5)).accepted).toBe(1);
});

it("a machine knows the last counts of the 200 channels that counted last", async () => {
  const { machine } = await createLine({ commissionedAt: NOON - DAY });
  const stub = machineObject(env, machine.id);
  const features = { hasCycleChannel: false, hasTotalChannel: true, hasGoodChannel: false };
  const events = Array.from({ length: 230 }, (_, channel) => {
    const at = NOON - MINUTE + channel;
    return {
      ...{ id: null, content: `count 7 ${channel} 1` },
      event: countEvent(at, { type: "total", countingFactor: 1 }, 1, features),
      source: { sent: { kind: "pulses" as const, at, nodeId: 7, channel, value: 1 }, fedSince: 0 },
    };
  });
  await stub.ingest(events, 1);
  const known = await runInDurableObject(stub, (_, { storage }) => stateIn(storage)["counted to"] as Record<string, number>);
  expect(Object.values(known).sort()).toEqual(events.slice(30).map(({ event }) => event.at));
});
