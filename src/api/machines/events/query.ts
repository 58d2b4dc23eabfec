import { z } from "@hono/zod-openapi";
import { keyText, paged } from "../../../core/cursor.ts";
import { instant } from "../../../core/inputs.ts";
import { DAY_MS, HOUR_MS } from "../../../oee/time.ts";

/** Also the bound of what a file costs: with 1-second counts it has eight million events, in some 5,000 calls of the machine's object. */
export const maxDays = 93;

/** The query parameters of the events of a machine. A cursor has the key of a part, the position of an event, and whether all was read before it. */
export const query = paged(z.tuple([z.int().min(0).nullable(), keyText, z.union([z.literal(0), z.literal(1)])]))
  .extend({
    from: instant.refine((at) => at >= 0, "must not be before 1970"),
    to: instant.openapi({ description: `At most ${maxDays} days after \`from\`` }),
  })
  .refine(({ from, to }) => from < to, { path: ["from"], message: "must be before `to`" })
  .refine(({ from, to }) => to - from <= maxDays * DAY_MS + HOUR_MS, {
    path: ["to"],
    message: `must be at most ${maxDays} days after \`from\``,
  });
export type MachineEventsQuery = z.infer<typeof query>;
