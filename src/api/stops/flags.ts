import { z } from "@hono/zod-openapi";
import type { StopFlags } from "../../machine/edit-stops.ts";

/** Members of a body that say what a stop counts as. */
export const flagsBody = z.object({
  isProgrammed: z.boolean().optional(),
  isIncludedInStops: z.boolean().optional(),
  isIncludedInAvailability: z.boolean().optional(),
});

/** Those that were sent. */
export function flagsOf({
  isProgrammed,
  isIncludedInStops,
  isIncludedInAvailability,
}: z.infer<typeof flagsBody>): Partial<StopFlags> {
  return {
    ...(isProgrammed !== undefined && { isProgrammed }),
    ...(isIncludedInStops !== undefined && { isIncludedInStops }),
    ...(isIncludedInAvailability !== undefined && { isIncludedInAvailability }),
  };
}
