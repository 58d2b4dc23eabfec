import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { namedRef } from "../../../core/refs.ts";
import { alertKinds } from "../../../db/values.ts";
import { isoOf } from "../../../oee/time.ts";
import type { ShownIncident, selectMachinesOf } from "./queries.ts";

const timestamp = z.iso.datetime();

/** An incident as lists show it. */
export const incident = z
  .object({
    id: answerText,
    rule: z.object({ id: answerText, name: answerText }),
    kind: z.enum(alertKinds),
    machine: namedRef.nullable().openapi({ description: "The first machine; null: it is about none" }),
    line: namedRef.nullable().openapi({ description: "Of that machine, now" }),
    nodeId: z.int().nullable().openapi({ description: "The gateway that is silent: its machines have one incident" }),
    gateway: namedRef.nullable().openapi({
      description: "The gateway token whose gateway it is about, for the kinds that begin with `gateway_`; null: another kind",
    }),
    machineCount: z.int().openapi({ description: "How many machines it is or was about" }),
    machineIds: z.array(z.int()).openapi({ description: "The machines that it still concerns" }),
    since: timestamp.openapi({ description: "When the cause of the alert began, such as a stop" }),
    openedAt: timestamp,
    level: z.int().openapi({ description: "The number of levels that were notified" }),
    nextLevelAt: timestamp.nullable().openapi({ description: "When the next level is notified; null: there is none" }),
    acknowledgedAt: timestamp.nullable(),
    acknowledgedBy: namedRef.nullable().openapi({ description: "The user who did" }),
    resolvedAt: timestamp.nullable().openapi({ description: "Null: it is open" }),
    value: z
      .number()
      .nullable()
      .openapi({ description: "The percentage or number that was measured; null: the rule is about time" }),
    cause: answerText.nullable().openapi({ description: "Of the stop, when the incident was opened" }),
  })
  .openapi("Incident");

/** An incident as `GET` by id shows it: with its machines. */
export const incidentWithMachines = incident
  .extend({
    machines: z
      .array(
        z.object({
          id: z.int(),
          name: answerText,
          since: timestamp,
          until: timestamp.nullable().openapi({ description: "Null if ongoing" }),
        }),
      )
      .openapi({ description: "At most 1,000; `machineCount` says how many there are" }),
  })
  .openapi("IncidentWithMachines");

export type Incident = z.infer<typeof incident>;

/** The gateway that is an incident's subject; null: another kind of subject. */
export function gatewayOf(subject: string): number | null {
  const [about, nodeId] = subject.split(":");
  return about === "gateway" ? Number(nodeId) : null;
}

/** The gateway token whose gateway is an incident's subject, with its name of then; null: another kind of subject. */
export function pairedGatewayOf({ gatewayTokenId, gatewayName }: Record<string, unknown>): { name: string; id: number } | null {
  return typeof gatewayTokenId === "number" ? { name: String(gatewayName), id: gatewayTokenId } : null;
}

export function incidentOf(row: ShownIncident): Incident {
  const { machineId, machineName, lineId, lineName, acknowledgedBy, acknowledgedByName, facts } = row;
  return {
    id: row.id,
    rule: { id: row.ruleId, name: row.ruleName },
    kind: row.kind,
    machine: machineId === null ? null : { name: machineName ?? "", id: machineId },
    line: lineId === null ? null : { name: lineName ?? "", id: lineId },
    nodeId: gatewayOf(row.subject),
    gateway: pairedGatewayOf(facts),
    machineCount: new Set(row.conditions.map(([id]) => id)).size,
    machineIds: [...new Set(row.conditions.flatMap(([id, goesOn]) => (goesOn ? id : [])))],
    since: isoOf(row.since),
    openedAt: isoOf(row.openedAt),
    level: row.level,
    nextLevelAt: isoOf(row.nextLevelAt),
    acknowledgedAt: isoOf(row.acknowledgedAt),
    acknowledgedBy: acknowledgedBy === null ? null : { name: acknowledgedByName ?? "", id: acknowledgedBy },
    resolvedAt: isoOf(row.resolvedAt),
    value: typeof facts.value === "number" ? facts.value : null,
    cause: row.causeName,
  };
}

/** Returns the response item of an incident with its machines, also those whose conditions ended. */
export function withMachines(row: ShownIncident, machines: Awaited<ReturnType<typeof selectMachinesOf>>) {
  const shown = machines.map(({ id, name, since, until }) => ({ id, name, since: isoOf(since), until: isoOf(until) }));
  return { ...incidentOf(row), machines: shown };
}
