import { openDb } from "../db/client.ts";
import { selectWaitingCompanies } from "../events/queries.ts";
import { wake } from "../events/queues.ts";

/** What is older waits for a message that was lost. */
const LOST_AFTER_MS = 15_000;

/** Sends the messages again for everything in D1 that is overdue at `now` (epoch ms), and those for what is due by the clock. */
export async function sweep(env: Env, now: number): Promise<void> {
  const db = openDb(env, "first-primary");
  const companies = await selectWaitingCompanies(db, now - LOST_AFTER_MS);
  await wake(
    env,
    companies.map(({ companyId }) => ({ queue: "EVENTS" as const, body: { companyId } })),
  );
}
