// time.ts has these too, but it imports this file.
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Dates such as `2026-11-23` by day number (0 is 1 January 1970). They are cached because the times of a response fall on few days. */
const dates = new Map<number, string>();
const MOST_DATES = 1000;

/** The first instant whose year has more than four digits. */
const YEAR_10000 = Date.UTC(10_000, 0);

/**
 * Returns the same as `new Date(at).toISOString()`: `2026-11-23T01:45:00.042Z` for 1795398300042. It is faster because the date is cached
 * (0.11 µs instead of 0.50 in Node), and test/oee/iso-text.test.ts compares both. With `Date`, a stop report of 1,000 rows takes 21 % more CPU, 500 stop
 * records 8 %, 5 days of availability 5 %, and a flush the same: see docs/performance.md, "Two tricks, measured again".
 * @param at epoch ms
 * @throws RangeError where there is no such time
 */
export function isoText(at: number): string {
  if (!(at >= 0 && at < YEAR_10000)) return new Date(at).toISOString();
  const day = Math.floor(at / DAY_MS);
  const ms = Math.floor(at - day * DAY_MS);
  const minute = Math.floor(ms / MINUTE_MS);
  const second = Math.floor(ms / SECOND_MS) - minute * 60;
  const clock = `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}:${twoDigits(second)}`;
  return `${dateOf(day)}T${clock}.${threeDigits(ms % SECOND_MS)}Z`;
}

function dateOf(day: number): string {
  const known = dates.get(day);
  if (known !== undefined) return known;
  if (dates.size >= MOST_DATES) dates.clear();
  const date = new Date(day * DAY_MS).toISOString().slice(0, "2026-11-23".length);
  dates.set(day, date);
  return date;
}

function twoDigits(n: number): string {
  return n < 10 ? `0${n}` : `${n}`;
}

function threeDigits(n: number): string {
  return n < 100 ? `0${twoDigits(n)}` : `${n}`;
}
