import { createHash } from "node:crypto";
import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { namedRef } from "../../core/refs.ts";
import { maxOf } from "../../oee/extremes.ts";
import { toMinutes } from "../../oee/metrics.ts";
import { isoOf } from "../../oee/time.ts";
import { classification, classificationOf, stopNameOf } from "../reports/stop-item.ts";
import type { StopRow } from "./queries.ts";

const timestamp = z.iso.datetime();

/** A whole stop, across all shifts that it touches. */
export const stop = z
  .object({
    id: z.int(),
    machine: namedRef,
    startTime: timestamp,
    endTime: timestamp.nullable().openapi({ description: "Null while the stop is open" }),
    durationInMinutes: z.number().openapi({
      description: "Scheduled minutes, two decimals: time outside shifts does not count. Up to now while the stop is open",
    }),
    elapsedMinutes: z.number().openapi({
      description:
        "Minutes from the start to the end, two decimals, including time outside shifts. Up to now while the stop is open",
    }),
    isOpen: z.boolean().openapi({ description: "Whether the stop is going on" }),
    isManual: z.boolean().openapi({ description: "Whether a person recorded it" }),
    isProgrammed: z.boolean(),
    isIncludedInStops: z.boolean(),
    isIncludedInAvailability: z.boolean(),
    name: answerText.openapi({
      description:
        "The name that a person gave, otherwise that of the cause, otherwise that of the planned break, otherwise Stop",
    }),
    classification: classification.nullable().openapi({ description: "Null: not classified yet" }),
    version: z.int().openapi({ description: "The number of changes made by people. Send it in quotes as If-Match" }),
    createdAt: timestamp,
    updatedAt: timestamp,
    deletedAt: timestamp.nullable(),
  })
  .openapi("Stop");

const slice = z.object({
  shiftId: z.int(),
  shiftStart: timestamp,
  startTime: timestamp,
  endTime: timestamp.nullable().openapi({ description: "Null while the stop is open" }),
});

/** A stop with its slice in each shift. */
export const slicedStop = stop
  .extend({ slices: z.array(slice).openapi({ description: "Its part in each shift that it touches, in order" }) })
  .openapi("SlicedStop");

export type SlicedStop = z.infer<typeof slicedStop>;

/** Headers of a response with one stop. */
export const etagHeader = z.object({
  etag: answerText.openapi({ description: "For If-Match and If-None-Match", example: '"3-1f0c"' }),
});

/**
 * Returns the response item of a stop from the row of any of its slices, as of `now` (epoch ms).
 * @param scheduledMs the sum of the lengths of all its slices
 */
export function stopOf(row: StopRow, scheduledMs: number, now: number): z.infer<typeof stop> {
  return {
    id: row.id,
    machine: { name: row.machineName, id: row.machineId },
    startTime: isoOf(row.startAt),
    endTime: isoOf(row.endAt),
    durationInMinutes: toMinutes(scheduledMs),
    elapsedMinutes: toMinutes(Math.max(0, (row.endAt ?? now) - row.startAt)),
    isOpen: row.endAt === null && row.deletedAt === null,
    isManual: row.isManual,
    isProgrammed: row.isProgrammed,
    isIncludedInStops: row.isIncludedInStops,
    isIncludedInAvailability: row.isIncludedInAvailability,
    name: stopNameOf(row),
    classification: classificationOf(row),
    version: row.version,
    createdAt: isoOf(row.createdAt),
    updatedAt: isoOf(row.updatedAt),
    deletedAt: isoOf(row.deletedAt),
  };
}

/** Returns the response item of a stop from its rows, one per shift, in order; undefined if there are none. */
export function slicedStopOf(rows: readonly StopRow[], now: number): SlicedStop | undefined {
  const [first] = rows;
  if (!first) return undefined;
  let scheduledMs = 0;
  const slices = rows.map((row) => {
    // A row that is still open ends with its shift.
    const endAt = row.sliceEnd ?? (row.shiftEnd <= now ? row.shiftEnd : null);
    scheduledMs += Math.max(0, (endAt ?? now) - row.sliceStart);
    return {
      shiftId: row.shiftId,
      shiftStart: isoOf(row.shiftStart),
      startTime: isoOf(row.sliceStart),
      endTime: isoOf(endAt),
    };
  });
  const updatedAt = isoOf(maxOf(rows.map((row) => row.updatedAt)));
  return { ...stopOf(first, scheduledMs, now), updatedAt, slices };
}

/** The ETag of a stop: its version, for If-Match, and a hash of all members, for If-None-Match. */
export function etagOf(shown: SlicedStop): string {
  const hash = createHash("sha256").update(JSON.stringify(shown)).digest("hex");
  return `"${shown.version}-${hash.slice(0, 12)}"`;
}
