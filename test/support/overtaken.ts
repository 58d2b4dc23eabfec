import { env } from "cloudflare:workers";
import { changed, serviceWith } from "./service.ts";

/**
 * The service's entry point, where other requests get ahead of one: the first interruption happens after its first batch, and so on.
 * Batches that fail are not counted, so interruptions happen between what a request reads and what it writes as long as any are left.
 */
export function overtakenBy(...interruptions: (() => Promise<unknown>)[]) {
  const left = [...interruptions];
  const interrupted = (database: D1Database) => {
    const withSession = (start?: string) => {
      const session = database.withSession(start);
      const batch = async (statements: D1PreparedStatement[]) => {
        const results = await session.batch(statements);
        await left.shift()?.();
        return results;
      };
      return changed(session, { batch });
    };
    return changed(database, { withSession });
  };
  return serviceWith({ DB_0: interrupted(env.DB_0), DIRECTORY: interrupted(env.DIRECTORY) });
}
