import { z } from "@hono/zod-openapi";
import { nameText } from "../../../core/inputs.ts";

// Members that shifts and the shifts of calendar days have in common.

/** A wall-clock time. */
export const clock = (description: string, example: string) =>
  z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a wall-clock time HH:mm")
    .openapi({ description: `HH:mm in the company's time zone${description}`, example });
const isIncludedInAvailability = z.boolean().openapi({ description: "Whether a stop in it counts as unavailable" });
export const planned = z.object({
  name: nameText(100).openapi({ example: "Lunch" }),
  start: clock("", "10:00"),
  end: clock("", "10:30"),
  isIncludedInAvailability,
});
export const breaks = <P extends z.ZodType>(one: P) =>
  z.array(one).max(20).openapi({ description: "Planned breaks inside the shift, which must not overlap" });
export const sentBreaks = breaks(planned.extend({ isIncludedInAvailability: isIncludedInAvailability.default(false) }));
