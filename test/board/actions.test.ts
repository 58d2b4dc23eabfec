import { describe, expect, it } from "vitest";
import { byDueDate, concerns, type Effect, isAt, lossKeyOf, lossOfKey, outcomeOf } from "../../src/board/domain/actions.ts";

const ref = (id: number) => ({ id, name: `No ${id}` });
const nothing = { generalCause: null, specificCause: null, machine: null, line: null };
const machines = [
  { id: 1, lineId: 7 },
  { id: 2, lineId: 7 },
  { id: 3, lineId: null },
];

describe("the loss of an action", () => {
  it("has a key, from which the API's members follow", () => {
    const cause = { ...nothing, loss: "cause" as const, generalCause: ref(3), specificCause: ref(12) };
    expect(lossKeyOf(cause)).toBe("3/12");
    expect(lossOfKey("3/12")).toEqual({ loss: "cause", generalCauseId: 3, specificCauseId: 12 });
    expect(lossOfKey("/12")).toEqual({ loss: "cause", generalCauseId: null, specificCauseId: 12 });
    for (const loss of ["unclassified", "speed", "quality", "noData"] as const) {
      expect(lossOfKey(lossKeyOf({ ...nothing, loss }))).toEqual({ loss, generalCauseId: null, specificCauseId: null });
    }
  });

  it("is listed for its machine and the line of that, and concerns what is in it and what it is in", () => {
    const [ofPress, ofLine, ofPlant] = [
      { ...nothing, loss: "speed" as const, machine: ref(1) },
      { ...nothing, loss: "speed" as const, line: ref(7) },
      { ...nothing, loss: "speed" as const },
    ];
    const places = [
      { machineId: null, lineId: null },
      { machineId: null, lineId: 7 },
      { machineId: 1, lineId: null },
      { machineId: 2, lineId: null },
      { machineId: 3, lineId: null },
      { machineId: null, lineId: 8 },
    ];
    const listed = (action: typeof ofPress | typeof ofLine | typeof ofPlant) =>
      places.map((place) => isAt(action, place, machines));
    expect(listed(ofPress)).toEqual([true, true, true, false, false, false]);
    expect(listed(ofLine)).toEqual([true, true, false, false, false, false]);
    expect(listed(ofPlant)).toEqual([true, false, false, false, false, false]);
    const said = (action: typeof ofPress | typeof ofLine | typeof ofPlant) =>
      places.map((place) => concerns(action, place, machines));
    expect(said(ofPress)).toEqual([true, true, true, false, false, false]);
    expect(said(ofLine)).toEqual([true, true, true, true, false, false]);
    expect(said(ofPlant)).toEqual([true, true, true, true, true, true]);
  });
});

it("actions are in the order of their dates", () => {
  const due = (id: number, dueOn: string) => ({ id, dueOn });
  const listed = byDueDate([due(1, "2026-12-01"), due(2, "2026-11-02"), due(3, "2026-11-02"), due(4, "2027-01-01")]);
  expect(listed.map(({ id }) => id)).toEqual([2, 3, 1, 4]);
});

describe("whether a loss became less", () => {
  const from = "2026-11-02T00:00:00Z";
  const lost = (plannedMinutes: number, share: number | null, to = "2026-11-09T00:00:00Z") => ({
    from,
    to,
    plannedMinutes,
    share,
  });
  const week = (plannedMinutes: number, isPartial = false) => ({ start: from, isPartial, plannedMinutes });
  const effect = (changes: Partial<Effect>): Effect => ({ before: lost(7200, 3), since: lost(7200, 2), weeks: [], ...changes });

  it("is said in minutes of a usual week", () => {
    expect(outcomeOf(effect({ weeks: [week(4000), week(6000), week(0), week(999, true)] }))).toEqual({ is: "less", minutes: 50 });
    expect(outcomeOf(effect({ since: lost(7200, 3.5), weeks: [week(6000)] }))).toEqual({ is: "more", minutes: 30 });
  });

  it("is said of as much as was planned since, before a week is over", () => {
    expect(outcomeOf(effect({ since: lost(2000, 1, "2026-11-04T00:00:00Z") }))).toEqual({ is: "less", minutes: 140 });
  });

  it("is not said of nearly nothing, of too short a time, or without anything to compare", () => {
    expect(outcomeOf(effect({ since: lost(7200, 2.995), weeks: [week(6000)] }))).toEqual({ is: "same" });
    expect(outcomeOf(effect({ since: lost(479, 0) }))).toEqual({ is: "early" });
    expect(outcomeOf(effect({ since: lost(0, null) }))).toEqual({ is: "early" });
    expect(outcomeOf(effect({ since: null }))).toEqual({ is: "none" });
    expect(outcomeOf(effect({ before: lost(0, null) }))).toEqual({ is: "none" });
  });
});
