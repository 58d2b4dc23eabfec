import { companyOf } from "../../core/actor.ts";
import type { Caller } from "../../core/caller.ts";
import { notFound, type Problem } from "../../core/problem.ts";
import { findOwner } from "./queries.ts";

/** The company of a machine. Throws a 404 if the caller may not see the machine. */
export async function ownerOf({ db, actor }: Pick<Caller, "db" | "actor">, machineId: number): Promise<number> {
  const own = companyOf(actor);
  const companyId = await findOwner(db, machineId);
  if (companyId === undefined || (own !== undefined && companyId !== own)) throw noMachine(machineId);
  return companyId;
}

export function noMachine(id: number): Problem {
  return notFound(`There is no machine ${id}.`);
}
