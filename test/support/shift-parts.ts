import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import * as schema from "../../src/db/schema.ts";
import { HOUR } from "./clock.ts";

const db = drizzle(env.DB);

type NewPart = typeof schema.shiftParts.$inferInsert;

/** Published parts of a shift: to the end of their UTC hour each, zero in everything, unless told otherwise. */
export async function createShiftParts(
  of: Pick<NewPart, "companyId" | "machineId" | "shiftId" | "shiftStart" | "shiftEnd">,
  parts: readonly ({ startAt: number } & Partial<NewPart>)[],
) {
  const rows = parts.map((part) => {
    const hourStart = Math.floor(part.startAt / HOUR) * HOUR;
    return {
      revision: 1,
      endAt: hourStart + HOUR,
      hourStart,
      openIsAnnotated: false,
      availableMs: 0,
      noDataMs: 0,
      programmedMs: 0,
      nonProgrammedMs: 0,
      otherMs: 0,
      annotatedMs: 0,
      cycles: 0,
      totalUnits: 0,
      defectUnits: 0,
      idealMs: 0,
      cyclesWithStandard: 0,
      lostByDefectsMs: 0,
      fiveMinutes: [],
      ...of,
      ...part,
    };
  });
  for (const row of rows) await db.insert(schema.shiftParts).values(row);
}
