import { expect, test } from "vitest";
import type { Settings } from "../../src/oee/settings.ts";
import type { ShiftDefinition } from "../../src/oee/shift-definition.ts";
import { ShiftCalendar } from "../../src/oee/shifts.ts";
import { localToUtc, zoneOffsetMs } from "../../src/oee/zone.ts";
import { at, count, every, HOUR_MS, MINUTE_MS, onlyShift, replay, settings, shift } from "./support.ts";

const SATURDAY = 6;
const night = (over: Partial<ShiftDefinition> = {}) => shift({ start: "22:00", end: "06:00", days: [SATURDAY], ...over });
const madrid = (definition: ShiftDefinition) => settings({ timezone: "Europe/Madrid", shifts: [definition] });

function utc(text: string): number {
  return Date.parse(`${text}:00Z`);
}

function readable(shifts: ShiftDefinition[], from: number, to: number): string[] {
  const occurrences = new ShiftCalendar([settings({ shifts })]).between(from, to);
  return occurrences.map(({ shiftId, start, end }) => `${shiftId}: ${clock(start)}-${clock(end)}`);
}

function clock(instant: number): string {
  return new Date(instant).toISOString().slice(8, 16).replace("T", " ");
}

test.each([
  ["night in spring", night(), "2026-03-28T21:00", "2026-03-29T04:00", 7],
  ["night in autumn", night(), "2026-10-24T20:00", "2026-10-25T05:00", 9],
  ["night in winter", night(), "2026-01-10T21:00", "2026-01-11T05:00", 8],
  ["whole day in spring", night({ start: "06:00" }), "2026-03-28T05:00", "2026-03-29T04:00", 23],
  ["whole day in autumn", night({ start: "06:00" }), "2026-10-24T04:00", "2026-10-25T05:00", 25],
])("a %s in Madrid", (_, definition, start, end, hours) => {
  const calendar = new ShiftCalendar([madrid(definition)]);
  expect(calendar.at(utc(start))).toMatchObject({ start: utc(start), end: utc(end) });
  expect(calendar.at(utc(end) - 1)).toEqual(calendar.at(utc(start)));
  expect(calendar.at(utc(start) - 1)).toBeNull();
  expect(calendar.at(utc(end))).toBeNull();
  expect((utc(end) - utc(start)) / HOUR_MS).toBe(hours);
});

test.each([
  ["spring", "2026-03-28T21:00", 7],
  ["autumn", "2026-10-24T20:00", 9],
])("a machine that runs through the %s night is available for all of it", (_, start, hours) => {
  const machine = { ...madrid(night()), commissionedAt: utc(start) };
  const counts = every(MINUTE_MS, utc(start), utc(start) + 10 * HOUR_MS, count);
  const { indicators, metrics } = onlyShift(replay(counts, machine, { now: utc(start) + 10 * HOUR_MS }));
  expect(indicators).toMatchObject({ availableTime: hours * 60, availability: 100 });
  expect(metrics.cycleCount).toBe(hours * 60);
});

test("a break in the hour that spring skips is moved by an hour; in the hour that autumn repeats it is the first", () => {
  const nap = { name: "Nap", start: "02:15", end: "02:45", isIncludedInAvailability: true };
  const calendar = new ShiftCalendar([madrid(night({ breaks: [nap] }))]);
  expect(calendar.at(utc("2026-03-28T22:00"))?.breaks).toMatchObject([
    { start: utc("2026-03-29T01:15"), end: utc("2026-03-29T01:45") },
  ]);
  expect(calendar.at(utc("2026-10-24T22:00"))?.breaks).toMatchObject([
    { start: utc("2026-10-25T00:15"), end: utc("2026-10-25T00:45") },
  ]);
});

test("local time in zones far from UTC, with odd offsets, and before 1970", () => {
  expect(zoneOffsetMs("Asia/Kathmandu", at("00:00"))).toBe(5.75 * HOUR_MS);
  expect(zoneOffsetMs("UTC", -1)).toBe(0);
  const day = Math.floor(at("00:00") / (24 * HOUR_MS));
  expect(localToUtc("Pacific/Kiritimati", day, 60)).toBe(at("00:00") - 13 * HOUR_MS);
  expect(localToUtc("America/New_York", day, 60)).toBe(at("06:00"));
  expect(() => zoneOffsetMs("Mars/Olympus", 0)).toThrow(RangeError);
});

test("a shift over midnight belongs to the weekday of its start and has its break after midnight", () => {
  const rest = { name: "Rest", start: "02:00", end: "02:30", isIncludedInAvailability: false };
  const friday = night({ days: [5], breaks: [rest] });
  expect(readable([friday], at("00:00"), at("00:00", 14))).toEqual(["1: 09 22:00-10 06:00", "1: 16 22:00-17 06:00"]);
  const machine = settings({ shifts: [friday], noDataAfterMs: null, commissionedAt: at("22:00", 4) });
  const counts = [
    ...every(MINUTE_MS, at("22:00", 4), at("01:45", 5), count),
    ...every(MINUTE_MS, at("02:40", 5), at("06:00", 5), count),
  ];
  const { indicators } = onlyShift(replay(counts, machine, { now: at("07:00", 5) }));
  expect(indicators).toMatchObject({ availableTime: 425, otherStopsTime: 30, nonProgrammedDowntime: 25 });
});

