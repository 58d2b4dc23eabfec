import { noCompany, oneCompanyOf } from "../../../core/actor.ts";
import type { Caller } from "../../../core/caller.ts";
import { conflict } from "../../../core/problem.ts";
import { write } from "../../../core/write.ts";
import { nextUpdatedAt } from "../../../db/expect.ts";
import { ignoreAfterwards } from "../../../objects/hubs.ts";
import { isSameCompany, selectIgnored, updateIgnored } from "./queries.ts";

/** The channels that a company can ignore: more than a gateway has. */
export const MOST_IGNORED = 500;

interface Ignoring {
  nodeId: number;
  channel: number;
  isIgnored: boolean;
}

/** Ignores a channel from now on, or takes it back. */
export async function ignoreSignal(
  caller: Caller,
  query: { companyId?: number | undefined },
  { isIgnored, ...signal }: Ignoring,
): Promise<void> {
  const companyId = oneCompanyOf(caller.actor, query.companyId);
  const isIt = (one: { nodeId: number; channel: number }) => one.nodeId === signal.nodeId && one.channel === signal.channel;
  await write(
    caller,
    (db) => [selectIgnored(db, companyId)],
    ([company]) => {
      if (!company) throw noCompany();
      const before = company.ignored ?? [];
      // The hub is told even if nothing changes: it may have missed the change.
      if (before.some(isIt) === isIgnored) return { answer: undefined };
      if (isIgnored && before.length >= MOST_IGNORED)
        throw conflict(`The company ignores ${MOST_IGNORED} channels already: take some back (GET /v1/signals?ignored=true).`);
      const updatedAt = nextUpdatedAt(company);
      const after = isIgnored ? [...before, { ...signal, since: updatedAt }] : before.filter((one) => !isIt(one));
      return {
        expect: [isSameCompany(company)],
        rows: [updateIgnored(caller.db, companyId, after, updatedAt)],
        audit: {
          action: "company.change",
          companyId,
          objectId: companyId,
          before: isIgnored ? {} : { ignoredSignal: signal },
          after: isIgnored ? { ignoredSignal: signal } : {},
        },
        answer: undefined,
      };
    },
  );
  ignoreAfterwards(caller, companyId);
}
