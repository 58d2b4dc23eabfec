import { z } from "@hono/zod-openapi";
import { type Interval, isoOf } from "../oee/time.ts";
import { answerText } from "./answer-text.ts";

// How answers name other things: a company, a machine, a line, a shift.

/** A company or machine by name and id. */
export const namedRef = z.object({ name: answerText, id: z.int() });

/** The line that a machine is in. */
export const lineRef = namedRef.nullable().openapi({ description: "The line that the machine is in now; null: none" });

export const shiftRef = z.object({
  isActive: z.boolean().openapi({ description: "Whether the shift is running now" }),
  endTime: z.iso.datetime(),
  startTime: z.iso.datetime(),
  name: answerText,
  id: z.int(),
});

/** A shift occurrence as of `now` (epoch ms). */
export function shiftRefOf(
  { shiftId, shiftName }: { shiftId: number; shiftName: string },
  { start, end }: Interval,
  now: number,
): z.infer<typeof shiftRef> {
  return {
    isActive: start <= now && now < end,
    endTime: isoOf(end),
    startTime: isoOf(start),
    name: shiftName,
    id: shiftId,
  };
}
