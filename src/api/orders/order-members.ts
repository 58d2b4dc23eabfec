import { z } from "@hono/zod-openapi";
import { nameText, repeatedAt, text } from "../../core/inputs.ts";
import type { Fault } from "../../core/problem.ts";

// Request members that the work order operations share.

export const name = nameText(200);
export const code = nameText(100).openapi({ description: "Unique within the company" });
export const source = text(200).openapi({ description: "Where the order comes from" });
export const skuId = text(100).min(1);
export const machineId = z.int().min(1);
/** The quantity of a SKU to make. */
export const quantity = z
  .number()
  .positive()
  .max(2 ** 53);

export const priority = z
  .number()
  .min(-(2 ** 53))
  .max(2 ** 53);

/** A list of 1 to 1,000 objects that differ in a member. */
export function distinctBy<K extends string, T extends Record<K, unknown>>(member: K, item: z.ZodType<T>) {
  return z
    .array(item)
    .min(1)
    .max(1000)
    .superRefine((list, c) => {
      const seen = new Set<unknown>();
      for (const [i, { [member]: value }] of list.entries()) {
        if (seen.has(value)) c.addIssue(repeatedAt(i, member));
        seen.add(value);
      }
    });
}

/** A fault for each id that was not found, with the pointer of its position in the list. */
export function unknownIds<T>(
  ids: readonly T[],
  found: readonly T[],
  kind: "machine" | "SKU",
  pointerOf: (i: number) => string,
): Fault[] {
  const known = new Set(found);
  return ids.flatMap((id, i) =>
    known.has(id) ? [] : [{ pointer: pointerOf(i), code: "not_found", message: `is not a ${kind} of the work order's company` }],
  );
}
