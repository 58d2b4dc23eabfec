import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { idNumberOrText, instant, multilineText } from "../../core/inputs.ts";
import { namedRef } from "../../core/refs.ts";
import { type BooksSums, closingMachineStates, closingStates } from "../../db/values.ts";
import { isoOf, MINUTE_MS } from "../../oee/time.ts";
import type { ClosingMachineRow, NamedClosingRow } from "./queries.ts";

const timestamp = z.iso.datetime();
const reason = multilineText(500).min(1);

/** The body of a new closing. */
export const newClosing = z.strictObject({
  to: instant.openapi({ description: "Up to when: not in the future, and later than the books are closed already" }),
  force: z.boolean().default(false).openapi({ description: "Whether what people have left open does not matter: it is noted" }),
  reason: reason.optional().openapi({ description: "Why: shown with it, and kept in the audit. Required with `force`" }),
  companyId: idNumberOrText.optional().openapi({
    type: ["integer", "string"],
    description: "The company: only superusers may name another one than their own",
  }),
});
export type NewClosing = z.infer<typeof newClosing>;

/** The body of a reopening. */
export const reopening = z.strictObject({
  reason: reason.openapi({ description: "Why: shown with the closing, and kept in the audit" }),
});

/** A closing in lists. */
export const closing = z
  .object({
    id: z.int(),
    from: timestamp.nullable().openapi({ description: "Up to when the books were closed before; null: they were not" }),
    to: timestamp,
    state: z.enum(closingStates).openapi({
      description: `\`closing\`: some machines have not closed theirs yet, and the set-up before \`to\` can no longer be changed. \`closed\`: nothing before \`to\` changes.
\`failed\`: not all machines could close theirs within 10 minutes. \`reopened\`: somebody reopened them`,
    }),
    reason: answerText.nullable(),
    isForced: z.boolean(),
    findings: z
      .array(
        z.object({
          code: answerText.openapi({ description: "`unclassified_stops`, `silent_machines` or `held_events`. More may come" }),
          count: z.int(),
        }),
      )
      .openapi({ description: "What people had left open then" }),
    createdAt: timestamp,
    createdBy: namedRef.nullable().openapi({ description: "Null: the service" }),
    endedAt: timestamp.nullable().openapi({ description: "When it was closed, or failed; null: it is under way" }),
    failure: answerText.nullable().openapi({ description: "Why it failed" }),
    machinesLeft: z.int().openapi({ description: "How many machines have not followed yet: to close, or to reopen" }),
    reopenedAt: timestamp.nullable(),
    reopenedBy: namedRef.nullable(),
    reopenReason: answerText.nullable(),
  })
  .openapi("BookClosing");
export type Closing = z.infer<typeof closing>;

const minutes = z.number().openapi({ description: "Minutes" });
const sums = z
  .object({
    shifts: z.int(),
    total: z.number().openapi({ description: "Units" }),
    defects: z.number(),
    available: minutes,
    noData: minutes,
    programmed: minutes,
    nonProgrammed: minutes,
    other: minutes,
    ideal: minutes.openapi({ description: "Minutes that the units take at their standards" }),
  })
  .openapi("BooksSums");

const machine = z
  .object({
    machine: namedRef,
    state: z.enum(closingMachineStates).openapi({
      description:
        "`waiting`: it has not closed its books yet. `closed`: it has. `reopening`: it has not reopened them yet. `open`: it has",
    }),
    waitsFor: answerText.nullable().openapi({
      description:
        "What it waits for: `recalculation` of its numbers, the `database`, or an `answer` of the machine; null: nothing",
    }),
    sums: sums.nullable().openapi({ description: "Totals of its shifts that ended between `from` and `to`, as of the closing" }),
    sumsNow: sums
      .nullable()
      .openapi({ description: "The same totals as of now. They differ from `sums` only after a reopening" }),
  })
  .openapi("BookClosingOfMachine");

/** A closing with its machines. */
export const wholeClosing = closing
  .extend({ machines: z.array(machine).openapi({ description: "By name" }) })
  .openapi("BookClosingWithMachines");

export function closingOf(row: NamedClosingRow): Closing {
  const { id, state, reason, isForced, findings, failure, machinesLeft, reopenReason } = row;
  return {
    ...{ id, from: row.fromAt === 0 ? null : isoOf(row.fromAt), to: isoOf(row.toAt), state, reason, isForced, findings },
    createdAt: isoOf(row.createdAt),
    createdBy: row.createdBy === null ? null : { name: row.createdByName ?? "", id: row.createdBy },
    ...{ endedAt: isoOf(row.endedAt), failure, machinesLeft },
    reopenedAt: isoOf(row.reopenedAt),
    reopenedBy: row.reopenedBy === null ? null : { name: row.reopenedByName ?? "", id: row.reopenedBy },
    reopenReason,
  };
}

/** A closing as the audit records it. */
export function auditedClosing({
  toAt,
  reason,
  isForced,
  findings,
}: Pick<NamedClosingRow, "toAt" | "reason" | "isForced" | "findings">) {
  return { to: isoOf(toAt), reason, isForced, findings };
}

export function machineItemOf(
  { machineId, machineName, state, waitsFor }: ClosingMachineRow,
  then: BooksSums | undefined,
  now: BooksSums | undefined,
): z.infer<typeof machine> {
  return {
    ...{ machine: { name: machineName, id: machineId }, state, waitsFor },
    ...{ sums: then ? sumsOf(then) : null, sumsNow: now ? sumsOf(now) : null },
  };
}

function sumsOf(of: BooksSums): z.infer<typeof sums> {
  const inMinutes = (ms: number) => ms / MINUTE_MS;
  return {
    ...{ shifts: of.shifts, total: of.totalUnits, defects: of.defectUnits },
    ...{ available: inMinutes(of.availableMs), noData: inMinutes(of.noDataMs), programmed: inMinutes(of.programmedMs) },
    ...{ nonProgrammed: inMinutes(of.nonProgrammedMs), other: inMinutes(of.otherMs), ideal: inMinutes(of.idealMs) },
  };
}