test("of two overlapping definitions the first ends where the second starts, with its breaks", () => {
  const breaks = ["11:45", "12:30"].map((start) => ({ name: start, start, end: "13:00", isIncludedInAvailability: true }));
  const shifts = [shift({ id: 1, breaks }), shift({ id: 2, start: "12:00", end: "20:00" })];
  expect(readable(shifts, at("00:00"), at("00:00", 1))).toEqual(["1: 05 06:00-05 12:00", "2: 05 12:00-05 20:00"]);
  const [first] = new ShiftCalendar([settings({ shifts })]).between(at("06:00"), at("07:00"));
  expect(first?.breaks).toEqual([{ name: "11:45", start: at("11:45"), end: at("12:00"), isIncludedInAvailability: true }]);
});

test("of two definitions with the same start the one with the lower id applies", () => {
  const shifts = [shift({ id: 8, end: "10:00" }), shift({ id: 7 })];
  expect(readable(shifts, at("00:00"), at("00:00", 1))).toEqual(["7: 05 06:00-05 14:00"]);
});

test("between returns what overlaps a window, and nothing for an empty one", () => {
  expect(readable([shift()], at("14:00"), at("06:00", 1))).toEqual([]);
  expect(readable([shift()], at("13:59:59"), at("06:00:01", 1))).toEqual(["1: 05 06:00-05 14:00", "1: 06 06:00-06 14:00"]);
  expect(readable([shift()], at("10:00"), at("10:00"))).toEqual([]);
});

test("a break outside its shift is ignored, and one that exceeds the shift ends with it", () => {
  const pause = (start: string, end: string) => ({ name: "", start, end, isIncludedInAvailability: true });
  const breaks = [pause("13:30", "14:30"), pause("15:00", "15:30"), pause("05:30", "06:30")];
  const [early] = new ShiftCalendar([settings({ shifts: [shift({ breaks })] })]).between(at("06:00"), at("07:00"));
  expect(early?.breaks.map(({ start, end }) => [start, end])).toEqual([[at("13:30"), at("14:00")]]);
});

test("the next edge is a start or an end of a shift or a break", () => {
  const lunch = { name: "Lunch", start: "10:00", end: "10:30", isIncludedInAvailability: false };
  const calendar = new ShiftCalendar([settings({ shifts: [shift({ days: [1], breaks: [lunch] })] })]);
  const edges = [at("00:00")];
  for (let i = 0; i < 5; i++) edges.push(calendar.nextEdge(edges[i] ?? 0) ?? 0);
  expect(edges.slice(1)).toEqual([at("06:00"), at("10:00"), at("10:30"), at("14:00"), at("06:00", 7)]);
  expect(new ShiftCalendar([settings({ shifts: [] })]).nextEdge(at("00:00"))).toBeNull();
});

/** From 09:00 on Monday these definitions are in force, before that the early shift 06:00-14:00. */
function changedAtNine(over: Partial<Settings>, before: Partial<Settings> = {}): string[] {
  const calendar = new ShiftCalendar([settings(before), settings({ since: at("09:00"), ...over })]);
  return calendar.between(at("00:00"), at("00:00", 2)).map((one) => `${one.shiftId}: ${clock(one.start)}-${clock(one.end)}`);
}

test.each<[string, Partial<Settings>, string[]]>([
  [
    "another shift in its place",
    { shifts: [shift({ id: 2, start: "08:00", end: "16:00" })] },
    ["1: 05 06:00-05 14:00", "2: 06 08:00-06 16:00"],
  ],
  ["an earlier start", { shifts: [shift({ start: "05:00" })] }, ["1: 05 06:00-05 14:00", "1: 06 05:00-06 14:00"]],
  // It neither cuts the running one nor runs a second time on that day.
  ["a later start", { shifts: [shift({ start: "10:00", end: "18:00" })] }, ["1: 05 06:00-05 14:00", "1: 06 10:00-06 18:00"]],
  [
    "a start after its end",
    { shifts: [shift({ start: "15:00", end: "23:00" })] },
    ["1: 05 06:00-05 14:00", "1: 06 15:00-06 23:00"],
  ],
  ["no shift at all", { shifts: [] }, ["1: 05 06:00-05 14:00"]],
  ["a zone to the west", { timezone: "America/New_York" }, ["1: 05 06:00-05 14:00", "1: 06 11:00-06 19:00"]],
  ["a zone to the east", { timezone: "Asia/Tokyo" }, ["1: 05 06:00-05 14:00", "1: 05 21:00-06 05:00", "1: 06 21:00-07 05:00"]],
  [
    "a second shift that would begin before its end",
    { shifts: [shift(), shift({ id: 2, start: "13:00", end: "20:00" })] },
    ["1: 05 06:00-05 14:00", "2: 05 14:00-05 20:00", "1: 06 06:00-06 13:00", "2: 06 13:00-06 20:00"],
  ],
])("a change does not affect the running shift: %s", (_, over, occurrences) => {
  expect(changedAtNine(over)).toEqual(occurrences);
});

