import { companyOf } from "../../core/actor.ts";
import type { Caller } from "../../core/caller.ts";
import type { CurrentOperators } from "../../objects/machine-protocol.ts";
import { callMachines } from "../../objects/machines.ts";
import { availabilityRatio, toMinutes, toPercent } from "../../oee/metrics.ts";
import { findRoster, findSkuNames, type RosterPage } from "./queries.ts";

const ANSWER_WITHIN_MS = 1000;

type Share = CurrentOperators["shares"][number];
type ShareOf = (of: { machineId: number; shiftStart: number; operatorId: number }) => Share | undefined;

/**
 * A page of the operators of machines in their current shift, with live numbers of the machines' objects, and their total number; and whether numbers of
 * it are being recalculated.
 */
export async function listRealtimeOperators(caller: Caller, page: Omit<RosterPage, "companyId" | "now">) {
  const { db, actor } = caller;
  const { totalItems, rows } = await findRoster(db, { ...page, companyId: companyOf(actor), now: Date.now() });

  const shareOf = await askOperators(caller, new Set(rows.map((row) => row.machineId)));
  const current = rows.map((row) => ({ ...row, ...shareOf(row) }));
  // A second trip if an operator has changed to another SKU since the last flush, whose name is then in no row.
  const skuNames = new Map(rows.map((row) => [skuKey(row), row.skuName]));
  const unnamed = current.filter((row) => row.skuId !== null && !skuNames.has(skuKey(row)));
  for (const sku of unnamed.length > 0 ? await findSkuNames(db, unnamed) : []) skuNames.set(skuKey(sku), sku.skuName);

  const data = current.map((row) => ({
    shift: row.shiftName,
    availability: toPercent(availabilityRatio(row.uptimeMs, row.downtimeMs)),
    downtime: toMinutes(row.downtimeMs),
    uptime: toMinutes(row.uptimeMs),
    production: row.units,
    machineName: row.machineName,
    machineId: row.machineId,
    sku: skuNames.get(skuKey(row)) ?? null,
    skuId: row.skuId,
    operatorName: row.operatorName,
    operatorId: row.operatorId,
  }));
  const isRecalculating = rows.some((row) => row.isRecalculating === 1);
  return { roster: { totalItems, data }, isRecalculating };
}

/**
 * Requests the numbers of each operator in the current shift from the objects of machines, in parallel. Returns a lookup, which is undefined
 * for operators that the object does not know in that shift, and for machines that failed or did not answer within a second.
 */
async function askOperators({ env, objects }: Caller, machineIds: ReadonlySet<number>): Promise<ShareOf> {
  const answers = await callMachines(env, machineIds, ANSWER_WITHIN_MS, (machine) => machine.operators(), objects);
  return ({ machineId, shiftStart, operatorId }) => {
    const answer = answers.get(machineId);
    return answer?.shiftStart === shiftStart ? answer.shares.find((share) => share.operatorId === operatorId) : undefined;
  };
}

function skuKey({ companyId, skuId }: { companyId: number; skuId: string | null }): string {
  return `${companyId} ${skuId ?? ""}`;
}
