import { MINUTE } from "../support/clock.ts";

const known = new Map<string, number>();

/**
 * The first instant at which the wall clock shows `minute` minutes after midnight of a day (since 1970), found by checking
 * the clock at every possible instant. A skipped time is moved by the length of the skip.
 */
export function localTime(timezone: string, day: number, minute: number): number {
  const key = `${timezone} ${day} ${minute}`;
  const found = known.get(key) ?? search(timezone, (day * 1440 + minute) * MINUTE);
  known.set(key, found);
  return found;
}

function search(timezone: string, wall: number): number {
  for (let offset = 14 * 60; offset >= -12 * 60; offset -= 15) {
    const at = wall - offset * MINUTE;
    if (shown(timezone, at) === wall) return at;
  }
  // Skipped: computed as before the skip, when the clock shows an hour less than it should.
  return search(timezone, wall - 60 * MINUTE) + 60 * MINUTE;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The wall-clock time, as if it were UTC. */
function shown(timezone: string, at: number): number {
  const clock =
    clocks.get(timezone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone: timezone, dateStyle: "short", timeStyle: "medium" });
  clocks.set(timezone, clock);
  return Date.parse(`${clock.format(at).replace(" ", "T")}Z`);
}
