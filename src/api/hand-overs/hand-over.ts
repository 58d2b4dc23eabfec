import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { idNumberOrText, idOrNull, instant, multilineText } from "../../core/inputs.ts";
import { namedRef } from "../../core/refs.ts";
import type { HandOverFigures } from "../../db/values.ts";
import { isoOf } from "../../oee/time.ts";
import type { HandOverRow } from "./queries.ts";
import { shiftDate } from "./query.ts";

/** The most characters of a note, and of a thing to watch; and the most things to watch. */
const NOTE_LENGTH = 2000;
const WATCH_LENGTH = 300;
const MOST_WATCHED = 20;

const timestamp = z.iso.datetime();
const note = multilineText(NOTE_LENGTH).nullable();

const sentNotes = z
  .object({
    safety: note.default(null),
    quality: note.default(null),
    people: note.default(null),
    other: note.default(null),
  })
  .openapi({ description: `Notes by subject, of up to ${NOTE_LENGTH} characters each; null: none` });
const sentWatch = z
  .array(multilineText(WATCH_LENGTH).min(1))
  .max(MOST_WATCHED)
  .openapi({ description: `What the next shift should watch: at most ${MOST_WATCHED} things` });

const nothing = { safety: null, quality: null, people: null, other: null };

/** The body of a new hand-over. */
export const newHandOver = z.object({
  shiftId: idNumberOrText,
  date: shiftDate,
  lineId: idOrNull("Null: all machines of the company").default(null),
  notes: sentNotes.default(nothing),
  watch: sentWatch.default([]),
});
export type SentHandOver = z.infer<typeof newHandOver>;

/** The body of a change. */
export const changedHandOver = z
  .object({
    notes: sentNotes.optional(),
    watch: sentWatch.optional(),
    updatedAt: instant.optional().openapi({
      type: "string",
      format: "date-time",
      description: "The `updatedAt` that was read: if somebody has changed it since then, the answer is 409",
    }),
  })
  .refine(({ notes, watch }) => notes !== undefined || watch !== undefined, { message: "needs notes or watch" });
export type HandOverChange = z.infer<typeof changedHandOver>;

const count = (description: string) => z.int().openapi({ description });
const row = {
  target: z.number().openapi({ description: "What the standards in force allowed up to `at`, two decimals" }),
  total: z.number().openapi({ description: "Units made" }),
  defects: z.number(),
  oee: z.number().openapi({ description: "Percent, two decimals" }),
  availability: z.number().openapi({ description: "Percent, two decimals" }),
  unavailableTime: z.number().openapi({ description: "Minutes of downtime, two decimals" }),
  noDataTime: z.number().openapi({ description: "Minutes without data, two decimals" }),
};

/** The lists of figures are cut to these lengths; beside each is the number of all. */
export const most = { machines: 60, lines: 30, stops: 10, incidents: 20, calls: 20, lateOrders: 10 } as const;

