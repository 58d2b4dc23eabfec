import { z } from "@hono/zod-openapi";
import type { ReportMail } from "../../channels/report-mail.ts";
import { answerText } from "../../core/answer-text.ts";
import { CsvWriter } from "../../core/csv.ts";
import { toMinutes } from "../../oee/metrics.ts";
import { isoOf } from "../../oee/time.ts";
import { figures, row } from "../reports/summary/row.ts";
import type { Report } from "./gather.ts";

const named = z.object({ id: z.int(), name: answerText });
const summaryRow = row.pick({ machine: true, line: true }).extend(figures.shape);
const stopRow = z.object({
  id: z.int(),
  machine: named,
  line: named.nullable(),
  shift: named,
  name: answerText,
  generalCause: named.nullable(),
  specificCause: named.nullable(),
  isProgrammed: z.boolean(),
  isIncludedInAvailability: z.boolean(),
  startTime: z.iso.datetime(),
  endTime: z.iso.datetime(),
  durationInMinutes: z.number(),
  cost: z.number().nullable(),
});

/** The maximum number of stops in the attached file, costliest first. The mail says if there are more. */
export const MOST_STOPS = 10_000;

/**
 * The files of a report: the figures of each machine, and its stops, costliest first. Columns are named as in the API, times are in the plant's
 * time zone, and Spanish files have a decimal comma, as Excel expects there.
 */
export function renderCsv(
  { scope, machines, stops }: Report,
  names: { summary: string; stops: string },
): ReportMail["attachments"] {
  const style = { timezone: scope.timezone, decimal: scope.language === "es" ? "," : "." } as const;
  const day = new CsvWriter(z.object({ at: z.iso.datetime() }), { timezone: scope.timezone, decimal: "." })
    .lines([{ at: isoOf(scope.period.start) }])
    .slice(0, 10);
  const summary = machines.map(({ machine, line, figures }) => ({ machine, line, ...figures }));
  const listed = stops.slice(0, MOST_STOPS).map(({ start, end, durationMs, cost, isDowntime, ...stop }) => ({
    ...stop,
    isIncludedInAvailability: isDowntime,
    startTime: isoOf(start),
    endTime: isoOf(end),
    durationInMinutes: toMinutes(durationMs),
    cost: cost === null ? null : Math.round(cost * 100) / 100,
  }));
  const file = (name: string, schema: z.ZodType, items: readonly unknown[]) => {
    const writer = new CsvWriter(schema, style);
    return { name: `${name}-${day}.csv`, type: "text/csv; charset=utf-8", content: writer.head() + writer.lines(items) };
  };
  return [file(names.summary, summaryRow, summary), file(names.stops, stopRow, listed)];
}
