import { jurisdictionOf } from "../db/client.ts";
import type { Jurisdiction } from "../db/values.ts";

// The only file that makes stubs of objects: `npm run check` refuses it elsewhere. A machine's object has the name of the machine's id, a company's
// hub that of the company's. In a jurisdiction the same name is another object, with other storage, so a name and a jurisdiction go together for ever.

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
 * another database, or the setting was changed. An object calls this when it has read its company, before it stores anything.
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

/** Whether an error says that a company's objects are not reached because of its jurisdiction. */
export function isOutOfReach({ message }: Error): boolean {
  return message.endsWith(NOT_REACHED);
}