/** The figures of a shift. */
const handOverFigures = z
  .object({
    at: timestamp.openapi({ description: "As of when" }),
    isShiftOver: z.boolean().openapi({ description: "Whether the shift had ended at `at`" }),
    all: z.object(row).openapi({ description: "All machines of the hand-over" }),
    stopCount: count("Stops that started in the shift and count as stops"),
    withoutCause: z
      .object({ count: z.int(), minutes: z.number() })
      .openapi({ description: "The stops without a cause that were not planned" }),
    hours: z.array(z.object({ start: timestamp, total: row.total, target: row.target })),
    lines: z.array(z.object({ line: namedRef.nullable(), ...row })).openapi({
      description: `Of a hand-over of all machines: at most ${most.lines}, by name; \`line\` null: machines that are in none`,
    }),
    lineCount: count("All of them"),
    machines: z
      .array(z.object({ machine: namedRef, line: namedRef.nullable(), ...row }))
      .openapi({ description: `At most ${most.machines}: those that are furthest behind their target, by name` }),
    machineCount: count("All of them"),
    stops: z
      .array(
        z.object({
          id: z.int(),
          machine: namedRef,
          name: answerText,
          hasCause: z.boolean(),
          startTime: timestamp,
          endTime: timestamp.nullable().openapi({ description: "Null: it was open" }),
          minutes: z.number().openapi({ description: "In the shift, two decimals" }),
          note: answerText.nullable(),
        }),
      )
      .openapi({ description: `The ${most.stops} longest that count against availability, the longest first` }),
    incidents: z
      .array(
        z.object({
          id: answerText,
          name: answerText.openapi({ description: "Of its alert rule" }),
          machine: namedRef.nullable(),
          since: timestamp,
          acknowledgedBy: answerText.nullable().openapi({ description: "Who had acknowledged it; null: nobody" }),
        }),
      )
      .openapi({ description: `Open then: at most ${most.incidents}, the newest first` }),
    incidentCount: count("All of them; 10,000 if there were more"),
    calls: z
      .array(z.object({ id: z.int(), machine: namedRef, message: answerText.nullable(), since: timestamp }))
      .openapi({ description: `Calls for help that were open then: at most ${most.calls}, the newest first` }),
    callCount: count("All of them; 10,000 if there were more"),
    lateOrders: z
      .array(
        z.object({
          id: answerText,
          code: answerText,
          name: answerText,
          dueTime: timestamp.nullable(),
          expectedAt: timestamp.nullable().openapi({ description: "When the rest would be made; null: not known" }),
          remaining: z.number().openapi({ description: "Good units still to make" }),
        }),
      )
      .openapi({ description: `Late then: at most ${most.lateOrders}, the earliest due first` }),
    lateOrderCount: count(`All of them; ${most.lateOrders + 1} if there were more than ${most.lateOrders}`),
  })
  .openapi("HandOverFigures") satisfies z.ZodType<HandOverFigures>;

const shift = z.object({ id: z.int(), name: answerText, date: shiftDate, startTime: timestamp, endTime: timestamp });

/** A shift of a line or of all machines, with its figures. */
export const shiftFigures = z
  .object({ shift, line: namedRef.nullable(), figures: handOverFigures })
  .openapi("ShiftFigures", { description: "What would be handed over now" });

/** A hand-over as lists show it. */
export const handOver = z
  .object({
    id: z.int(),
    companyId: z.int(),
    shift,
    line: namedRef.nullable().openapi({ description: "Null: all machines of the company" }),
    notes: z.object({
      safety: answerText.nullable(),
      quality: answerText.nullable(),
      people: answerText.nullable(),
      other: answerText.nullable(),
    }),
    watch: z.array(answerText),
    writtenBy: namedRef,
    createdAt: timestamp,
    updatedAt: timestamp,
    acknowledgedAt: timestamp.nullable().openapi({ description: "Null: nobody has" }),
    acknowledgedBy: namedRef.nullable(),
  })
  .openapi("HandOver");

/** A hand-over with the figures that were handed over. */
export const handOverWithFigures = handOver
  .extend({ figures: handOverFigures.openapi({ description: "As they were handed over: what changes later is not in them" }) })
  .openapi("HandOverWithFigures");

export function handOverOf(row: Omit<HandOverRow, "figures">): z.infer<typeof handOver> {
  const { id, companyId, shiftId, shiftName, date, lineId, lineName, acknowledgedBy } = row;
  return {
    ...{ id, companyId },
    shift: { id: shiftId, name: shiftName, date, startTime: isoOf(row.shiftStart), endTime: isoOf(row.shiftEnd) },
    line: lineId === 0 ? null : { name: lineName ?? "", id: lineId },
    notes: row.notes,
    watch: row.watch,
    writtenBy: { name: row.writtenByName, id: row.writtenBy },
    createdAt: isoOf(row.createdAt),
    updatedAt: isoOf(row.updatedAt),
    acknowledgedAt: isoOf(row.acknowledgedAt),
    acknowledgedBy: acknowledgedBy === null ? null : { name: row.acknowledgedByName ?? "", id: acknowledgedBy },
  };
}

export function withFigures(row: HandOverRow): z.infer<typeof handOverWithFigures> {
  return { ...handOverOf(row), figures: row.figures };
}
