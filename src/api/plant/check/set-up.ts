import { companyOf, noCompany } from "../../../core/actor.ts";
import type { Caller } from "../../../core/caller.ts";
import { isReadable } from "../../../core/cipher.ts";
import { findingKinds, findingsOf, subjectOf, unreadableOf } from "./findings.ts";
import { findSetUp } from "./queries.ts";

export { maxBroken, maxSealed } from "./queries.ts";

/** The maximum number of findings in an answer, and of machines that are checked. */
export const maxFindings = 200;
export const maxMachines = 5000;

/** What the set-up of a company lacks, and what to do about it. */
export async function checkSetUp({ db, actor, env }: Pick<Caller, "db" | "actor" | "env">, named: number | undefined) {
  const own = actor.companyId;
  const companyId = companyOf(actor, named, own) ?? own;
  const plant = await findSetUp(db, companyId, Date.now(), maxMachines);
  if (!plant) throw noCompany();
  const lost = await unreadableOf(plant, companyId, (place, sealed) => isReadable(env, place, sealed));
  const { findings: gaps, unnamed } = findingsOf(plant);
  const findings = [...lost, ...gaps];
  const data = findings.slice(0, maxFindings).map(({ code, object, message }) => {
    const [severity, usual, action] = findingKinds[code];
    return { code, severity, object, message: message ?? usual, action };
  });
  const uncheckedMachines = Math.max(0, plant.machineCount - maxMachines);
  const partlyChecked = plant.partlyChecked.map(subjectOf);
  return { data, more: findings.length - data.length + unnamed, uncheckedMachines, partlyChecked };
}
