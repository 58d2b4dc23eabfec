import { expect, test } from "vitest";
import type { MachineEvent } from "../../src/oee/events.ts";
import type { Settings, SettingsHistory } from "../../src/oee/settings.ts";
import { at, count, every, MINUTE_MS, replay, sample, settings } from "./support.ts";

const machine = settings({ commissionedAt: at("06:00") });
const always = { shiftId: 1, since: 0, until: Number.MAX_SAFE_INTEGER };

function sign(clock: string, operatorId: number, action: "in" | "out"): MachineEvent {
  return { kind: "operator", at: at(clock), operatorId, action };
}

/** Runs 06:00-10:00, is stopped 10:00-11:00, runs again to 14:00, a unit a minute. */
const work = [
  ...every(MINUTE_MS, at("06:00"), at("10:00"), count),
  ...every(MINUTE_MS, at("11:00"), at("14:00"), count),
  ...every(MINUTE_MS, at("06:00"), at("14:00"), sample),
];

/** `operator: minutes up/minutes down, units` of the Monday's shift. */
function shares(events: MachineEvent[], history: SettingsHistory, now = "14:00"): string[] {
  const [report] = replay([...work.filter((event) => event.at <= at(now)), ...events], history, { now: at(now) }).shifts;
  const units = (operatorId: number) => report?.tally?.perOperator[operatorId]?.units ?? 0;
  return (report?.operators ?? []).map(
    ({ operatorId, uptimeMs, downtimeMs }) =>
      `${operatorId}: ${uptimeMs / MINUTE_MS}/${downtimeMs / MINUTE_MS}, ${units(operatorId)}`,
  );
}

test("operators who share a machine are credited in full", () => {
  const events = [sign("06:00", 2, "in"), sign("09:00", 1, "in"), sign("12:00", 2, "out")];
  expect(shares(events, [machine])).toEqual(["1: 240/60, 241", "2: 300/60, 301"]);
});

test("a sign-in replaces the plan until the last one signs out", () => {
  const planned = { ...machine, plan: [{ operatorId: 7, ...always }] };
  expect(shares([], [planned])).toEqual(["7: 420/60, 421"]);
  expect(shares([sign("08:00", 1, "in"), sign("12:00", 1, "out")], [planned])).toEqual(["1: 180/60, 181", "7: 240/0, 240"]);
});

test("an operator who is planned twice is present once, and one planned for another shift or later is not present", () => {
  const plan = [
    { operatorId: 7, ...always },
    { operatorId: 7, ...always, since: at("08:00") },
    { operatorId: 8, ...always, shiftId: 2 },
    { operatorId: 9, ...always, since: at("12:00") },
  ];
  expect(shares([], [{ ...machine, plan }], "11:00")).toEqual(["7: 240/60, 242"]);
});

test("a plan that changes in mid-shift applies from the change", () => {
  const before = { ...machine, plan: [{ operatorId: 7, ...always }] };
  const after = { ...machine, since: at("12:00"), plan: [{ operatorId: 8, ...always }] };
  expect(shares([], [before, after])).toEqual(["7: 300/60, 301", "8: 120/0, 120"]);
});

test("an operator who signs in now is in the list with zeros", () => {
  expect(shares([sign("09:00", 3, "in")], [machine], "09:00")).toEqual(["3: 0/0, 1"]);
});

test("a second sign-in changes nothing, nor does a sign-out without one, nor one at the same instant", () => {
  const events = [
    sign("06:00", 1, "in"),
    sign("08:00", 1, "in"),
    sign("08:00", 2, "out"),
    sign("09:00", 3, "in"),
    sign("09:00", 3, "out"),
  ];
  expect(shares([...events, sign("14:00", 1, "out")], [machine])).toEqual(["1: 420/60, 421"]);
});

test("an operator who is signed in since before the shift is present, and not one who signed out before it", () => {
  const events = [sign("00:00", 1, "in"), sign("00:00", 2, "in"), sign("05:00", 2, "out")];
  expect(shares(events, [{ ...machine, commissionedAt: at("00:00") }], "07:00")).toEqual(["1: 60/0, 61"]);
});

/** `operator: minutes up, units` of the Tuesday's shift, which runs from 06:00 to 08:00 without a stop. */
function sharesOnTuesday(events: MachineEvent[], over: Partial<Settings>): string[] {
  const settingsOf = { ...machine, ...over };
  const counts = [...work, ...every(MINUTE_MS, at("06:00", 1), at("08:00", 1), count)];
  const report = replay([...counts, ...events], settingsOf, { now: at("08:00", 1) }).shifts.at(-1);
  return (report?.operators ?? []).map(
    ({ operatorId, uptimeMs }) => `${operatorId}: ${uptimeMs / MINUTE_MS}, ${report?.tally?.perOperator[operatorId]?.units ?? 0}`,
  );
}

test("the end of a shift signs all operators out, unless the company keeps them signed in", () => {
  const plan = [{ operatorId: 7, ...always }];
  const events = [sign("08:00", 1, "in")];
  expect(sharesOnTuesday(events, { plan })).toEqual(["7: 120, 121"]);
  expect(sharesOnTuesday(events, { plan, signOutAtShiftEnd: false })).toEqual(["1: 120, 121"]);
});

test("an operator who signs in between two shifts, or again after one, is present in the next one", () => {
  const tuesday = (clock: string, action: "in" | "out"): MachineEvent => ({
    kind: "operator",
    at: at(clock, 1),
    operatorId: 1,
    action,
  });
  expect(sharesOnTuesday([sign("23:00", 1, "in")], {})).toEqual(["1: 120, 121"]);
  expect(sharesOnTuesday([sign("08:00", 1, "in"), tuesday("07:00", "in")], {})).toEqual(["1: 60, 61"]);
  // An operator who forgot to sign out and does so in the morning was not present since.
  expect(sharesOnTuesday([sign("08:00", 1, "in"), tuesday("07:00", "out")], {})).toEqual([]);
});

test("an operator's units have their latest SKU", () => {
  const setSku = (clock: string, skuId: string): MachineEvent => ({ kind: "sku", at: at(clock), skuId, workOrderId: null });
  const events = [
    sign("06:00", 1, "in"),
    sign("06:00", 2, "in"),
    setSku("07:00", "A"),
    sign("09:00", 2, "out"),
    setSku("12:00", "B"),
  ];
  const [report] = replay([...work, ...events], machine, { now: at("14:00") }).shifts;
  expect(report?.tally?.perOperator).toMatchObject({ 1: { skuId: "B" }, 2: { skuId: "A" } });
});
