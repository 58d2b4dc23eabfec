import { env } from "cloudflare:workers";
import { changed, serviceWith } from "./service.ts";

/**
 * The service's own door, where others get ahead of a request: each of these happens after one of its batches, the first after the first.
 * A batch that fails is passed over, so while there are any left they happen between what is read and what is written.
 */
export function overtakenBy(...interruptions: (() => Promise<unknown>)[]) {
  const left = [...interruptions];
  const withSession = (start?: string) => {
    const session = env.DB.withSession(start);
    const batch = async (statements: D1PreparedStatement[]) => {
      const results = await session.batch(statements);
      await left.shift()?.();
      return results;
    };
    return changed(session, { batch });
  };
  return serviceWith({ DB: changed(env.DB, { withSession }) });
}
