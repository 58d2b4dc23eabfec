import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { distinct, nameText, text } from "../../core/inputs.ts";
import { type Role, reportKinds, weekdays } from "../../db/values.ts";
import { isoOf } from "../../oee/time.ts";
import { companyIdMember, type Resource, stampMembers, stampsOf } from "../../resource/resource.ts";
import { type ReportSubscriptionRow, reportSubscriptionTable } from "./queries.ts";
import { restoreReportSubscription, storeReportSubscription } from "./rules.ts";

const ids = (what: string) =>
  distinct(z.int().min(1))
    .min(1)
    .nullable()
    .openapi({ description: `Null: all. ${what}` });
const textIds = (what: string) => distinct(text(100).min(1)).max(100).openapi({ description: what });
const kind = z.enum(reportKinds).openapi({
  description:
    "`shift`: after the end of each shift, of that shift; `daily`: of the day before; `weekly`: of the seven days before",
});
const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be HH:mm, up to 23:59")
  .nullable()
  .openapi({
    description: `Daily and weekly reports: when they are sent, HH:mm in the company's time zone. On the night of a clock change, a time that
does not exist means the first instant after it, and a time that occurs twice means the first`,
    example: "06:30",
  });
const days = distinct(z.enum(weekdays)).min(1).nullable().openapi({
  description: "`daily`: the days on which it is sent, null: every day; `weekly`: the one day; `shift`: null",
});
const name = nameText(200).openapi({ example: "Morning report hall 1" });
const isActive = z.boolean().openapi({ description: "Whether it is sent on schedule. Needs a recipient" });
const language = z.enum(["en", "es"]);
const addresses = distinct(z.email().max(254)).max(100);
const leftAddresses = distinct(text(254)).max(500);
const members = {
  name,
  kind,
  time,
  weekdays: days,
  machineIds: ids("The machines in the report; not together with `lineIds`"),
  lineIds: ids("The lines whose machines are in the report"),
  shiftIds: ids("The shifts after which a `shift` report is sent"),
  personaIds: textIds("Personas. They get it by e-mail at any hour, if their e-mail contact is active"),
  addresses,
  webhookSubscriptionIds: textIds("Webhook subscriptions whose URLs get the figures, signed like events, with the type `report`"),
  language,
  isActive,
};

/** The roles that see addresses: the same ones that see personas. */
const seeAddresses: readonly Role[] = ["superuser", "superadmin", "admin"];

export const reportSubscriptions: Resource<ReportSubscriptionRow> = {
  names: {
    type: "ReportSubscription",
    types: "ReportSubscriptions",
    noun: "report subscription",
    nouns: "report subscriptions",
  },
  path: "/v1/report-subscriptions",
  description: "A report that is sent by e-mail and to webhooks after each shift, daily or weekly.",
  access: { read: "reports:read", write: "report-subscriptions:write" },
  table: reportSubscriptionTable,
  members: {
    id: text(100),
    item: z
      .object({
        id: answerText,
        companyId: companyIdMember,
        ...members,
        addresses: addresses.nullable().openapi({ description: "Null for the roles `user` and `readonly`" }),
        leftAddresses: leftAddresses.nullable().openapi({
          description: `Addresses whose readers have left by the link in the mail, oldest first: it is not sent to them. Null for the roles \`user\` and
\`readonly\``,
        }),
        nextRunAt: z.iso.datetime().nullable().openapi({
          description: "When the next daily or weekly report is due; null for `shift`, and while it is not active",
        }),
        ...stampMembers,
      })
      .openapi("ReportSubscription"),
    create: z.object({
      name,
      kind,
      time: time.default(null),
      weekdays: days.default(null),
      machineIds: members.machineIds.default(null),
      lineIds: members.lineIds.default(null),
      shiftIds: members.shiftIds.default(null),
      personaIds: members.personaIds.default([]),
      addresses: addresses.default([]),
      webhookSubscriptionIds: members.webhookSubscriptionIds.default([]),
      language: language.default("en"),
      isActive: isActive.default(true),
    }),
    change: z
      .object({
        ...members,
        leftAddresses: leftAddresses.openapi({
          description: `Those who are still not to get it: who is left out gets it again. So does who is newly written into \`addresses\``,
        }),
      })
      .partial(),
    example: {
      name: "Morning report hall 1",
      kind: "daily",
      time: "06:30",
      weekdays: ["tuesday", "wednesday", "thursday", "friday", "saturday"],
      lineIds: [1],
      addresses: ["hall1@example.com"],
      language: "en",
    },
  },
  shape: {
    item(row, { actor }) {
      const { id, companyId, name, kind, time, weekdays, machineIds, lineIds, shiftIds } = row;
      const { personaIds, webhookSubscriptionIds, language, isActive } = row;
      const [addresses, leftAddresses] = seeAddresses.includes(actor.role) ? [row.addresses, row.leftAddresses] : [null, null];
      return {
        ...{ id, companyId, name, kind, time, weekdays, machineIds, lineIds, shiftIds },
        ...{ personaIds, addresses, leftAddresses, webhookSubscriptionIds, language, isActive, nextRunAt: isoOf(row.nextRunAt) },
        ...stampsOf(row),
      };
    },
    audited: (item, { addresses, leftAddresses }) => ({ ...item, addresses, leftAddresses }),
  },
  rules: { store: storeReportSubscription, restore: restoreReportSubscription },
};
