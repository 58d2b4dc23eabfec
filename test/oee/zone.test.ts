import { describe, expect, it } from "vitest";
import { chartBuckets } from "../../src/oee/buckets.ts";
import { ShiftCalendar } from "../../src/oee/shifts.ts";
import { DAY_MS, HOUR_MS, isoWeekday, MINUTE_MS } from "../../src/oee/time.ts";
import { isSkipped, localInterval, localToUtc } from "../../src/oee/zone.ts";
import { settings } from "./support.ts";

const iso = (at: number) => new Date(at).toISOString().slice(0, 16);
const dayOf = (date: string) => Date.parse(date) / DAY_MS;

/** Nights in which a clock is set: by an hour, two hours or half an hour, at or across midnight, between odd offsets, over the date line. */
const nights = [
  ["Europe/Madrid", "2026-03-29"],
  ["Europe/Madrid", "2026-10-25"],
  ["Australia/Lord_Howe", "2026-10-04"],
  ["Australia/Lord_Howe", "2026-04-05"],
  ["Antarctica/Troll", "2026-03-29"],
  ["Antarctica/Troll", "2026-10-25"],
  ["Pacific/Chatham", "2026-09-27"],
  ["Pacific/Chatham", "2026-04-05"],
  ["America/Havana", "2026-03-08"],
  ["America/Nuuk", "2026-03-28"],
  ["America/Caracas", "2016-05-01"],
  ["Asia/Pyongyang", "2015-08-15"],
  ["Asia/Pyongyang", "2018-05-05"],
  ["Pacific/Apia", "2011-12-30"],
] as const;

/** What the clock shows, as text that sorts by time; computed differently from the code. */
function shown(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  return (at) => format.format(at);
}

const textOf = (day: number, minute: number) => iso(day * DAY_MS + minute * MINUTE_MS).replace("T", " ");

describe.each(nights)("the local times of %s around %s", (timezone, date) => {
  const day = dayOf(date);
  const show = shown(timezone);

  it("are the first instant at which the clock shows them or a later time, and never go back", () => {
    let before = Number.NEGATIVE_INFINITY;
    let instant = day * DAY_MS - 2 * DAY_MS;
    for (let minute = -DAY_MS / MINUTE_MS; minute < 2 * (DAY_MS / MINUTE_MS); minute += 15) {
      while (show(instant) < textOf(day, minute)) instant += 15 * MINUTE_MS;
      const at = localToUtc(timezone, day, minute);
      expect(iso(at), textOf(day, minute)).toBe(iso(instant));
      expect(at).toBeGreaterThanOrEqual(before);
      before = at;
    }
  });

  it("make hours of at most 60 minutes that cover the time without gaps, each beginning at a full hour or at the change", () => {
    const [start, end] = [day * DAY_MS - DAY_MS, day * DAY_MS + 2 * DAY_MS];
    const hours = chartBuckets(timezone, "hour", { start, end }, 1000);
    expect([hours[0]?.start, hours.at(-1)?.end]).toEqual([start, end]);
    for (const [i, { x, xEnd }] of hours.entries()) {
      if (i > 0) expect(x).toBe(hours[i - 1]?.xEnd);
      expect(xEnd - x, `${iso(x)}-${iso(xEnd)}`).toBeLessThanOrEqual(HOUR_MS);
      expect(xEnd - x).toBeGreaterThan(0);
      const isFull = show(x).endsWith(":00");
      const isSet = Date.parse(`${show(x)}Z`) - Date.parse(`${show(x - MINUTE_MS)}Z`) !== MINUTE_MS;
      expect(isFull || isSet, show(x)).toBe(true);
    }
    // An hour that is asked for alone is the same one.
    for (const { x, xEnd } of hours) {
      for (const at of [x, xEnd - 1]) {
        expect(chartBuckets(timezone, "hour", { start: at, end: at + 1 }, 1)).toMatchObject([{ x, xEnd }]);
      }
    }
  });

  it("lose no shift, unless the zone skips the whole day", () => {
    const clock = (minute: number) => textOf(0, minute).slice("1970-01-01 ".length);
    for (let minute = 0; minute < DAY_MS / MINUTE_MS; minute += 15) {
      const shift = { id: 1, start: clock(minute), end: clock(minute + 30), days: [isoWeekday(day)], breaks: [] };
      const calendar = new ShiftCalendar([settings({ timezone, shifts: [shift] })]);
      const found = calendar.between((day - 2) * DAY_MS, (day + 3) * DAY_MS);
      expect(found, shift.start).toHaveLength(isSkipped(timezone, day) && minute < DAY_MS / MINUTE_MS - 15 ? 0 : 1);
    }
  });
});

describe("an interval of local times", () => {
  const inMadrid = (date: string, from: string, to: string) => {
    const minute = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
    const found = localInterval("Europe/Madrid", dayOf(date), minute(from), minute(to));
    return found && `${iso(found.start).slice(11)}-${iso(found.end).slice(11)}`;
  };

  it.each([
    ["a night is an hour shorter", "2026-03-28", "22:00", "30:00", "21:00-04:00"],
    ["what begins in the skipped hour begins at the change", "2026-03-29", "02:30", "04:00", "01:00-02:00"],
    ["what ends in the skipped hour ends at the change", "2026-03-29", "01:30", "02:30", "00:30-01:00"],
    ["the whole skipped hour is an hour later", "2026-03-29", "02:00", "03:00", "01:00-02:00"],
    ["a part of the skipped hour is an hour later", "2026-03-29", "02:15", "02:45", "01:15-01:45"],
    ["a night is an hour longer", "2026-10-24", "22:00", "30:00", "20:00-05:00"],
    ["what lies in the repeated hour comes in the first", "2026-10-25", "02:15", "02:45", "00:15-00:45"],
    ["what reaches beyond the repeated hour includes both", "2026-10-25", "02:30", "03:30", "00:30-02:30"],
  ])("%s", (_, date, from, to, expected) => expect(inMadrid(date, from, to)).toBe(expected));

  it("does not exist on a day that the zone skips", () => {
    const day = dayOf("2011-12-30");
    expect(localInterval("Pacific/Apia", day, 6 * 60, 14 * 60)).toBeNull();
    expect([day - 1, day, day + 1].map((one) => isSkipped("Pacific/Apia", one))).toEqual([false, true, false]);
  });
});
