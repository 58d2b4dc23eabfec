import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { brokenRule, idParameter, instant, multilineText, text } from "../../../core/inputs.ts";
import { recordId } from "../../../core/record-id.ts";
import type { Past } from "../../../objects/machine-protocol.ts";
import { DAY_MS, isoOf } from "../../../oee/time.ts";

/** The longest interval of an amendment, and the most runs or presences in it. */
const MOST_DAYS = 31;
const MOST_PARTS = 50;

const timestamp = z.iso.datetime();

const interval = {
  from: instant.openapi({ description: "Start of the interval: not before the machine's commissioning" }),
  to: instant.openapi({ description: `Its end: not in the future, and at most ${MOST_DAYS} days later` }),
};
const reason = multilineText(500).min(1).openapi({ description: "Why: it is shown with the amendment, and kept in the audit" });

type Interval = { from: number; to: number };

function intervalRule({ from, to }: Interval, c: z.RefinementCtx): void {
  if (to <= from) c.addIssue(brokenRule("not_in_order", ["to"], "must be after `from`"));
  if (to > from + MOST_DAYS * DAY_MS)
    c.addIssue(brokenRule("out_of_range", ["to"], `must be at most ${MOST_DAYS} days after \`from\``));
}

/** What was made in an interval. */
export const runsBody = z
  .strictObject({
    ...interval,
    runs: z
      .array(
        z.strictObject({
          startTime: instant.openapi({ description: "It lasts until the next one begins, or to the end of the interval" }),
          skuId: text(100).min(1),
          workOrderId: text(100).min(1).nullable().default(null).openapi({
            description:
              "The work order that it was made for, also if that is closed. The machine must be one of the order's machines, and the SKU one of its targets. Null: no work order",
          }),
        }),
      )
      .min(1)
      .max(MOST_PARTS)
      .openapi({ description: "In order. The first one begins with the interval" }),
    reason,
  })
  .superRefine(intervalRule)
  .superRefine(({ from, to, runs }, c) => {
    for (const [i, { startTime }] of runs.entries()) {
      const path = ["runs", i, "startTime"];
      if (i === 0 && startTime !== from)
        c.addIssue(brokenRule("out_of_range", path, "must be `from`: something was made all the time"));
      const before = runs[i - 1];
      if (before && startTime <= before.startTime)
        c.addIssue(brokenRule("not_in_order", path, "must be after that of the run before"));
      else if (i > 0 && startTime >= to) c.addIssue(brokenRule("out_of_range", path, "must be before `to`"));
    }
  });
export type RunsBody = z.infer<typeof runsBody>;

/** Who was there in an interval. */
export const presencesBody = z
  .strictObject({
    ...interval,
    presences: z
      .array(z.strictObject({ operatorId: z.int().min(1), startTime: instant, endTime: instant }))
      .max(MOST_PARTS)
      .openapi({ description: "In any order. Empty: nobody was there" }),
    reason,
  })
  .superRefine(intervalRule)
  .superRefine(({ from, to, presences }, c) => {
    for (const [i, { operatorId, startTime, endTime }] of presences.entries()) {
      if (startTime < from) c.addIssue(brokenRule("out_of_range", ["presences", i, "startTime"], "must not be before `from`"));
      if (endTime > to) c.addIssue(brokenRule("out_of_range", ["presences", i, "endTime"], "must not be after `to`"));
      if (endTime <= startTime) c.addIssue(brokenRule("not_in_order", ["presences", i, "endTime"], "must be after `startTime`"));
      const isOverlapping = presences.some(
        (one, j) => j < i && one.operatorId === operatorId && one.startTime < endTime && startTime < one.endTime,
      );
      if (isOverlapping) c.addIssue(brokenRule("overlap", ["presences", i], "overlaps with another one of the operator"));
    }
  });
export type PresencesBody = z.infer<typeof presencesBody>;

/** The query of what was made, or who was there. */
export const pastQuery = z.object(interval).superRefine(intervalRule);

/** The path of an amendment of a machine. */
export const amendmentPath = z.object({ id: idParameter, amendmentId: idParameter });

const amendments = z
  .array(
    z.object({
      id: z.int(),
      from: timestamp,
      to: timestamp,
      reason: answerText,
      createdAt: timestamp,
      userId: z.int().openapi({ description: "Who made it" }),
    }),
  )
  .openapi({ description: "The amendments that hold in the interval, the latest first" });
const isComplete = z.boolean().openapi({ description: "False: there are more than 1,000, and these are the first ones" });
const isRecalculating = z.boolean().openapi({
  description: "Whether the machine is making numbers of the past again. Then these may still be the former ones",
});

/** What a machine made in an interval. */
export const pastRuns = z
  .object({
    from: timestamp,
    to: timestamp,
    runs: z
      .array(
        z.object({
          startTime: timestamp,
          endTime: timestamp.nullable().openapi({ description: "Null: it is made now" }),
          skuId: answerText.nullable(),
          workOrderId: answerText.nullable(),
        }),
      )
      .openapi({ description: "In order, each whole: the first and the last may reach out of the interval" }),
    amendments,
    isComplete,
    isRecalculating,
  })
  .openapi("PastRuns");

/** Who was at a machine in an interval. */
export const pastPresences = z
  .object({
    from: timestamp,
    to: timestamp,
    presences: z
      .array(
        z.object({
          operatorId: z.int(),
          startTime: timestamp,
          endTime: timestamp.nullable().openapi({ description: "Null: the operator is still there" }),
        }),
      )
      .openapi({ description: "In order, each whole: they may reach out of the interval" }),
    amendments,
    isComplete,
    isRecalculating,
  })
  .openapi("PastPresences");

export function pastRunsOf(machineId: number, interval: Interval, past: Past): z.infer<typeof pastRuns> {
  const runs = past.runs.map(({ skuId, workOrderId, ...times }) => ({ ...timesOf(times), skuId, workOrderId }));
  return { ...of(interval), runs, ...commonOf(machineId, past) };
}

export function pastPresencesOf(machineId: number, interval: Interval, past: Past): z.infer<typeof pastPresences> {
  const presences = past.presences.map(({ operatorId, ...times }) => ({ operatorId, ...timesOf(times) }));
  return { ...of(interval), presences, ...commonOf(machineId, past) };
}

function of({ from, to }: Interval) {
  return { from: isoOf(from), to: isoOf(to) };
}

function timesOf({ start, end }: { start: number; end: number | null }) {
  return { startTime: isoOf(start), endTime: isoOf(end) };
}

function commonOf(machineId: number, { amendments, isComplete, isRecalculating }: Past) {
  const shown = amendments.map(({ n, start, end, reason, madeAt, by }) => {
    return { id: recordId(machineId, n), ...of({ from: start, to: end }), reason, createdAt: isoOf(madeAt), userId: by.userId };
  });
  return { amendments: shown, isComplete, isRecalculating };
}
