import type { Fault } from "../../../core/problem.ts";
import { areOwned, selectOwned } from "../../../resource/queries.ts";
import { type RuleContext, type RuleInput, refuse, rule, unknownIds } from "../../../resource/rules.ts";
import { machineTable } from "../machines/queries.ts";
import { deleteForgotten, replaceStandards, type SkuRow, type Standard } from "./queries.ts";

export const storeSku = rule(
  (db, { sent, owner }: RuleContext<Partial<SkuRow>>) => [selectOwned(db, machineTable, owner, machinesOf(sent.standards))],
  ({ db, sent, before, next, isAccepted = false }: RuleInput<SkuRow, Partial<SkuRow>>, machines) => {
    const first = before ? [] : [deleteForgotten(db, next)];
    if (!sent.standards) return { first };
    refuse(repeatedFaults(sent.standards));
    if (!isAccepted) refuse(machineFaults(sent.standards, machines));
    const standards = sent.standards.toSorted((a, b) => (a.machineId ?? 0) - (b.machineId ?? 0));
    const changed = [...(before?.standards ?? []), ...standards];
    return {
      values: { standards },
      expect: isAccepted ? [] : [areOwned(machineTable, next.companyId, machinesOf(standards))],
      first,
      rows: replaceStandards(db, next, standards),
      machines: concernedBy(changed),
    };
  },
);

export const restoreSku = rule(
  () => [],
  ({ next: { standards } }: RuleInput<SkuRow>) => ({ machines: concernedBy(standards) }),
);

/** The machines whose numbers depend on standards. */
function concernedBy(standards: readonly Standard[]): readonly number[] | "all" {
  return standards.some(({ machineId }) => machineId === null) ? "all" : machinesOf(standards);
}

function machinesOf(standards: readonly Standard[] = []): number[] {
  return standards.flatMap(({ machineId }) => machineId ?? []);
}

function repeatedFaults(standards: readonly Standard[]): Fault[] {
  const isRepeated = (machineId: number | null, i: number) => standards.findIndex((one) => one.machineId === machineId) < i;
  return standards.flatMap(({ machineId }, i): Fault[] =>
    isRepeated(machineId, i)
      ? [{ pointer: `/standards/${i}/machineId`, code: "repeated", message: "already has a standard in this list" }]
      : [],
  );
}

function machineFaults(standards: readonly Standard[], machines: readonly { id: unknown }[]) {
  const named = standards.flatMap(({ machineId }, index) => (machineId === null ? [] : { machineId, index }));
  const ids = named.map(({ machineId }) => machineId);
  return unknownIds(ids, machines, (i) => `/standards/${named[i]?.index}/machineId`, "is not a machine of this company");
}
