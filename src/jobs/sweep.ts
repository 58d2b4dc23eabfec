import { selectCompaniesToAlert } from "../api/alerting/incidents/queries.ts";
import { selectCompaniesWithClosings } from "../api/books/queries.ts";
import { askAgain } from "../api/machines/recalculations/ask-machines.ts";
import { selectCompaniesWithDryRuns, selectRequested } from "../api/machines/recalculations/queries.ts";
import { selectCompaniesWithDue } from "../api/stops/bulk/queries.ts";
import { selectOverdue } from "../api/webhooks/queries.ts";
import { selectWaitingForMessages } from "../channels/queries.ts";
import { moveAuditEntries } from "../core/write.ts";
import { companyDb, type DirectoryDb, directoryDb } from "../db/client.ts";
import { deleteDeadLetters, selectRequeued } from "../directory/dead-letters.ts";
import { selectWaitingCompanies } from "../events/queries.ts";
import { type QueueMessage, sendQueueMessages } from "../events/queues.ts";
import { resumeImports } from "./resume-imports.ts";

/** Anything overdue for longer than this was waiting for a queue message that was lost. */
const LOST_AFTER_MS = 15_000;

/** Sends the queue messages again for everything in D1 that is overdue at `now` (epoch ms), except reports. */
export async function sweep(env: Env, now: number): Promise<void> {
  const db = companyDb(env, "first-primary");
  const lostAt = now - LOST_AFTER_MS;
  const [subscriptions, ofMessages, ofClassifications, ofClosings, requested, ofDryRuns, ...ofEvents] = await db.batch([
    selectOverdue(db, lostAt),
    selectWaitingForMessages(db, lostAt),
    selectCompaniesWithDue(db, lostAt),
    selectCompaniesWithClosings(db, lostAt),
    selectRequested(db, lostAt),
    selectCompaniesWithDryRuns(db, lostAt),
    selectWaitingCompanies(db, lostAt),
    ...selectCompaniesToAlert(db, lostAt, now),
  ]);
  await sendQueueMessages(env, [
    ...ofEvents.flat().map(({ companyId }) => ({ queue: "EVENTS" as const, body: { companyId } })),
    ...ofMessages.map(({ companyId }) => ({ queue: "MESSAGES" as const, body: { companyId } })),
    ...[...ofClassifications, ...ofClosings, ...ofDryRuns].map(({ companyId }) => ({
      queue: "JOBS" as const,
      body: { job: "sweep" as const, at: now, companyIds: [companyId] },
    })),
    ...subscriptions.map(({ subscriptionId }) => ({ queue: "WEBHOOKS" as const, body: { subscriptionId } })),
  ]);
  await askAgain(env, requested);
  const directory = directoryDb(env);
  await requeueDeadLetters(env, directory);
  await resumeImports(env, now);
  await moveAuditEntries(directory, db);
}

/** Sends the dead letters again that `npm run dead-letters -- --requeue` marked. */
async function requeueDeadLetters(env: Env, directory: DirectoryDb): Promise<void> {
  const letters = await selectRequeued(directory, LETTERS_PER_RUN);
  if (letters.length === 0) return;
  await sendQueueMessages(
    env,
    letters.map(({ queue, body }) => ({ queue, body }) as QueueMessage),
  );
  await deleteDeadLetters(
    directory,
    letters.map(({ id }) => id),
  );
}

const LETTERS_PER_RUN = 1000;
