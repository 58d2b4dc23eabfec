import { expect, it } from "vitest";
import type { MachineEvent } from "../../src/oee/events.ts";
import type { Settings } from "../../src/oee/settings.ts";
import { ShiftCalendar } from "../../src/oee/shifts.ts";
import { advance, at, count, every, type Fold, settings, shift, startFold } from "./support.ts";

/** Folds events and returns the hours outside shifts, including the latest. */
function hoursOf(events: readonly MachineEvent[], over: Partial<Settings> = {}) {
  const history = [settings(over)] as [Settings];
  const fold = startFold(history);
  advance(fold, events, history, new ShiftCalendar(history));
  return allHours(fold);
}

function allHours({ outsideHours, ledger }: Fold) {
  const all = [...outsideHours, ...(ledger.outsideHour ? [ledger.outsideHour] : [])];
  return all.map(({ start, end, units }) => [new Date(start).toISOString().slice(5, 16), (end - start) / 60_000, units]);
}

it("units outside shifts are added up by local hour, also before any SKU was set", () => {
  const events = ["03:10", "03:50", "05:59", "06:00", "13:59", "14:00", "14:59", "15:00"].map((time) => count(at(time)));
  expect(hoursOf(events)).toEqual([
    ["01-05T03:00", 60, 2],
    ["01-05T05:00", 60, 1],
    ["01-05T14:00", 60, 2],
    ["01-05T15:00", 60, 1],
  ]);
});

it("an hour that a shift interrupts has one sum of what is before and after the shift", () => {
  const events = ["06:05", "06:15", "06:44", "06:45", "07:10"].map((time) => count(at(time)));
  expect(hoursOf(events, { shifts: [shift({ start: "06:15", end: "06:45" })] })).toEqual([
    ["01-05T06:00", 60, 2],
    ["01-05T07:00", 60, 1],
  ]);
});

it("an hour has the good units: those that a channel counts, otherwise the total without defects", () => {
  const goodBesideTotal = [count(at("03:00"), { total: 10, good: 0 }), count(at("03:01"), { total: 0, cycles: 0, good: 9 })];
  expect(hoursOf(goodBesideTotal)).toEqual([["01-05T03:00", 60, 9]]);
  const rejects = [
    count(at("03:00"), { total: 10 }),
    count(at("03:10"), { total: 0, cycles: 0, defects: 4 }),
    count(at("04:10"), { total: 0, cycles: 0, defects: 1 }),
  ];
  // What is rejected in a later hour is subtracted there, so that hours add up to what is good.
  expect(hoursOf(rejects)).toEqual([
    ["01-05T03:00", 60, 6],
    ["01-05T04:00", 60, -1],
  ]);
});

it("the hours are those of the company's clock, of which a change by half an hour makes one of 30 minutes", () => {
  const kolkata = [at("03:29"), at("03:30"), at("04:29")].map((time) => count(time));
  expect(hoursOf(kolkata, { timezone: "Asia/Kolkata", shifts: [] })).toEqual([
    ["01-05T02:30", 60, 1],
    ["01-05T03:30", 60, 2],
  ]);
  const [from, to] = [Date.parse("2026-04-04T14:00Z"), Date.parse("2026-04-04T16:29Z")];
  const lordHowe = every(10 * 60_000, from, to, (time) => count(time));
  expect(hoursOf(lordHowe, { timezone: "Australia/Lord_Howe", shifts: [] })).toEqual([
    ["04-04T14:00", 60, 6],
    ["04-04T15:00", 30, 3],
    ["04-04T15:30", 60, 6],
  ]);
});

it("a saved ledger continues the hour", () => {
  const history = [settings()] as [Settings];
  const calendar = new ShiftCalendar(history);
  const fold = startFold(history);
  const events = every(7 * 60_000, at("03:00"), at("05:50"), (time) => count(time));
  advance(fold, events.slice(0, 5), history, calendar);
  fold.ledger = JSON.parse(JSON.stringify(fold.ledger));
  advance(fold, events.slice(5), history, calendar);
  expect(allHours(fold)).toEqual(hoursOf(events));
});
