import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { distinct } from "../../../core/inputs.ts";
import { recordId } from "../../../core/record-id.ts";
import { namedRef } from "../../../core/refs.ts";
import type { HeldCount } from "../../../objects/machine-protocol.ts";
import { unitsOf } from "../../../oee/events.ts";
import { isoOf } from "../../../oee/time.ts";
import type { HeldEntryRow } from "./queries.ts";

const timestamp = z.iso.datetime();
const units = z.number().openapi({ description: "The units that they would add" });

/** What is held of a machine and a UTC day for one reason. */
export const heldEntry = z
  .object({
    id: z.int(),
    machine: namedRef,
    day: z.iso.date().openapi({ description: "The day of the events, in UTC" }),
    reason: answerText.openapi({
      description:
        "Why they are held. `implausible`: the machine cannot have made so many. `closedBooks`: the books of their time are closed. More reasons may come",
      example: "implausible",
    }),
    count: z.int().openapi({ description: "How many events are held" }),
    units,
    first: timestamp.openapi({ description: "Time of the first event" }),
    last: timestamp.openapi({ description: "Time of the last event" }),
  })
  .openapi("HeldEntry");

/** An event that is held. */
export const heldEvent = z
  .object({
    id: z.int().openapi({ description: "To accept or drop it alone" }),
    kind: answerText.openapi({ description: "What it is: `count`, `reading`, `state`, `sku` or `operator`", example: "count" }),
    eventId: answerText.nullable().openapi({ description: "The `id` that it was sent with; null: none" }),
    at: timestamp,
    since: timestamp.nullable().openapi({ description: "As it was sent; null: not said" }),
    nodeId: z.int(),
    channel: z.int(),
    value: z.number().openapi({ description: "Its pulses; of a reading, those since the last reading that is not held" }),
    reading: z.number().nullable().openapi({ description: "The running total that was sent; null: none was" }),
    units: z.number().openapi({ description: "The units that it would add" }),
    heldAt: timestamp.openapi({ description: "When it arrived" }),
  })
  .openapi("HeldEvent");

/** The body of a decision. */
export const heldIds = z.strictObject({
  ids: distinct(z.int().min(0)).min(1).max(1000).optional().openapi({
    description: "Events of the entry, by their `id` in its list; left out: all of it",
  }),
});

/** What was decided. */
export const heldDecided = z
  .object({
    decided: z.int().openapi({ description: "How many events were accepted or dropped" }),
    units: z.number().openapi({ description: "Their units" }),
    left: z.int().openapi({ description: "How many of the entry are still held" }),
  })
  .openapi("HeldDecided");

export function heldEntryOf({ id, machineId, machineName, day, reason, count, units, firstAt, lastAt }: HeldEntryRow) {
  return {
    id,
    machine: { name: machineName, id: machineId },
    day: isoOf(day).slice(0, 10),
    reason,
    count,
    units,
    first: isoOf(firstAt),
    last: isoOf(lastAt),
  };
}

export function heldEventOf(machineId: number, { seq, id, nodeId, channel, pulses, event, reading, taken, heldAt }: HeldCount) {
  return {
    id: recordId(machineId, seq),
    kind: taken?.event.kind ?? (reading ? "reading" : "count"),
    eventId: id,
    at: isoOf(event.at),
    since: isoOf(event.since ?? null),
    nodeId,
    channel,
    value: pulses,
    reading: reading?.value ?? null,
    units: unitsOf(event),
    heldAt: isoOf(heldAt),
  };
}
