import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { machines } from "../db/schema.ts";
import { callMachine, type ObjectUsage } from "./stub.ts";

/** The statement that makes the set-up of these machines a new version, for the batch that changes it. Gives them as `tellMachines` takes them. */
export function raiseVersions(db: Db, which: SQL | undefined) {
  return db
    .update(machines)
    .set({ configVersion: sql`${machines.configVersion} + 1` })
    .where(which)
    .returning({ machineId: machines.id, configVersion: machines.configVersion });
}

/** Tells machines to take over their set-up of this version or a newer one. Gives what went wrong, a line per machine. */
export async function tellMachines(
  env: Env,
  changed: readonly { machineId: number; configVersion: number }[],
  usage?: ObjectUsage,
): Promise<string[]> {
  const tell = async ({ machineId, configVersion }: (typeof changed)[number]) => {
    try {
      await callMachine(env, machineId, (object) => object.configure(configVersion), usage);
      return [];
    } catch (error) {
      return [`machine ${machineId}: ${error}`];
    }
  };
  return (await Promise.all(changed.map(tell))).flat();
}
