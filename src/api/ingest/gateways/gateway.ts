import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { brokenRule, instant, multilineText, nameText, repeatedAt } from "../../../core/inputs.ts";
import { namedRef } from "../../../core/refs.ts";
import { channelTypes } from "../../../db/values.ts";
import { type GatewayStatus, type HeardGateway, sourceStates } from "../../../objects/gateways.ts";
import { isoOf } from "../../../oee/time.ts";
import { inOrder } from "../count-sensors/members.ts";
import type { FeedableMachine, GatewayTokenItem } from "./queries.ts";

/** What a report may list: more would make it long, and nobody reads it. */
const MOST_SOURCES = 100;
const MOST_DROPPED = 50;
/** The times that ISO 8601 has four digits of the year for, whatever the offset. */
const LATEST = Date.UTC(9999, 0);

const time = instant.refine((at) => at >= 0 && at < LATEST, "must be a time between the years 1970 and 9999");
const number = z.int().min(0);
const states = `\`ok\`; \`waiting\`: it connects, or nothing was read yet; \`silent\`: it is connected, but nothing came for longer than it may be silent;
\`failed\`: it is not connected, or cannot be read`;

const source = z.strictObject({
  id: nameText(100).openapi({ example: "hall-io" }),
  type: nameText(50).openapi({ example: "modbus" }),
  state: z.enum(sourceStates).openapi({ description: states }),
  lastAt: time.nullable().openapi({ description: "When something was last read from it; null: not yet" }),
  perMinute: z.number().min(0).max(1e9).openapi({ description: "What was read of it in the last minute" }),
  error: multilineText(300).nullable().openapi({ description: "What is wrong with it; null: nothing" }),
});

const dropped = z
  .strictObject({
    machineRef: nameText(200).nullable().openapi({ description: "Null: the machine is not known" }),
    events: z.int().min(1),
    from: time,
    to: time,
  })
  .superRefine(({ from, to }, c) => {
    if (to < from) c.addIssue(brokenRule("not_in_order", ["to"], "must not be before `from`"));
  });

/** What a gateway sends about itself. */
export const sentStatus = z.strictObject({
  version: nameText(50).openapi({ description: "Of the gateway's program", example: "1.2.0" }),
  startedAt: time,
  queue: z.strictObject({
    events: number.openapi({ description: "Events that it has not sent yet" }),
    oldestAt: time.nullable().openapi({ description: "When the oldest of them was read; null: there are none" }),
    bytes: number,
    quarantined: number.openapi({ description: "Events that were refused for good, and that somebody has to look at" }),
    dropped: z.array(dropped).max(MOST_DROPPED).openapi({
      description: "Events that are missing because the queue was full: how many, of which machine, from when to when",
    }),
  }),
  sources: z
    .array(source)
    .max(MOST_SOURCES)
    .superRefine((list, c) => {
      const seen = new Set<string>();
      for (const [i, { id }] of list.entries()) {
        if (seen.has(id)) c.addIssue(repeatedAt(i, "id"));
        seen.add(id);
      }
    }),
  clockSkewMs: z
    .int()
    .nullable()
    .openapi({ description: "Its clock minus the service's, in milliseconds; null: it does not know" }),
});

const timestamp = z.iso.datetime();

const status = z.object({
  heardAt: timestamp.openapi({ description: "When the report came" }),
  version: answerText,
  startedAt: timestamp,
  queue: z.object({
    events: z.int(),
    oldestAt: timestamp.nullable(),
    bytes: z.int(),
    quarantined: z.int(),
    dropped: z.array(z.object({ machineRef: answerText.nullable(), events: z.int(), from: timestamp, to: timestamp })),
  }),
  sources: z.array(
    z.object({
      id: answerText,
      type: answerText,
      state: z.enum(sourceStates).openapi({ description: states }),
      lastAt: timestamp.nullable(),
      perMinute: z.number(),
      error: answerText.nullable(),
    }),
  ),
  clockSkewMs: z.int().nullable(),
});

/** A gateway with what it reported last. */
export const gateway = z
  .object({
    id: z.int().openapi({ description: "Of its token" }),
    companyId: z.int(),
    name: answerText,
    createdAt: timestamp.openapi({ description: "When its token was made" }),
    status: status.nullable().openapi({ description: "What it reported last; null: it never did, as gateways need not" }),
  })
  .openapi("Gateway");

/** What a gateway gets of itself. */
export const ownGateway = z
  .object({
    id: z.int().openapi({ description: "Of its token" }),
    name: answerText,
    company: namedRef,
    timezone: answerText,
    now: timestamp.openapi({ description: "The service's clock" }),
    machines: z
      .array(
        z.object({
          id: z.int(),
          ref: answerText,
          name: answerText,
          signal: z.enum(["counts", "states"]),
          nodeId: z.int(),
          reportingSeconds: z.number().nullable(),
          stopAfterSeconds: z.number(),
          noDataAfterSeconds: z.number().nullable(),
          standardCycleSeconds: z.number().nullable(),
          countSensors: z
            .array(
              z.object({
                type: z.enum(channelTypes),
                nodeId: z.int(),
                channel: z.int(),
                countingFactor: z.number(),
                wrapsAt: z.int().nullable(),
              }),
            )
            .openapi({ description: "Those in force, sorted by node and channel" }),
        }),
      )
      .openapi({ description: "A page of the company's machines, by their ids" }),
    cursor: answerText.nullable().openapi({ description: "Of the next page of machines; null on the last" }),
  })
  .openapi("OwnGateway");

export function gatewayItem({ id, companyId, name, createdAt }: GatewayTokenItem, heard: HeardGateway | undefined) {
  return { id, companyId, name, createdAt: isoOf(createdAt), status: heard ? statusItem(heard) : null };
}

function statusItem({ heardAt, status }: HeardGateway): z.infer<typeof gateway>["status"] {
  const { version, startedAt, queue, sources, clockSkewMs }: GatewayStatus = status;
  const { events, oldestAt, bytes, quarantined } = queue;
  return {
    ...{ heardAt: isoOf(heardAt), version, startedAt: isoOf(startedAt), clockSkewMs },
    queue: {
      ...{ events, oldestAt: isoOf(oldestAt), bytes, quarantined },
      dropped: queue.dropped.map((one) => ({ ...one, from: isoOf(one.from), to: isoOf(one.to) })),
    },
    sources: sources.map((one) => ({ ...one, lastAt: isoOf(one.lastAt) })),
  };
}

type MachineItem = z.infer<typeof ownGateway>["machines"][number];

export function machineItem({ configs, ...machine }: FeedableMachine): MachineItem {
  return { ...machine, countSensors: inOrder(configs) };
}
