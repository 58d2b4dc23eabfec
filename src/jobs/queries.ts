import { and, isNull, lt, sql } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { machines } from "../db/schema.ts";

/** Up to `limit` machines whose objects have not taken over their newest set-up. */
export function findUnconfiguredMachines(db: Db, limit: number) {
  return (
    db
      .select({ machineId: machines.id, configVersion: machines.configVersion })
      .from(machines)
      .where(and(lt(machines.configuredVersion, machines.configVersion), isNull(machines.deletedAt)))
      // In any order, so that machines that fail each time do not keep the others waiting.
      .orderBy(sql`random()`)
      .limit(limit)
  );
}
