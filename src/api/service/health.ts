import type { Visitor } from "../../core/caller.ts";
import { isReadable, keyIdOf } from "../../core/cipher.ts";
import { FILLING, percentOf } from "../../core/database-size.ts";
import { keyRing } from "../../core/keys.ts";
import { Problem } from "../../core/problem.ts";
import { hoursBehind, type Kind } from "../../core/retention.ts";
import { within } from "../../limits/load.ts";
import { healthObject } from "../../objects/watchdog.ts";
import { findOldest, findSealed, isMigrated } from "./queries.ts";

const probeMs = 5000;
const readAgainAfterMs = 2000;

/** The state of the service's parts, and the numbers of rows and machines with which something is wrong. */
export interface Health {
  parts: {
    code: "ok" | "behind" | "unknown";
    database: "ok" | "failed";
    objects: "ok" | "failed";
    pictures: "ok" | "failed";
  };
  parkedRows: number;
  degradedMachines: number;
  unreadableRows: number;
  silentMachines: number;
  unansweredMachines: number;
  /** How full the database is, in percent; null: unknown. */
  databasePercent: number | null;
  /** Whether that is so much that somebody has to do something. */
  isDatabaseFilling: boolean;
  /** By how many hours data are older than the period for which they are kept; null: unknown. */
  retentionHoursBehind: Record<Kind, number> | null;
  /** Whether what is encrypted in the database can be read: `lost` if the key was lost or replaced. */
  encryptionKey: "ok" | "lost" | "unknown";
  /** The ids of the keys that it was encrypted with and that the service does not have. */
  missingKeys: string[];
}

/** The latest state, by bindings. */
const seen = new WeakMap<Env, { health: Health; at: number }>();

/**
 * Returns the state of the service, at most 2 s old.
 * @param onError called with the error of each part that fails
 * @throws Problem 503 with the parts, if one of them fails
 */
export async function checkHealth(visitor: Visitor, onError: (error: Error) => void): Promise<Health> {
  const health = await latestHealth(visitor, onError);
  const failed = Object.entries(health.parts).filter(([, is]) => is !== "ok");
  if (failed.length === 0) return health;
  const detail = `Not well: ${failed.map(([name, is]) => `${name} ${is}`).join(", ")}.`;
  throw new Problem(503, detail, { headers: { "retry-after": "5" }, members: { parts: health.parts } });
}

async function latestHealth(visitor: Visitor, onError: (error: Error) => void): Promise<Health> {
  const now = Date.now();
  const last = seen.get(visitor.env);
  // If the clock was set back, the last state is of the future.
  if (last && Math.abs(now - last.at) < readAgainAfterMs) return last.health;
  const health = await probe(visitor, onError);
  seen.set(visitor.env, { health, at: now });
  return health;
}

async function probe({ env, db, directory }: Visitor, onError: (error: Error) => void): Promise<Health> {
  /** Returns null if the part fails. */
  const tried = async <T>(name: string, ask: () => Promise<T>) => {
    try {
      return await within(probeMs, name, ask());
    } catch (error) {
      onError(error as Error);
      return null;
    }
  };
  const [migrated, objects, pictures, sealed, behind] = await Promise.all([
    tried("the database", async () => (await Promise.all([isMigrated(db), isMigrated(directory)])).every(Boolean)),
    // This object is in the same namespace as the objects of the machines.
    tried("the object", async () => await healthObject(env).health()),
    tried("the bucket", () => env.THUMBNAILS.head("health").then(() => true)),
    tried("the encrypted texts", () => checkSealed({ env, db })),
    tried("the retention", async () => hoursBehind(env, await findOldest(db), Date.now())),
  ]);
  return {
    parts: {
      code: migrated === null ? "unknown" : migrated ? "ok" : "behind",
      database: migrated === null ? "failed" : "ok",
      objects: objects ? "ok" : "failed",
      pictures: pictures ? "ok" : "failed",
    },
    parkedRows: objects?.parkedRows ?? 0,
    degradedMachines: objects?.degradedMachines ?? 0,
    unreadableRows: objects?.unreadableRows ?? 0,
    silentMachines: objects?.silentMachines ?? 0,
    unansweredMachines: objects?.unansweredMachines ?? 0,
    databasePercent: migrated === null ? null : percentOf(db.filled()),
    isDatabaseFilling: db.filled() >= FILLING,
    retentionHoursBehind: behind,
    encryptionKey: sealed === null ? "unknown" : sealed.areReadable ? "ok" : "lost",
    missingKeys: sealed?.missingKeys ?? [],
  };
}

/** Whether what is encrypted in the database can be read, and the ids of the keys that the service would need and does not have. */
async function checkSealed({ env, db }: Pick<Visitor, "env" | "db">) {
  const { texts, keyIds } = await findSealed(db);
  const own = keyRing(env).map(({ id }) => id);
  const readable = await Promise.all(texts.map(({ place, sealed }) => isReadable(env, place, sealed)));
  const needed = [...keyIds, ...texts.flatMap(({ sealed }) => keyIdOf(sealed) ?? [])];
  const missingKeys = [...new Set(needed)].filter((id) => id !== "" && !own.includes(id)).sort();
  return { areReadable: readable.every(Boolean) && missingKeys.length === 0, missingKeys };
}
