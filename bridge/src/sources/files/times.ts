import { isTimezone, zoneOffsetMs } from "../../../../src/oee/zone.ts";

const dayMs = 86_400_000;

/** Whether times of files can be read in it: an IANA name, or an offset such as "+01:00". */
export function isZone(text: string): boolean {
  return offsetOf(text) !== null || isTimezone(text);
}

function offsetOf(text: string): number | null {
  const [found, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(text) ?? [];
  if (found === undefined) return text === "Z" || text === "UTC" ? 0 : null;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

export type DateOrder = "ymd" | "dmy" | "mdy";

/**
 * The instant of a time as files have it: `2026-01-05 10:00:00`, `05.01.2026 10:00` by the order of its date, with an offset or in the zone; or seconds
 * or milliseconds since 1970. Null: it is none.
 * @param after the instant of the row before: of an hour that the clock shows twice, the one is meant that does not go back
 */
export function instantOf(text: string, zone: string | undefined, order: DateOrder, after: number): number | null {
  if (/^\d{9,10}(?:\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000);
  if (/^\d{12,13}$/.test(text)) return Number(text);
  const [found, a, b, c, hour = "0", minute = "0", second = "0", half, offset] =
    /^(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})(?:[T ]+(\d{1,2}):(\d\d)(?::(\d\d(?:[.,]\d+)?))?\s*([AaPp][Mm])?)?\s*(Z|[+-]\d\d:?\d\d)?$/.exec(
      text,
    ) ?? [];
  if (found === undefined) return null;
  const [year, month, day] = dateOf([Number(a), Number(b), Number(c)], order);
  const wall = Date.UTC(year, month - 1, day, hourOf(Number(hour), half), Number(minute), 0);
  const date = new Date(wall);
  const isDate = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isDate || year < 1970 || Number(minute) > 59 || Number(hour) > 23) return null;
  const at = wall + Math.round(Number(second.replace(",", ".")) * 1000);
  const fixed = offset === undefined ? zone && offsetOf(zone) : offsetOf(offset);
  if (typeof fixed === "number") return at - fixed;
  return zone === undefined ? null : inZone(at, zone, after);
}

function dateOf([a, b, c]: [number, number, number], order: DateOrder): [year: number, month: number, day: number] {
  // A date that begins with its year has only one order.
  if (order === "ymd" || a > 31) return [a, b, c];
  return order === "dmy" ? [c, b, a] : [c, a, b];
}

function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  return (hour % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
}

/** The instants at which the clock shows a time are one, two in the hour that it shows twice, or none in the hour that it leaves out. */
function inZone(wall: number, zone: string, after: number): number {
  const offsets = [zoneOffsetMs(zone, wall - dayMs), zoneOffsetMs(zone, wall + dayMs)];
  const instants = offsets.map((offset) => wall - offset).filter((at) => at + zoneOffsetMs(zone, at) === wall);
  const [first = wall - (offsets[0] ?? 0), second = first] = instants.toSorted((a, b) => a - b);
  return first < after && second >= after ? second : first;
}