test("a change at night does not affect the shift over midnight, nor its break", () => {
  const nap = { name: "Nap", start: "02:00", end: "02:30", isIncludedInAvailability: true };
  const nightly = { id: 3, start: "22:00", end: "06:00", breaks: [nap] };
  const calendar = new ShiftCalendar([
    settings({ shifts: [shift(nightly)] }),
    settings({ since: at("23:00"), shifts: [shift({ ...nightly, start: "20:00", breaks: [] })] }),
    settings({ since: at("01:00", 1), shifts: [shift({ ...nightly, start: "21:00", breaks: [] })] }),
  ]);
  const occurrences = calendar.between(at("12:00"), at("22:00", 1));
  expect(occurrences).toMatchObject([
    { start: at("22:00"), end: at("06:00", 1), breaks: [{ start: at("02:00", 1), end: at("02:30", 1) }] },
    { start: at("21:00", 1), end: at("06:00", 2), breaks: [] },
  ]);
});

test("a change of other members is not a change of the shifts", () => {
  const overlapping = { shifts: [shift(), shift({ id: 2, start: "12:00", end: "20:00" })] };
  expect(changedAtNine({ ...overlapping, stopAfterMs: 1 }, overlapping)).toEqual([
    ...["1: 05 06:00-05 12:00", "2: 05 12:00-05 20:00", "1: 06 06:00-06 12:00", "2: 06 12:00-06 20:00"],
  ]);
});

test("a machine's first shifts apply from their starts, later ones from their next starts", () => {
  expect(changedAtNine({}, { shifts: [] })).toEqual(["1: 05 06:00-05 14:00", "1: 06 06:00-06 14:00"]);
  const late = shift({ id: 2, start: "08:00", end: "15:00" });
  // The early shift is over when it is created: the running one is the first.
  const calendar = new ShiftCalendar([
    settings({ shifts: [] }),
    settings({ since: at("14:30"), shifts: [shift({ end: "08:00" })] }),
    settings({ since: at("14:45"), shifts: [shift({ end: "08:00" }), late] }),
    settings({ since: at("14:50"), shifts: [shift({ end: "08:00" }), late, shift({ id: 3, start: "14:00", end: "20:00" })] }),
  ]);
  expect(calendar.between(at("00:00"), at("07:00", 1)).map(({ shiftId, start }) => [shiftId, start])).toEqual([
    [2, at("08:00")],
    [1, at("06:00", 1)],
  ]);
});

test("a distant change of the shifts has no effect yet", () => {
  const calendar = new ShiftCalendar([settings(), settings({ since: at("09:00", 14), shifts: [shift({ id: 2 })] })]);
  const idsOn = (day: number) => calendar.between(at("00:00", day), at("00:00", day + 1)).map(({ shiftId }) => shiftId);
  expect([idsOn(1), idsOn(30)]).toEqual([[1], [2]]);
});

test("no shift runs while the machine is deleted, and one that still runs when it is restored is whole", () => {
  const daily = shift({ start: "06:00", end: "14:00", days: [1, 2, 3, 4, 5, 6, 7], breaks: [] });
  const shown = (...times: [string, string][]) => {
    const deletedTimes = times.map(([from, to]): [number, number] => [utc(from), utc(to)]);
    const calendar = new ShiftCalendar([
      settings({ shifts: [daily] }),
      { ...settings({ shifts: [daily] }), since: 1, deletedTimes },
    ]);
    return calendar
      .between(utc("2026-01-05T00:00"), utc("2026-01-09T00:00"))
      .map(({ start, end }) => `${clock(start)}-${clock(end)}`);
  };
  expect(shown(["2026-01-05T09:00", "2026-01-07T11:00"])).toEqual([
    "05 06:00-05 09:00",
    "07 11:00-07 14:00",
    "08 06:00-08 14:00",
  ]);
  expect(shown(["2026-01-05T06:00", "2026-01-07T14:00"])).toEqual(["08 06:00-08 14:00"]);
  expect(shown(["2026-01-05T09:00", "2026-01-05T09:05"], ["2026-01-06T15:00", "2026-01-06T16:00"])).toHaveLength(4);
  expect(shown(["2026-01-05T09:00", "2026-01-05T09:05"])[0]).toBe("05 06:00-05 14:00");
  const calendar = new ShiftCalendar([
    settings({ shifts: [daily], deletedTimes: [[utc("2026-01-05T09:00"), utc("2026-01-06T11:00")]] }),
  ]);
  expect(calendar.between(utc("2026-01-05T09:00"), utc("2026-01-06T10:00"))).toEqual([]);
  expect(calendar.nextEdge(utc("2026-01-05T09:00"))).toBe(utc("2026-01-06T11:00"));
});
