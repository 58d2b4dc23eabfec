import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { brokenRule, idNumberOrText, idOrNull, instant, multilineText } from "../../core/inputs.ts";
import { namedRef } from "../../core/refs.ts";
import { actionStates, lossKinds } from "../../db/values.ts";
import { DAY_MS, HOUR_MS, isoOf } from "../../oee/time.ts";
import type { ActionRow } from "./queries.ts";

/** The most days of the time in which a loss was seen. */
const MOST_DAYS = 92;

const timestamp = z.iso.datetime();
const date = z.iso.date();
const measure = multilineText(2000).min(1).openapi({ description: "What is done about it" });
const dueOn = date.openapi({ description: "The local date by which it should be done", example: "2026-12-15" });

/** The body of a new action. */
export const newAction = z
  .object({
    companyId: z.int().min(1).optional().openapi({ description: "Only superusers may name another company than their own" }),
    loss: z.enum(lossKinds).openapi({
      description:
        "`cause`: the stops of a cause; `unclassified`: stops without a cause that nobody planned; `speed`, `quality`, `noData`: what reports call minutesLostByLowSpeed, minutesLostByLowQuality and noDataTime",
    }),
    generalCauseId: idOrNull("Of the loss `cause`: this cause, and with it alone stops that have no specific one").default(null),
    specificCauseId: idOrNull("Of the loss `cause`").default(null),
    machineId: idOrNull("Of this machine; null: of the line, or of all machines").default(null),
    lineId: idOrNull("Of this line").default(null),
    from: instant.openapi({ type: "string", format: "date-time", description: "Start of the time in which the loss was seen" }),
    to: instant.openapi({
      type: "string",
      format: "date-time",
      description: `End of that time: at most ${MOST_DAYS} days later. Only time up to now is counted`,
    }),
    measure,
    ownerId: idNumberOrText.openapi({ description: "Who does it: a user of the company" }),
    dueOn,
  })
  .superRefine(({ loss, generalCauseId, specificCauseId, machineId, lineId, from, to }, c) => {
    const hasCause = generalCauseId !== null || specificCauseId !== null;
    if (loss === "cause" && !hasCause) c.addIssue(brokenRule("required", ["generalCauseId"], "is required for the loss `cause`"));
    if (loss !== "cause" && hasCause)
      c.addIssue(
        brokenRule(
          "not_allowed",
          [generalCauseId === null ? "specificCauseId" : "generalCauseId"],
          "is only of the loss `cause`",
        ),
      );
    if (machineId !== null && lineId !== null)
      c.addIssue(brokenRule("not_allowed", ["lineId"], "cannot be given with `machineId`: name one of them"));
    if (from >= to) c.addIssue(brokenRule("not_in_order", ["to"], "must be after `from`"));
    else if (to - from > MOST_DAYS * DAY_MS + HOUR_MS)
      c.addIssue(brokenRule("range_too_long", ["to"], `must be at most ${MOST_DAYS} days after \`from\``));
  });
export type SentAction = z.infer<typeof newAction>;

/** The body of a change. */
export const changedAction = z
  .object({
    measure,
    ownerId: idNumberOrText,
    dueOn,
    state: z.enum(actionStates),
    comment: multilineText(2000).nullable().openapi({ description: "The result" }),
  })
  .partial();
export type ActionChange = z.infer<typeof changedAction>;

/** An action as lists show it. */
export const action = z
  .object({
    id: z.int(),
    companyId: z.int(),
    loss: z.enum(lossKinds),
    generalCause: namedRef.nullable(),
    specificCause: namedRef.nullable(),
    machine: namedRef.nullable().openapi({ description: "Null: of its line, or of all machines" }),
    line: namedRef.nullable(),
    from: timestamp,
    to: timestamp,
    minutes: z.number().openapi({ description: "Of the loss between `from` and `to`, when the action was created" }),
    plannedMinutes: z
      .number()
      .openapi({ description: "Planned minutes of the machines then: available, unavailable and without data" }),
    measure: answerText,
    owner: namedRef,
    dueOn: date,
    isOverdue: z.boolean().openapi({ description: "Whether it is open, and its date has passed in the company's time zone" }),
    state: z.enum(actionStates),
    comment: answerText.nullable(),
    endedAt: timestamp.nullable().openapi({ description: "When it was done or dropped; null: it is open" }),
    createdBy: namedRef,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .openapi("Action");

const lost = z.object({
  from: timestamp,
  to: timestamp,
  minutes: z.number().openapi({ description: "Of the loss, two decimals" }),
  plannedMinutes: z.number(),
  share: z.number().nullable().openapi({ description: "Percent of the planned time, two decimals; null: nothing was planned" }),
});

/** An action, and the minutes of its loss before it and since. */
export const actionWithEffect = action
  .extend({
    effect: z.object({
      before: lost.openapi({ description: "Of the time in which it was seen, as it was then" }),
      since: lost.nullable().openapi({
        description: "Since it was done, or created while it is open: at most 26 weeks. Null: it has not begun, or was dropped",
      }),
      weeks: z
        .array(
          z.object({ start: timestamp, end: timestamp, isPartial: z.boolean(), minutes: z.number(), plannedMinutes: z.number() }),
        )
        .openapi({ description: "Each week from four before it was seen on, as of now: at most 30" }),
    }),
  })
  .openapi("ActionWithEffect");

/** @param today the date in the company's time zone */
export function actionOf(row: ActionRow, today: string): z.infer<typeof action> {
  const ref = (id: number | null, name: string | null) => (id === null ? null : { name: name ?? "", id });
  return {
    ...{ id: row.id, companyId: row.companyId, loss: row.loss },
    generalCause: ref(row.generalCauseId, row.generalCauseName),
    specificCause: ref(row.specificCauseId, row.specificCauseName),
    machine: ref(row.machineId, row.machineName),
    line: ref(row.lineId, row.lineName),
    from: isoOf(row.seenFrom),
    to: isoOf(row.seenTo),
    minutes: row.seenMinutes,
    plannedMinutes: row.seenPlannedMinutes,
    measure: row.measure,
    owner: { name: row.ownerName ?? "", id: row.ownerId },
    dueOn: row.dueOn,
    isOverdue: row.state === "open" && row.dueOn < today,
    state: row.state,
    comment: row.comment,
    endedAt: isoOf(row.endedAt),
    createdBy: { name: row.createdByName ?? "", id: row.createdBy },
    createdAt: isoOf(row.createdAt),
    updatedAt: isoOf(row.updatedAt),
  };
}
