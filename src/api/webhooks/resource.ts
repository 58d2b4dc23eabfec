import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { distinct, text } from "../../core/inputs.ts";
import { eventTypes } from "../../db/values.ts";
import { isoOf } from "../../oee/time.ts";
import { companyIdMember, type Resource, stampMembers, stampsOf } from "../../resource/resource.ts";
import { noRule } from "../../resource/rules.ts";
import { type SubscriptionRow, webhookSubscriptionTable } from "./queries.ts";
import { removeWebhookSubscription, storeWebhookSubscription } from "./rules.ts";

const id = z.int().min(1);
const time = z.iso.datetime().nullable();

const members = {
  url: text(2000).min(1).openapi({
    description:
      "Where events are sent: https, port 443, and a host with a public name, not an address. Redirects are not followed",
    example: "https://erp.example.com/andon",
  }),
  events: distinct(z.enum(eventTypes)).min(1).nullable().openapi({ description: "Which events; null: all" }),
  machineIds: distinct(id).min(1).nullable().openapi({ description: "Only events of these machines; null: of all" }),
  lineIds: distinct(id).min(1).nullable().openapi({
    description: "Only events of machines that are in these lines at the time; null: of all. Not together with `machineIds`",
  }),
  isActive: z.boolean().openapi({
    description: "Whether events are sent. Setting it to true restarts a subscription that has ended",
  }),
  description: text(200).openapi({ description: "What it is for", example: "ERP" }),
};

export const webhookSubscriptions: Resource<SubscriptionRow> = {
  names: {
    type: "WebhookSubscription",
    types: "WebhookSubscriptions",
    noun: "webhook subscription",
    nouns: "webhook subscriptions",
  },
  path: "/v1/webhook-subscriptions",
  description: `Calls a URL of yours for each [event](#tag/events), following Standard Webhooks. A call that fails is repeated over three days,
and later events of
the same machine wait for it. A subscription ends when its receiver answers 410, or when all calls have failed for five days.`,
  access: { read: "webhooks:read", write: "webhooks:write" },
  table: webhookSubscriptionTable,
  members: {
    id: text(100),
    item: z
      .object({
        id: answerText,
        companyId: companyIdMember,
        ...members,
        hasOwnSecret: z
          .boolean()
          .openapi({ description: "Whether calls are signed with a secret of its own; otherwise with the company's" }),
        failingSince: time.openapi({
          description: "Since when every call failed; null: the last one succeeded, or there was none",
        }),
        endedAt: time.openapi({ description: "When the service stopped sending events to it; null: it did not" }),
        endedBecause: z.enum(["gone", "failing"]).nullable().openapi({
          description: "`gone`: the receiver answered 410; `failing`: every call failed for five days",
        }),
        ...stampMembers,
      })
      .openapi("WebhookSubscription"),
    create: z.object({
      ...members,
      events: members.events.default(null),
      machineIds: members.machineIds.default(null),
      lineIds: members.lineIds.default(null),
      isActive: members.isActive.default(true),
      description: members.description.default(""),
      hasOwnSecret: z.boolean().default(true).openapi({
        description: "Whether it gets a secret of its own, shown in the answer; otherwise calls are signed with the company's",
      }),
    }),
    change: z.object(members).partial(),
    example: { url: "https://erp.example.com/andon", events: ["stop.opened", "stop.closed"], description: "ERP" },
  },
  shape: {
    item(row) {
      const { id, companyId, url, events, machineIds, lineIds, isActive, description, sealedSecret, endedBecause } = row;
      return {
        ...{ id, companyId, url, events, machineIds, lineIds, isActive, description, hasOwnSecret: sealedSecret !== null },
        failingSince: isoOf(row.failingSince),
        endedAt: isoOf(row.endedAt),
        endedBecause,
        ...stampsOf(row),
      };
    },
  },
  rules: { store: storeWebhookSubscription, remove: removeWebhookSubscription, restore: noRule },
};
