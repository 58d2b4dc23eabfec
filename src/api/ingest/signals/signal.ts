import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { codesOf, eventCodes } from "../../../core/fault-codes.ts";
import { namedRef } from "../../../core/refs.ts";
import { channelTypes, type IgnoredChannel } from "../../../db/values.ts";
import type { HeardSignal } from "../../../objects/signals.ts";
import { isoOf } from "../../../oee/time.ts";
import type { FedChannel } from "./queries.ts";

const timestamp = z.iso.datetime();

/** A channel that counts came from lately, or that feeds a machine. */
export const signal = z
  .object({
    status: z.enum(["counted", "unknown", "refused", "ignored"]).openapi({
      description: `\`counted\`: it feeds a machine. \`unknown\`: it feeds none, and its counts are kept for a day. \`refused\`: its last counts were refused.
\`ignored\`: it feeds none, and nobody wants it: only with \`ignored=true\``,
    }),
    nodeId: z.int(),
    channel: z.int(),
    gatewayToken: namedRef.nullable().openapi({
      description: "The gateway token with which refused counts were sent; null: a user sent them, or they are counted",
    }),
    code: z.enum(codesOf(eventCodes)).nullable().openapi({ description: "Why the last count was refused; null: it was counted" }),
    message: answerText.nullable(),
    machine: namedRef.nullable().openapi({ description: "The machine that the channel feeds now; null: none" }),
    type: z.enum(channelTypes).nullable(),
    countingFactor: z.number().nullable().openapi({ description: "Units per pulse" }),
    firstAt: timestamp.nullable().openapi({ description: "When the first of its events arrived" }),
    lastAt: timestamp.nullable().openapi({ description: "When the last one did; null: none came lately" }),
    sentAt: timestamp
      .nullable()
      .openapi({ description: "The `at` of the last event. If it is far from `lastAt`, the sender's clock is wrong" }),
    events: z.int().openapi({
      description: "Its events: counted ones of the last two minutes, refused ones of the last day",
    }),
    kept: z
      .object({
        events: z.int(),
        pulses: z.int().openapi({ description: "Without those of running totals" }),
        from: timestamp.openapi({ description: "The time of the earliest" }),
      })
      .nullable()
      .openapi({ description: "The counts that are kept; null: none" }),
    recent: z
      .array(timestamp)
      .openapi({ description: "The times of its latest events, at most 30; of refused ones, when they arrived" }),
  })
  .openapi("Signal");

type Signal = z.infer<typeof signal>;

/** The counts of a channel that a machine has lately stored. Times are epoch ms. */
export interface CountedLately {
  firstAt: number;
  lastAt: number;
  sentAt: number;
  events: number;
  recent: number[];
}

export function countedSignal(
  { nodeId, channel, machineId, machineName, type, countingFactor }: FedChannel,
  lately: CountedLately | null,
): Signal {
  return {
    ...{ status: "counted", nodeId, channel, gatewayToken: null, code: null, message: null },
    ...{ machine: { name: machineName, id: machineId }, type, countingFactor },
    firstAt: isoOf(lately?.firstAt ?? null),
    lastAt: isoOf(lately?.lastAt ?? null),
    sentAt: isoOf(lately?.sentAt ?? null),
    ...{ events: lately?.events ?? 0, kept: null, recent: (lately?.recent ?? []).map((at) => isoOf(at)) },
  };
}

export function refusedSignal(
  heard: HeardSignal,
  fed: FedChannel | undefined,
  token: { id: number; name: string } | undefined,
): Signal {
  const { nodeId, channel, code, message, firstAt, lastAt, sentAt, refused, recent, kept } = heard;
  return {
    ...{ status: code === "unknown_channel" ? "unknown" : "refused", nodeId, channel, code, message },
    gatewayToken: token ?? null,
    machine: fed ? { name: fed.machineName, id: fed.machineId } : null,
    ...{ type: fed?.type ?? null, countingFactor: fed?.countingFactor ?? null },
    ...{ firstAt: isoOf(firstAt), lastAt: isoOf(lastAt), sentAt: sentAt === null ? null : safeIso(sentAt), events: refused },
    kept: kept && { ...kept, from: isoOf(kept.from) },
    recent: recent.map((at) => isoOf(at)),
  };
}

/** An ignored channel that was not heard lately. */
export function silentSignal({ nodeId, channel }: IgnoredChannel): Signal {
  return {
    ...{ status: "ignored", nodeId, channel, code: null, message: null, gatewayToken: null },
    ...{ machine: null, type: null, countingFactor: null, firstAt: null, lastAt: null, sentAt: null },
    ...{ events: 0, kept: null, recent: [] },
  };
}

/** What was sent may be a time that ISO 8601 has no four digits for. */
function safeIso(at: number): string | null {
  const text = isoOf(at);
  return /^\d{4}-/.test(text) ? text : null;
}
