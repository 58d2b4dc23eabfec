import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { distinct, idNumberOrText, instant, multilineText } from "../../../core/inputs.ts";
import { namedRef } from "../../../core/refs.ts";
import { recalculationStates } from "../../../db/values.ts";
import type { DryRunResult } from "../../../objects/machine-protocol.ts";
import { DAY_MS, isoOf } from "../../../oee/time.ts";
import { dryRunMember, dryRunOf } from "../../../resource/dry-run.ts";
import type { RecalculationMachineRow, RecalculationRow } from "./queries.ts";

/** The most machines of a recalculation, and the most machine-days: an object does 1,000 in about a minute. */
const MOST_MACHINES = 200;
export const MOST_MACHINE_DAYS = 20_000;

const timestamp = z.iso.datetime();
const changedRecords = z.int().openapi({ description: "How many records of closed shifts it has changed so far" });

/** The body of a new recalculation. */
export const newRecalculation = z.strictObject({
  reason: multilineText(500).min(1).openapi({ description: "Why: it is shown with it, and kept in the audit" }),
  machineIds: distinct(z.int()).min(1).max(MOST_MACHINES),
  from: instant.openapi({
    description: "Its start: not before the commissioning of a machine, nor before the time whose events a machine has kept",
  }),
  to: instant.optional().openapi({ description: "Its end; now if left out" }),
  companyId: idNumberOrText.optional().openapi({
    type: ["integer", "string"],
    description: "The company of the machines: only superusers may name another one than their own",
  }),
});
export type NewRecalculation = z.infer<typeof newRecalculation>;

/** A recalculation in lists. */
export const recalculation = z
  .object({
    id: z.int(),
    reason: answerText,
    from: timestamp,
    to: timestamp,
    createdAt: timestamp,
    createdBy: namedRef.openapi({ description: "The user who asked for it" }),
    endedAt: timestamp.nullable().openapi({ description: "When its last machine had ended; null: it has not ended" }),
    machineIds: z.array(z.int()),
    endedCount: z.int().openapi({ description: "How many of its machines are done, or have failed" }),
    failedCount: z.int(),
    changedRecords,
    isDryRun: z.boolean().openapi({ description: "Whether it only finds out what a change of the set-up would do" }),
  })
  .openapi("Recalculation");
export type Recalculation = z.infer<typeof recalculation>;

const machine = z
  .object({
    machine: namedRef,
    state: z.enum(recalculationStates).openapi({
      description: `\`requested\`: the machine does not know of it yet. \`waiting\`: it does something else first, or two other machines of the company
recalculate. \`replaying\`: its events are read again, up to \`reachedAt\`. \`computing\`: its shifts are computed and sent, up to \`reachedAt\`. \`done\`:
reports have all of them. \`failed\`: it needs events that the machine did not keep`,
    }),
    reachedAt: timestamp.nullable(),
    changedRecords,
    updatedAt: timestamp,
  })
  .openapi("RecalculationOfMachine");

/** A recalculation with its machines. */
export const wholeRecalculation = recalculation
  .extend({
    machines: z.array(machine).openapi({ description: "By name" }),
    dryRun: dryRunMember.optional(),
  })
  .openapi("RecalculationWithMachines");

export function recalculationOf(row: RecalculationRow): Recalculation {
  const { id, reason, createdBy, createdByName, isDryRun } = row;
  const [machineIds, endedCount, failedCount, changedRecords] = JSON.parse(row.sums) as [number[], number, number, number];
  return {
    id,
    reason,
    from: isoOf(row.fromAt),
    to: isoOf(row.toAt),
    createdAt: isoOf(row.createdAt),
    createdBy: { name: createdByName ?? "", id: createdBy },
    endedAt: isoOf(row.endedAt),
    ...{ machineIds, endedCount, failedCount, changedRecords, isDryRun },
  };
}

export function machineItemOf(row: RecalculationMachineRow): z.infer<typeof machine> {
  const { machineId, machineName, state, changedRecords } = row;
  return {
    machine: { name: machineName, id: machineId },
    state,
    reachedAt: isoOf(row.reachedAt),
    changedRecords,
    updatedAt: isoOf(row.updatedAt),
  };
}

/** What the machines of a dry run found out. */
export function dryRunIn(
  { id, isDryRun }: Pick<RecalculationRow, "id" | "isDryRun">,
  machines: readonly RecalculationMachineRow[],
) {
  if (!isDryRun) return {};
  const results = machines.flatMap(({ machineId, result }) =>
    result === null ? [] : [{ machineId, ...(JSON.parse(result) as DryRunResult) }],
  );
  return { dryRun: dryRunOf(id, machines.length, results) };
}

/** How many days of machines a time has, at most. */
export function machineDaysOf(machines: number, from: number, to: number): number {
  return machines * Math.ceil((to - from) / DAY_MS);
}
