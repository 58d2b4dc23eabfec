import type * as schema from "../../src/db/schema.ts";
import { HOUR } from "./clock.ts";
import { createShiftPart } from "./factories.ts";

type NewPart = typeof schema.shiftParts.$inferInsert;

/** Published parts of a shift: to the end of their UTC hour each, zero in everything, unless told otherwise. */
export async function createShiftParts(
  of: Pick<NewPart, "companyId" | "machineId" | "shiftId" | "shiftStart" | "shiftEnd">,
  parts: readonly ({ startAt: number } & Partial<NewPart>)[],
) {
  for (const part of parts) {
    const hourEnd = (Math.floor(part.startAt / HOUR) + 1) * HOUR;
    await createShiftPart({ ...of, startAt: part.startAt, endAt: hourEnd }, part);
  }
}
