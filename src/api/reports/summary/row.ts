import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";

const minutes = (what: string) =>
  z
    .number()
    .nullable()
    .openapi({ description: `Minutes, two decimals: ${what}` });
const percent = (what: string) =>
  z
    .number()
    .nullable()
    .openapi({ description: `Percent, two decimals: ${what}` });
const units = (what: string) =>
  z
    .number()
    .nullable()
    .openapi({ description: `Units: ${what}` });

/** Minutes, units and percentages of a row. */
export const figures = z
  .object({
    availableTime: minutes("available; of operators: while signed in"),
    unavailableTime: minutes("programmed and non-programmed downtime; of operators: while signed in"),
    programmedDowntime: minutes("programmed stops included in availability"),
    nonProgrammedDowntime: minutes("non-programmed stops included in availability"),
    otherStopsTime: minutes("stops not included in availability"),
    noDataTime: minutes("no data was received from the machine"),
    annotatedDowntime: minutes("unavailable time of stops with a general or specific cause"),
    stopTime: minutes("all stops: unavailable and other"),
    idealTime: minutes("standard time of the cycles; of operators: of their units, at the mean standard of each shift"),
    minutesLostByLowSpeed: minutes(
      "available time - ideal time, at least 0. Rows of it do not add up: where one is faster than its standard, it makes up for others in their total",
    ),
    minutesLostByLowQuality: minutes("standard time of the defects"),
    cycleCount: z.number().nullable().openapi({ description: "Cycles" }),
    total: units("counted; of operators: credited to them"),
    defects: units("rejected or reworked; of operators: of their units, the share that was rejected in each shift"),
    correct: units("total - defects"),
    target: units("what the standards in force allow in available and non-programmed time, two decimals"),
    availability: percent("available time / (available time + unavailable time)"),
    netAvailability: percent("available time / (available time + non-programmed downtime)"),
    effectiveness: percent("ideal time / available time; may exceed 100"),
    quality: percent("correct / total; if nothing was made 100, or 0 with defects"),
    oee: percent("availability x effectiveness x quality"),
    netOee: percent("net availability x effectiveness x quality"),
    producedOutsideShifts: units(
      "good ones counted outside every shift, which no other figure contains; only in `total` and with groups of machines, lines and time, without filters on shifts, SKUs, orders and operators",
    ),
    stopCount: z.int().nullable().openapi({
      description: "Only with the group `cause`: stops that start in the range and count as stops; otherwise null",
    }),
  })
  .openapi("SummaryFigures", { description: "Null if the figure does not exist for the groups" });

const ref = z.object({ id: z.int(), name: answerText }).nullable();
/** A row of a summary. */
export const row = z
  .object({
    start: z.iso
      .datetime()
      .nullable()
      .openapi({ description: "Start of the local hour, day, week or month; null without a group of time" }),
    end: z.iso
      .datetime()
      .nullable()
      .openapi({ description: "End of the local hour, day, week or month; null without a group of time" }),
    isPartial: z.boolean().openapi({
      description: "True if the range begins or ends within the hour, day, week or month: the row has only what is in the range",
    }),
    machine: ref,
    line: ref.openapi({ description: "The machine's line when the shift began; null: none" }),
    shift: ref,
    sku: z.object({ id: answerText, name: answerText }).nullable().openapi({ description: "Null: none was set" }),
    workOrder: z
      .object({ id: answerText, code: answerText, name: answerText })
      .nullable()
      .openapi({ description: "With the group `order`; null: not made for an order" }),
    operator: ref,
    generalCause: ref.openapi({
      description: "With the group `cause`; if `specificCause` is null too, the stops are not classified",
    }),
    specificCause: ref.openapi({ description: "With the group `cause`; null: only the general cause was given" }),
    defectReason: ref.openapi({ description: "With the group `defectReason`; null: no reason was given" }),
    ...figures.shape,
  })
  .openapi("SummaryRow");
