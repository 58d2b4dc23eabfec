// A badge reader types like a keyboard, but faster than a person, and then presses Enter.

/** The longest time between two keys of a reader. People take longer. */
export const BURST_GAP_MS = 60;

/** Keys that came quickly after each other. Times are in ms. */
export interface Burst {
  text: string;
  /** Of the last key. */
  at: number;
}

/** The burst with one more key: a new one, if the key came too late for the former. */
export function burstWith(burst: Burst | null, key: string, at: number): Burst {
  return burst && at - burst.at <= BURST_GAP_MS ? { text: burst.text + key, at } : { text: key, at };
}

/**
 * The code of a badge, when Enter ends a burst; null: a person pressed it.
 * @param isInField whether the keys went into a field, where a fast typist's last two letters must not count as a badge
 */
export function badgeOf(burst: Burst | null, at: number, isInField: boolean): string | null {
  if (!burst || at - burst.at > BURST_GAP_MS) return null;
  const code = burst.text.trim();
  return code.length >= (isInField ? 3 : 2) ? code : null;
}
