import { type Reader, readerOf } from "../../channels/leave-link.ts";
import type { UserActor } from "../../core/actor.ts";
import type { Visitor } from "../../core/caller.ts";
import { write } from "../../core/write.ts";
import { nextUpdatedAt } from "../../db/expect.ts";
import { isSubscriptionAsRead, type SubscriptionOfCompany, selectSubscription, setLeftAddresses } from "./queries.ts";

/** More than a subscription has readers at a time (100 addresses, 100 personas). Beyond it the oldest are forgotten. */
const MAX_LEFT = 500;

/** A report as one of its readers sees it. */
export interface ReadReport {
  name: string;
  language: "en" | "es";
  address: string;
  hasLeft: boolean;
}

/** The report and the reader of a token; null if the token is not valid, or the report no longer exists. */
export async function findReadReport({ env, db }: Visitor, token: string): Promise<ReadReport | null> {
  const reader = await readerOf(env, token);
  if (!reader) return null;
  const [subscription] = await selectSubscription(db, reader.subscriptionId);
  return subscription ? readBy(reader, subscription) : null;
}

/** Takes the reader of a token off its report. Leaving again changes nothing. Null as above. */
export async function leaveReport({ env, db, requestId }: Visitor, token: string): Promise<ReadReport | null> {
  const reader = await readerOf(env, token);
  if (!reader) return null;
  const { answer } = await write(
    { db, actor: nobody, requestId, request: null },
    (db) => [selectSubscription(db, reader.subscriptionId)],
    ([subscription]) => {
      if (!subscription) return { answer: null };
      const report = readBy(reader, subscription);
      if (report.hasLeft) return { answer: report };
      const { id, companyId, leftAddresses: before } = subscription;
      const leftAddresses = [...before, reader.address].slice(-MAX_LEFT);
      return {
        expect: [isSubscriptionAsRead(subscription)],
        rows: [setLeftAddresses(db, id, leftAddresses, nextUpdatedAt(subscription))],
        audit: {
          action: "report-subscription.leave",
          companyId,
          objectId: id,
          before: { leftAddresses: before },
          after: { leftAddresses },
        },
        answer: { ...report, hasLeft: true },
      };
    },
  );
  return answer;
}

/** A reader may have no account. */
const nobody: UserActor = { kind: "user", userId: 0, userName: null, companyId: 0, role: "readonly" };

function readBy({ address }: Reader, { name, language, leftAddresses }: SubscriptionOfCompany): ReadReport {
  return { name, language, address, hasLeft: hasLeft(leftAddresses, address) };
}

/** Whether the reader at an address has left. */
export function hasLeft(leftAddresses: readonly string[], address: string): boolean {
  return leftAddresses.some((left) => left.toLowerCase() === address.toLowerCase());
}
