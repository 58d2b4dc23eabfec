import { companyOf } from "../../../core/actor.ts";
import type { Caller } from "../../../core/caller.ts";
import { notFound } from "../../../core/problem.ts";
import type { ItemRef } from "../../../resource/items.ts";
import { findDependents, maxListed } from "./queries.ts";

export const dependentTypes = ["api-token", "persona", "report-subscription"] as const;

/** Something that depends on a user's account, or that the user would go on receiving without it. */
export interface UserDependent {
  type: (typeof dependentTypes)[number];
  id: number | string;
  name: string;
  effect: "ends" | "stays";
  message: string;
}

/** What ends when a user is disabled or deleted, and what of the user's goes on; and the types of which there are more than are listed. */
export async function listDependents(
  caller: Caller,
  { id, companyId }: ItemRef,
): Promise<{ data: UserDependent[]; more: UserDependent["type"][] }> {
  const found = await findDependents(caller.db, Number(id), companyOf(caller.actor, companyId));
  if (!found) throw notFound(`There is no user ${id}.`);
  const tokens = found.tokens.map(({ isOfCompany, ...token }): UserDependent => {
    if (isOfCompany) return { type: "api-token", ...token, effect: "stays", message: "It belongs to the company, as walls do." };
    const message = "It acts for the user: refused while the user is disabled, deleted with the user.";
    return { type: "api-token", ...token, effect: "ends", message };
  });
  const personas = found.personas.map(({ devices, ...persona }): UserDependent => {
    const also = devices > 0 ? `, and by push to ${devices} devices` : "";
    const message = `It is sent to the user's address${also}. Change or delete it if nobody should get it there.`;
    return { type: "persona", ...persona, effect: "stays", message };
  });
  const reports = found.reports.map((report): UserDependent => {
    const message = "It is sent to the user's address. Take the address out if nobody should get it there.";
    return { type: "report-subscription", ...report, effect: "stays", message };
  });
  const all = [tokens, personas, reports];
  const more = all.flatMap((rows) => rows[maxListed]?.type ?? []);
  return { data: all.flatMap((rows) => rows.slice(0, maxListed)), more };
}
