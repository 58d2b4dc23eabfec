import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import type { KeptEvent, SentEventItem } from "../../../objects/machine-protocol.ts";
import { machineStates } from "../../../oee/events.ts";
import { DAY_MS, isoOf } from "../../../oee/time.ts";

const timestamp = z.iso.datetime();

/** An event as it was sent, with the members of `POST /v1/ingest`. */
export const machineEvent = z
  .object({
    type: z.enum(["count", "heartbeat", "state", "operator", "sku", "cut", "other", "damaged", "end"]).openapi({
      description:
        "`cut`: the service itself split the run of a work order. `other`: another version stored it. `damaged`: events that cannot be read. `end`: the last item",
    }),
    at: timestamp.openapi({ description: "Of `damaged` the start of the day in UTC, of `end` the `to` of the request" }),
    since: timestamp.nullable(),
    id: answerText.nullable().openapi({ description: "The sender's; null: none" }),
    nodeId: z.int().nullable(),
    channel: z.int().nullable(),
    value: z.number().nullable().openapi({ description: "The pulses of a count" }),
    reading: z.number().nullable().openapi({ description: "The running total of a count" }),
    isHeld: z.boolean().openapi({ description: "Whether the machine held the count, and nobody accepted it since" }),
    counted: z
      .object({ cycles: z.number(), total: z.number(), defects: z.number(), good: z.number().nullable() })
      .nullable()
      .openapi({ description: "Of a count that version 0.1.0 stored: what it counted. What was sent is not known" }),
    state: z.enum(machineStates).nullable(),
    operatorId: z.int().nullable(),
    action: z.enum(["in", "out"]).nullable(),
    skuId: answerText.nullable(),
    workOrderId: answerText.nullable(),
    order: z.enum(["closed", "reopened"]).nullable().openapi({ description: "Of a `cut`: what was done to the order" }),
    other: z.record(answerText, z.unknown()).nullable().openapi({ description: "Of `other`: what is stored" }),
    receivedAt: timestamp.nullable().openapi({ description: "When it arrived; null: version 0.1.0 stored it" }),
    importId: z.int().nullable().openapi({ description: "The import that it came with; null: it was sent by itself" }),
    isWithdrawn: z
      .boolean()
      .openapi({ description: "Whether it counts for nothing, because its import was undone or it was withdrawn" }),
    damaged: z.object({ part: z.int(), events: z.int() }).nullable().openapi({
      description: "Of `damaged`: which part of the day, and how many events it had, which may be outside the requested time",
    }),
    isComplete: z.boolean().nullable().openapi({ description: "Of `end`: whether all events of the requested time were sent" }),
    completeFrom: timestamp.nullable().openapi({ description: "Of `end`: since when all events are kept; null: always" }),
  })
  .openapi("MachineEvent");
type MachineEventItem = z.infer<typeof machineEvent>;

const nothing = {
  ...{
    since: null,
    id: null,
    nodeId: null,
    channel: null,
    value: null,
    reading: null,
    isHeld: false,
    counted: null,
    state: null,
  },
  ...{ operatorId: null, action: null, skuId: null, workOrderId: null, order: null, other: null, receivedAt: null },
  ...{ importId: null, isWithdrawn: false },
  ...{ damaged: null, isComplete: null, completeFrom: null },
} satisfies Omit<MachineEventItem, "type" | "at">;

export function machineEventOf(item: SentEventItem): MachineEventItem {
  if ("event" in item) return sentEventOf(item.event);
  const { day, ...damaged } = item.damaged;
  return { type: "damaged", at: isoOf(day * DAY_MS), ...nothing, damaged };
}

/** The last item. */
export function endOf(to: number, isComplete: boolean, completeFrom: number): MachineEventItem {
  return { type: "end", at: isoOf(to), ...nothing, isComplete, completeFrom: completeFrom === 0 ? null : isoOf(completeFrom) };
}

function sentEventOf({ id, event, receivedAt, importId, isWithdrawn = false }: KeptEvent): MachineEventItem {
  const common = {
    at: isoOf(event.at),
    ...nothing,
    id,
    receivedAt: isoOf(receivedAt ?? null),
    importId: importId ?? null,
    isWithdrawn,
  };
  switch (event.kind) {
    case "pulses":
    case "total": {
      const { nodeId, channel, value, since = null, isHeld = false } = event;
      const sent = event.kind === "pulses" ? { value } : { reading: value };
      return { type: "count", ...common, since: isoOf(since), nodeId, channel, ...sent, isHeld };
    }
    case "count": {
      const { cycles, total, defects, good, since = null } = event;
      return { type: "count", ...common, since: isoOf(since), counted: { cycles, total, defects, good } };
    }
    case "sample":
      return { type: "heartbeat", ...common, since: isoOf(event.since ?? null) };
    case "state":
      return { type: "state", ...common, state: event.state };
    case "operator":
      return { type: "operator", ...common, operatorId: event.operatorId, action: event.action };
    case "sku":
      return { type: "sku", ...common, skuId: event.skuId, workOrderId: event.workOrderId };
    case "cut":
      return { type: "cut", ...common, workOrderId: event.workOrderId, order: event.order ?? null };
    default:
      return { type: "other", ...common, other: { ...(event as object) } };
  }
}
