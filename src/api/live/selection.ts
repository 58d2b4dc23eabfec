import type { Caller } from "../../core/caller.ts";
import { aboutCompany, refuseUnknown } from "../../core/named-ids.ts";
import { selectUnknown } from "../../core/queries.ts";
import type { Selection } from "../../objects/hubs.ts";

interface LiveQuery {
  companyId?: number | undefined;
  machineIds?: readonly number[] | undefined;
  lineIds?: readonly number[] | undefined;
}

/**
 * The company and the machines that a request wants to watch. One trip if it names any.
 * @throws Problem 404 if it names another company, or machines or lines that are not the company's
 */
export async function watchedBy({ db, actor }: Caller, query: LiveQuery): Promise<{ companyId: number; selection: Selection }> {
  const { machineIds, lineIds } = query;
  const { companyId, named } = aboutCompany(actor, query, { machineIds, lineIds });
  const unknown = selectUnknown(db, companyId, named);
  if (unknown) refuseUnknown((await unknown)[0]?.unknown ?? null);
  return { companyId, selection: { machineIds: machineIds ?? null, lineIds: lineIds ?? null } };
}
