import type { IncomingEvent } from "../../objects/machine-protocol.ts";
import { kindOrder } from "../../oee/events.ts";

const TIME_DIGITS = 15;

/** Returns the position of an event in the order of its journal; equal only for equal events. */
export function positionOf({ id, content, event }: IncomingEvent): string {
  return `${startOf(event.at)}${kindOrder[event.kind]}${id === null ? `=${content}` : `#${id}`}`;
}

/** The id of the event at a position; null: it has none. */
export function idOf(pos: string): string | null {
  return pos[TIME_DIGITS + 1] === "#" ? pos.slice(TIME_DIGITS + 2) : null;
}

/** The position before every event of an instant (epoch ms, not before 1970). */
export function startOf(at: number): string {
  return String(at).padStart(TIME_DIGITS, "0");
}

/** The time of a position (epoch ms); 0 for the one before all events. */
export function timeOf(pos: string): number {
  return Number(pos.slice(0, TIME_DIGITS));
}
