import fc from "fast-check";
import { expect, it } from "vitest";
import {
  newestPeriodOf,
  nextRunAfter,
  periodBefore,
  type RunTimes,
  weekBefore,
} from "../../../src/api/report-subscriptions/run-times.ts";
import { weekdays } from "../../../src/db/values.ts";
import { DAY, HOUR, MINUTE } from "../../support/clock.ts";

/** Zones with clock changes by an hour at night, at midnight, by half an hour, or never. */
const zones = [
  "Europe/Madrid",
  "America/New_York",
  "Africa/Cairo",
  "America/Santiago",
  "Australia/Lord_Howe",
  "Asia/Tokyo",
  "UTC",
];
const daily = (time: string): RunTimes => ({ kind: "daily", time, weekdays: null, isActive: true });
const at = (iso: string) => Date.parse(iso);
const iso = (time: number | null) => time && new Date(time).toISOString();

const formatters = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat("en-CA", {
      ...({ timeZone, hourCycle: "h23", weekday: "long" } as const),
      ...({ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const),
    }),
  ]),
);

/** The wall-clock time, as text that sorts by time, and the weekday; computed differently from the code. */
function shown(zone: string, time: number): { day: string; time: string; weekday: string } {
  const parts = Object.fromEntries((formatters.get(zone)?.formatToParts(time) ?? []).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute, weekday = "" } = parts;
  return { day: `${year}-${month}-${day}`, time: `${hour}:${minute}`, weekday: weekday.toLowerCase() };
}

/** Clocks change at full quarters of an hour, so steps of a quarter reach every tested time. */
const QUARTER = 15 * MINUTE;

/** The instants within nine days, from two days before one, at which a day first shows a time or a later one. */
function runsAround(zone: string, time: string, days: readonly string[] | null, from: number): number[] {
  const done = new Set<string>();
  const runs: number[] = [];
  for (let moment = from - 2 * DAY; moment < from + 9 * DAY; moment += QUARTER) {
    const now = shown(zone, moment);
    if (now.time < time || done.has(now.day)) continue;
    done.add(now.day);
    if (days === null || days.includes(now.weekday)) runs.push(moment);
  }
  return runs;
}

it("runs once a day, at the first instant at or after the local time", () => {
  const changes = ["2026-03-28", "2026-10-24", "2026-04-04", "2026-09-05", "2026-04-23"].map((day) => at(day) / QUARTER);
  const someDay = fc.integer({ min: at("2026-01-01") / QUARTER, max: at("2028-01-01") / QUARTER });
  const clock = fc.oneof(fc.integer({ min: 0, max: 95 }), fc.integer({ min: 0, max: 13 })).map((quarter) => {
    const minute = quarter * 15;
    return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
  });
  const days = fc.option(fc.subarray([...weekdays], { minLength: 1 }));
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.oneof(someDay, fc.constantFrom(...changes)),
      clock,
      days,
      (zone, quarter, time, days) => {
        const after = quarter * QUARTER;
        const next = nextRunAfter(zone, { kind: "daily", time, weekdays: days, isActive: true }, after);
        const expected = runsAround(zone, time, days, after).find((moment) => moment > after);
        expect(iso(next)).toBe(iso(expected ?? null));
      },
    ),
    { numRuns: 60 },
  );
});

it("runs once in a night that has the hour twice, and at the next instant in a night without it", () => {
  const madrid = (time: string, from: string) => {
    const first = nextRunAfter("Europe/Madrid", daily(time), at(from));
    return [iso(first), iso(nextRunAfter("Europe/Madrid", daily(time), first ?? 0))];
  };
  // On 2026-10-25 the clock goes back from 03:00 to 02:00, on 2026-03-29 it goes forward from 02:00 to 03:00.
  expect(madrid("02:30", "2026-10-24T12:00:00Z")).toEqual(["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"]);
  expect(madrid("02:30", "2026-03-28T12:00:00Z")).toEqual(["2026-03-29T01:00:00.000Z", "2026-03-30T00:30:00.000Z"]);
  expect(madrid("03:00", "2026-03-28T12:00:00Z")).toEqual(["2026-03-29T01:00:00.000Z", "2026-03-30T01:00:00.000Z"]);
});

it("runs only on the named days, and never while it is inactive or follows shifts", () => {
  const from = at("2026-11-18T12:00:00Z"); // a Wednesday
  expect(iso(nextRunAfter("UTC", { ...daily("06:00"), weekdays: ["monday", "wednesday"] }, from))).toBe(
    "2026-11-23T06:00:00.000Z",
  );
  expect(iso(nextRunAfter("UTC", { kind: "weekly", time: "12:00", weekdays: ["wednesday"], isActive: true }, from))).toBe(
    "2026-11-25T12:00:00.000Z",
  );
  expect(nextRunAfter("UTC", { ...daily("06:00"), isActive: false }, from)).toBeNull();
  expect(nextRunAfter("UTC", { kind: "shift", time: null, weekdays: null, isActive: true }, from)).toBeNull();
});

it("is about whole local days, compared with those of a week before", () => {
  const run = at("2026-10-26T06:00:00Z");
  const day = periodBefore("Europe/Madrid", "daily", run);
  expect([iso(day.start), iso(day.end), (day.end - day.start) / HOUR]).toEqual([
    "2026-10-24T22:00:00.000Z",
    "2026-10-25T23:00:00.000Z",
    25,
  ]);
  const week = periodBefore("Europe/Madrid", "weekly", run);
  expect([iso(week.start), iso(week.end)]).toEqual(["2026-10-18T22:00:00.000Z", "2026-10-25T23:00:00.000Z"]);
  const before = weekBefore("Europe/Madrid", day);
  expect([iso(before.start), iso(before.end)]).toEqual(["2026-10-17T22:00:00.000Z", "2026-10-18T22:00:00.000Z"]);
  const night = weekBefore("Europe/Madrid", { start: at("2026-10-27T21:00:00Z"), end: at("2026-10-28T05:00:00Z") });
  expect([iso(night.start), iso(night.end)]).toEqual(["2026-10-20T20:00:00.000Z", "2026-10-21T04:00:00.000Z"]);
});

it("has as its newest period that of the last run on its weekdays", () => {
  const wednesday = at("2026-11-18T12:00:00Z");
  const days = (kind: "daily" | "weekly", on: RunTimes["weekdays"], moment = wednesday) => {
    const { start, end } = newestPeriodOf("UTC", { kind, weekdays: on }, moment);
    return [start, end].map((one) => new Date(one).toISOString().slice(0, 10));
  };
  expect(days("weekly", ["monday"])).toEqual(["2026-11-09", "2026-11-16"]);
  expect(days("weekly", ["wednesday"])).toEqual(["2026-11-11", "2026-11-18"]);
  expect(days("weekly", ["thursday"])).toEqual(["2026-11-05", "2026-11-12"]);
  expect(days("daily", null)).toEqual(["2026-11-17", "2026-11-18"]);
  expect(days("daily", ["monday", "tuesday"])).toEqual(["2026-11-16", "2026-11-17"]);
});
