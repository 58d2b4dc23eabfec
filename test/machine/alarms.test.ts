import { describe, expect, it } from "vitest";
import { type AlarmInputs, nextAlarm } from "../../src/machine/alarms.ts";

const NOW = 1_000_000;
const quiet: AlarmInputs = {
  ...{ now: NOW, since: NOW, isBehind: false, nextFlushAt: NOW + 10, silenceAt: null, edgeAt: null, endAt: null },
  ...{ eventAt: null, alertAt: null, recalculationAt: null },
};

describe("the next alarm of a machine", () => {
  it.each<[string, Partial<AlarmInputs>, ReturnType<typeof nextAlarm>]>([
    ["none if nothing can happen by itself", {}, null],
    ["none for a flush if all rows are sent", { nextFlushAt: NOW - 1 }, null],
    ["the next flush if rows wait", { isBehind: true }, { name: "flush", at: NOW + 10 }],
    ["a flush at once if its time has passed", { isBehind: true, nextFlushAt: NOW - 5 }, { name: "flush", at: NOW }],
    ["the silence that ends in a stop", { silenceAt: NOW + 5, edgeAt: NOW + 6 }, { name: "silence", at: NOW + 5 }],
    ["the edge of a shift", { silenceAt: NOW + 7, edgeAt: NOW + 6 }, { name: "edge", at: NOW + 6 }],
    ["one in the past, but after the rows were computed", { since: NOW - 20, edgeAt: NOW - 10 }, { name: "edge", at: NOW - 10 }],
    ["none for an edge that the rows contain already", { since: NOW, edgeAt: NOW }, null],
    ["the end of the machine", { endAt: NOW + 3, edgeAt: NOW + 4 }, { name: "end", at: NOW + 3 }],
    ["none by itself after the end", { endAt: NOW, silenceAt: NOW + 1, edgeAt: NOW + 2 }, null],
    ["an event ahead of its time", { eventAt: NOW + 2, edgeAt: NOW + 4 }, { name: "event", at: NOW + 2 }],
    ["an alert that begins or ends", { alertAt: NOW + 1, eventAt: NOW + 2 }, { name: "alert", at: NOW + 1 }],
    [
      "an alert and a flush after the end",
      { endAt: NOW - 1, isBehind: true, alertAt: NOW + 50 },
      { name: "flush", at: NOW + 10 },
    ],
    [
      "the first in the order above of two at the same time",
      { isBehind: true, edgeAt: NOW + 10 },
      { name: "flush", at: NOW + 10 },
    ],
  ])("is %s", (_, change, expected) => {
    expect(nextAlarm({ ...quiet, ...change })).toEqual(expected);
  });
});
