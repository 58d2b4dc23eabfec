import { describe, expect, it } from "vitest";
import { HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { createLine, ingest } from "../../support/machines.ts";

stopClockAtNoon();

const START = NOON - 4 * HOUR;
const iso = (at: number) => new Date(at).toISOString();

async function lineWith(options: object = {}) {
  const line = await createLine({ commissionedAt: START, standardCycleSeconds: 10, ...options });
  const count = (at: number, value: number, since?: number) => ({
    ...{ type: "count", nodeId: line.machine.nodeId, channel: 1, at: iso(at), value },
    ...(since === undefined ? {} : { since: iso(since) }),
  });
  return { ...line, count };
}

describe("the `since` of a count", () => {
  it("must be before its `at`, and else is refused without changing anything", async () => {
    const { token, count } = await lineWith();
    const answer = await ingest(token, [count(NOON, 5, NOON), count(NOON, 5, NOON + SECOND)]);
    expect(answer).toMatchObject({ accepted: 0, rejected: [{ code: "invalid_event" }, { code: "invalid_event" }] });
    expect(answer.rejected[0]?.message).toContain("since");
  });

  it("is a part of the event's content: the same count is stored once", async () => {
    const { token, count } = await lineWith();
    const sent = [count(NOON - MINUTE, 5, NOON - 2 * MINUTE), count(NOON, 5, NOON - MINUTE)];
    expect(await ingest(token, sent)).toMatchObject({ accepted: 2, duplicates: 0 });
    expect(await ingest(token, sent)).toMatchObject({ accepted: 0, duplicates: 2 });
  });

  it("belongs to what an id stands for: the same id with another `since` is refused", async () => {
    const { token, count } = await lineWith();
    const sent = (since?: number) => [{ ...count(NOON, 5, since), id: "one" }];
    expect(await ingest(token, sent(NOON - MINUTE))).toMatchObject({ accepted: 1 });
    expect(await ingest(token, sent(NOON - MINUTE))).toMatchObject({ duplicates: 1 });
    for (const since of [NOON - 2 * MINUTE, undefined]) {
      expect(await ingest(token, sent(since))).toMatchObject({ accepted: 0, rejected: [{ code: "conflict" }] });
    }
  });
});
