import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { instant, multilineText, text } from "../../core/inputs.ts";
import { namedRef } from "../../core/refs.ts";
import { withdrawableKinds } from "../../db/values.ts";
import { DAY_MS, isoOf } from "../../oee/time.ts";
import { FUTURE_LIMIT_MS } from "../ingest/event.ts";
import type { WithdrawalRow } from "./queries.ts";

/** The longest time of a withdrawal: the machine looks at all of its events at once. */
const MOST_DAYS = 31;
const MOST_IDS = 500;

const timestamp = z.iso.datetime();

/** The body of a withdrawal. What is null does not matter. */
export const newEventWithdrawal = z
  .object({
    machineId: z.int().min(1),
    from: instant.openapi({ type: "string", format: "date-time", description: "Events whose `at` is at or after this time" }),
    to: instant.openapi({
      ...{ type: "string", format: "date-time" },
      description: `Events whose \`at\` is before this time: at most ${MOST_DAYS} days after \`from\``,
    }),
    nodeId: z.int().min(0).nullable().default(null).openapi({ description: "Counts of this gateway" }),
    channel: z.int().min(0).nullable().default(null).openapi({ description: "Counts of this channel" }),
    kinds: z.array(z.enum(withdrawableKinds)).min(1).max(withdrawableKinds.length).nullable().default(null).openapi({
      description: "Events of these types; by default `count`, `heartbeat` and `state`, or with `ids` all types",
    }),
    minValue: z.number().positive().nullable().default(null).openapi({
      description: "Counts with at least so many pulses, or a running total that is at least so high",
    }),
    importId: z.int().min(1).nullable().default(null).openapi({ description: "Events that came with this import" }),
    ids: z
      .array(text(128).min(1))
      .min(1)
      .max(MOST_IDS)
      .nullable()
      .default(null)
      .openapi({ description: "Events whose senders gave them one of these ids" }),
    reason: multilineText(500).min(1).openapi({ description: "Why, for whoever looks at it later" }),
    dryRun: z.boolean().default(false).openapi({ description: "Only counts the events, and changes nothing" }),
  })
  .superRefine(({ from, to }, c) => {
    const refuse = (path: string, code: string, message: string) =>
      c.addIssue({ code: "custom", path: [path], message, params: { faultCode: code } });
    if (to > Date.now() + FUTURE_LIMIT_MS) refuse("to", "in_future", "must not be in the future");
    if (from >= to) refuse("to", "not_in_order", "must be after `from`");
    else if (to - from > MOST_DAYS * DAY_MS) refuse("from", "range_too_long", `is more than ${MOST_DAYS} days before \`to\``);
  });
export type SentWithdrawal = z.infer<typeof newEventWithdrawal>;

/** A withdrawal as answers show it. */
export const eventWithdrawal = z
  .object({
    id: z.int(),
    machine: namedRef,
    from: timestamp,
    to: timestamp,
    nodeId: z.int().nullable(),
    channel: z.int().nullable(),
    kinds: z.array(z.enum(withdrawableKinds)).nullable(),
    minValue: z.number().nullable(),
    importId: z.int().nullable(),
    ids: z.array(answerText).nullable(),
    reason: answerText,
    events: z.int().openapi({ description: "How many events it withdrew when it was made" }),
    userId: z.int().openapi({ description: "Who made it" }),
    createdAt: timestamp,
    restoredAt: timestamp.nullable().openapi({ description: "Null: its events count for nothing" }),
    restoredBy: z.int().nullable().openapi({ description: "The user who took it back" }),
  })
  .openapi("EventWithdrawal");

export const eventWithdrawalDryRun = z
  .object({
    isDryRun: z.literal(true),
    events: z.int().openapi({ description: "How many events would be withdrawn" }),
    firstAt: timestamp.nullable().openapi({ description: "Null: none would be" }),
    lastAt: timestamp.nullable(),
  })
  .openapi("EventWithdrawalDryRun");

export function withdrawalOf(row: WithdrawalRow): z.infer<typeof eventWithdrawal> {
  const { id, machineId, machineName, fromAt, toAt, filter, reason, events, userId, createdAt, restoredAt, restoredBy } = row;
  const { nodeId, channel, kinds, minValue, importId, ids } = filter;
  return {
    ...{ id, machine: { name: machineName ?? "", id: machineId }, from: isoOf(fromAt), to: isoOf(toAt) },
    ...{ nodeId, channel, kinds: kinds && [...kinds], minValue, importId, ids: ids && [...ids], reason, events, userId },
    ...{ createdAt: isoOf(createdAt), restoredAt: isoOf(restoredAt), restoredBy },
  };
}
