import type { PartRow } from "../../src/machine/publish/published-rows.ts";
import { HOUR } from "./clock.ts";
import { createShiftPart } from "./factories.ts";

type NewPart = PartRow;

/** Published parts of a shift; by default each ends with its UTC hour, and all numbers are zero. */
export async function createShiftParts(
  of: Pick<NewPart, "companyId" | "machineId" | "shiftId" | "shiftStart" | "shiftEnd">,
  parts: readonly ({ startAt: number } & Partial<NewPart>)[],
) {
  for (const part of parts) {
    const hourEnd = (Math.floor(part.startAt / HOUR) + 1) * HOUR;
    await createShiftPart({ ...of, startAt: part.startAt, endAt: hourEnd }, part);
  }
}
