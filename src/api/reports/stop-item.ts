import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { namedRef, shiftRef, shiftRefOf } from "../../core/refs.ts";
import { toMinutes } from "../../oee/metrics.ts";
import { isoOf } from "../../oee/time.ts";
import type { ReportedStop } from "./queries.ts";

/** The classification of a stop, with causes of this schema. */
const classifiedWith = <T extends z.ZodType>(cause: T) =>
  z.object({
    description: answerText.nullable(),
    generalCause: cause.nullable(),
    specificCause: cause.nullable(),
    component: cause.nullable(),
    updatedAt: z.iso.datetime(),
    createdAt: z.iso.datetime(),
    id: z.int(),
  });

/** The classification of a stop in `/v1`, where the id of a cause is a number. */
export const classification = classifiedWith(namedRef);

/** The same in the report, whose contract has cause ids as strings. */
const reportedClassification = classifiedWith(z.object({ name: answerText, id: answerText }));

const stop = z.object({
  durationInMinutes: z.number().openapi({ description: "Minutes, two decimals; up to now while the stop is open" }),
  deletedAt: z.iso.datetime().nullable(),
  updatedAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  isManual: z.boolean(),
  isIncludedInStops: z.boolean(),
  isIncludedInAvailability: z.boolean(),
  isProgrammed: z.boolean(),
  endTime: z.iso.datetime().nullable().openapi({ description: "Of the part in this shift; null while it is open" }),
  startTime: z.iso.datetime().openapi({ description: "Of the part in this shift" }),
  name: answerText.openapi({
    description:
      "The name given by a person, else the name of the specific cause, the general cause or the planned break, else `Stop`",
  }),
  id: z.int(),
});

/** The part of a stop in one shift occurrence. */
export const stopItem = z.object({
  classification: reportedClassification.nullable().openapi({ description: "Null: not classified yet" }),
  company: namedRef,
  machine: namedRef,
  shift: shiftRef,
  stop,
});

/** The same in `/v1`, where it also has the length of the whole stop. */
export const stopRecordItem = stopItem.extend({
  classification: classification.nullable().openapi({ description: "Null: not classified yet" }),
  stop: stop.extend({
    elapsedMinutes: z.number().openapi({
      description:
        "Minutes from the start to the end of the whole stop, two decimals, in all shifts and outside of them. Up to now while it is open",
    }),
  }),
});

/** The report item of a row as of `now` (epoch ms). */
export function stopItemOf(row: ReportedStop, now: number): z.infer<typeof stopItem> {
  // In a shift that has ended, the part of an open stop has ended too.
  const endAt = row.sliceEnd ?? (row.shiftEnd <= now ? row.shiftEnd : null);
  return {
    classification: reportedClassificationOf(row),
    company: { name: row.companyName, id: row.companyId },
    machine: { name: row.machineName, id: row.machineId },
    shift: shiftRefOf(row, { start: row.shiftStart, end: row.shiftEnd }, now),
    stop: {
      durationInMinutes: toMinutes(Math.max(0, (endAt ?? now) - row.sliceStart)),
      deletedAt: isoOf(row.deletedAt),
      updatedAt: isoOf(row.updatedAt),
      createdAt: isoOf(row.createdAt),
      isManual: row.isManual,
      isIncludedInStops: row.isIncludedInStops,
      isIncludedInAvailability: row.isIncludedInAvailability,
      isProgrammed: row.isProgrammed,
      endTime: isoOf(endAt),
      startTime: isoOf(row.sliceStart),
      name: stopNameOf(row),
      id: row.id,
    },
  };
}

/** The item of a row in `/v1` as of `now` (epoch ms). */
export function stopRecordItemOf(row: ReportedStop, now: number): z.infer<typeof stopRecordItem> {
  const item = stopItemOf(row, now);
  const elapsedMinutes = toMinutes(Math.max(0, (row.endAt ?? now) - row.startAt));
  return { ...item, classification: classificationOf(row), stop: { ...item.stop, elapsedMinutes } };
}

type NamedCauses = Pick<ReportedStop, "generalCauseName" | "specificCauseName" | "componentName">;
type Classified = Pick<
  ReportedStop,
  | "classificationId"
  | "description"
  | "generalCauseId"
  | "specificCauseId"
  | "componentId"
  | "classifiedAt"
  | "reclassifiedAt"
  | "updatedAt"
>;

/** The name of a stop. */
export function stopNameOf(row: NamedCauses & Pick<ReportedStop, "name" | "breakName">): string {
  return row.name ?? row.specificCauseName ?? row.generalCauseName ?? row.breakName ?? "Stop";
}

/** The classification of a stop; null: none yet. */
export function classificationOf(row: NamedCauses & Classified): z.infer<typeof classification> | null {
  if (row.classificationId === null) return null;
  const createdAt = row.classifiedAt ?? row.updatedAt;
  return {
    description: row.description,
    generalCause: causeOf(row.generalCauseId, row.generalCauseName),
    specificCause: causeOf(row.specificCauseId, row.specificCauseName),
    component: causeOf(row.componentId, row.componentName),
    updatedAt: isoOf(row.reclassifiedAt ?? createdAt),
    createdAt: isoOf(createdAt),
    id: row.classificationId,
  };
}

function reportedClassificationOf(row: NamedCauses & Classified): z.infer<typeof reportedClassification> | null {
  const known = classificationOf(row);
  const withText = (cause: z.infer<typeof namedRef> | null) => cause && { ...cause, id: String(cause.id) };
  return (
    known && {
      ...known,
      generalCause: withText(known.generalCause),
      specificCause: withText(known.specificCause),
      component: withText(known.component),
    }
  );
}

function causeOf(id: number | null, name: string | null): z.infer<typeof namedRef> | null {
  return id === null || name === null ? null : { name, id };
}
