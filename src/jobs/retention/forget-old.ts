import { companyKinds, dueOf } from "../../core/retention.ts";
import { companyDb } from "../../db/client.ts";
import { sendQueueMessages } from "../../events/queues.ts";
import { selectCompaniesWithDue } from "./queries.ts";
import { notForgotten, reasonOf } from "./report.ts";

/**
 * Finds the companies with rows whose period is over at `now` (epoch ms), and sends a message for each.
 * @throws if a period is not one, after sending those messages
 */
export async function forgetOld(env: Env, now: number): Promise<void> {
  const failures: string[] = [];
  const due = companyKinds.flatMap((kind) => {
    try {
      return dueOf(env, kind, now) ?? [];
    } catch (error) {
      failures.push(reasonOf(kind, error));
      return [];
    }
  });
  const found = await selectCompaniesWithDue(companyDb(env, "first-primary"), due, Date.now());
  await sendQueueMessages(
    env,
    found.map(({ companyId }) => ({ queue: "JOBS", body: { job: "forget", at: now, companyIds: [companyId] } })),
  );
  if (failures.length > 0) throw notForgotten(failures);
}
