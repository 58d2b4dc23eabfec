import { jurisdictionOf } from "../db/client.ts";
import type { Jurisdiction } from "../db/values.ts";

// Stubs of objects are made in this file only: `npm run check` refuses them elsewhere. The object of a machine is named by the machine's id, the hub of a
// company by the company's id. The same name in another jurisdiction is a different object with its own storage, so an object's jurisdiction never changes.

/** Ends the message of each refusal here: errors of an object arrive with nothing but their message. */
const NOT_REACHED = "its objects are not reached here.";

/**
 * The object of a machine or company.
 * @param jurisdiction the company's; null: none
 * @throws Error for which `isOutOfReach` is true if the runtime does not have the jurisdiction, as no local one has
 */
export function objectOf(
  env: Env,
  namespace: "MACHINES" | "HUBS",
  id: number,
  jurisdiction: Jurisdiction | null,
): DurableObjectStub {
  const objects = env[namespace] as DurableObjectNamespace;
  return (jurisdiction === null ? objects : objectsIn(objects, jurisdiction)).getByName(String(id));
}

function objectsIn(objects: DurableObjectNamespace, jurisdiction: Jurisdiction): DurableObjectNamespace {
  try {
    return objects.jurisdiction(jurisdiction);
  } catch (error) {
    const why = (error as Error).message;
    throw new Error(`The runtime does not have the jurisdiction ${jurisdiction} (${why}): ${NOT_REACHED}`);
  }
}

/** The object that is named `health` and belongs to no company: it has ids and counts alone, and no jurisdiction. */
export function healthObjectOf(env: Env): DurableObjectStub {
  return env.MACHINES.getByName("health");
}

/**
 * Refuses a company whose jurisdiction is not that of its database, by which its objects are named. No service creates one: the company was copied from
 * another database, or the setting was changed. Who reads a company for its objects calls this before anything is stored.
 */
export function requireJurisdiction(
  env: Env,
  { companyId, jurisdiction }: { companyId: number; jurisdiction: string | null },
): void {
  const here = jurisdictionOf(env);
  if (jurisdiction === here) return;
  const own = jurisdiction === null ? "no jurisdiction" : `the jurisdiction ${jurisdiction}`;
  throw new Error(`Company ${companyId} has ${own}, and the database ${here ?? "none"} (DB_0_JURISDICTION): ${NOT_REACHED}`);
}

/** Whether an error is a refusal of this file, perhaps passed on by an object. */
export function isOutOfReach({ message }: Error): boolean {
  return message.endsWith(NOT_REACHED);
}
