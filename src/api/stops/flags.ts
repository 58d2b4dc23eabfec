import { z } from "@hono/zod-openapi";
import type { StopFlags } from "../../objects/machine-protocol.ts";

/** Body members with the flags of a stop. */
export const flagsBody = z.object({
  isProgrammed: z.boolean().optional(),
  isIncludedInStops: z.boolean().optional(),
  isIncludedInAvailability: z.boolean().optional(),
});

/** The flags that the body contains. */
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
