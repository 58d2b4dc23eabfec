import { serverNow } from "../../app/clock.ts";
import { formats } from "../../data/plant.ts";
import type { FloorStop } from "../../domain/floor-stops.ts";
import { durationText } from "../../domain/formats.ts";
import { MINUTE_MS, SECOND_MS } from "../../domain/time.ts";
import { floor } from "../../texts/floor.ts";

/** A duration in words: seconds below two minutes, minutes and hours above. */
export function lengthText(ms: number): string {
  return ms < 2 * MINUTE_MS ? floor.seconds(Math.max(0, Math.round(ms / SECOND_MS))) : durationText(ms);
}

/** The time of a stop: "10:24–10:31, 7 min", or "10:24, still stopped". */
export function stopText({ startTime, endTime }: Pick<FloorStop, "startTime" | "endTime">): string {
  const { time } = formats();
  if (endTime === null) return floor.open(time(startTime));
  return floor.span(time(startTime), time(endTime), lengthText(Date.parse(endTime) - Date.parse(startTime)));
}

/** The start and length of a stop: "10:24, 7 min". */
export function shortStopText({ startTime, endTime }: Pick<FloorStop, "startTime" | "endTime">): string {
  const end = endTime === null ? serverNow() : Date.parse(endTime);
  return `${formats().time(startTime)}, ${lengthText(end - Date.parse(startTime))}`;
}
