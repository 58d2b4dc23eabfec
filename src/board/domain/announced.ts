import { type FloorStop, wantsCause } from "./floor-stops.ts";

// A planned stop that a person has announced at a terminal, before the machine stops for it.

export interface Announced {
  /** The key of the cause. */
  key: string;
  /** When it was announced, epoch ms. */
  at: number;
}

/** The stop that was announced: the first one without a cause that began afterwards; null: it has not begun yet. */
export function announcedStop(stops: readonly FloorStop[], { at }: Announced): FloorStop | null {
  const later = stops.filter((stop) => wantsCause(stop) && Date.parse(stop.startTime) >= at);
  return later.sort((a, b) => Date.parse(a.startTime) - Date.parse(b.startTime))[0] ?? null;
}

/** Reads what was stored; null: nothing, or it is older than `after` (epoch ms). */
export function parsedAnnounced(text: string | null, after: number): Announced | null {
  try {
    const { key, at } = JSON.parse(text ?? "null") as Announced;
    return typeof key === "string" && typeof at === "number" && at >= after ? { key, at } : null;
  } catch {
    return null;
  }
}
