import { createHash } from "node:crypto";
import { z } from "@hono/zod-openapi";
import { toMinutes } from "../../oee/metrics.ts";
import { isoOf } from "../../oee/time.ts";
import { namedRef } from "../reports/report.ts";
import { classification, classificationOf, stopNameOf } from "../reports/stop-item.ts";
import type { StopRow } from "./queries.ts";

const timestamp = z.iso.datetime();

/** A stop, whole: over all shifts that it touches. */
export const stop = z
  .object({
    id: z.int(),
    machine: namedRef,
    startTime: timestamp,
    endTime: timestamp.nullable().openapi({ description: "Null while it lasts" }),
    durationInMinutes: z.number().openapi({ description: "Minutes, two decimals, outside shifts too: up to now while it lasts" }),
    isOpen: z.boolean().openapi({ description: "Whether it lasts at the moment" }),
    isManual: z.boolean().openapi({ description: "Whether a person recorded it" }),
    isProgrammed: z.boolean(),
    isIncludedInStops: z.boolean(),
    isIncludedInAvailability: z.boolean(),
    name: z.string().openapi({ description: "A person's, else the cause's, else the planned break's, else Stop" }),
    classification: classification.nullable().openapi({ description: "Null: nobody said yet why" }),
    version: z.int().openapi({ description: "Counts the changes that people made; what If-Match takes, in quotes" }),
    createdAt: timestamp,
    updatedAt: timestamp,
    deletedAt: timestamp.nullable(),
  })
  .openapi("Stop");

const slice = z.object({
  shiftId: z.int(),
  shiftStart: timestamp,
  startTime: timestamp,
  endTime: timestamp.nullable().openapi({ description: "Null while it lasts" }),
});

/** A stop with its parts in shifts. */
export const slicedStop = stop
  .extend({ slices: z.array(slice).openapi({ description: "Its part in each shift that it touches, in order" }) })
  .openapi("SlicedStop");

export type SlicedStop = z.infer<typeof slicedStop>;

/** Headers of an answer that shows one stop. */
export const etagHeader = z.object({
  etag: z.string().openapi({ description: "What If-Match and If-None-Match take", example: '"3-1f0c"' }),
});

/** The stop that a row (of any of its slices) tells of, as of `now` (epoch ms). */
export function stopOf(row: StopRow, now: number): z.infer<typeof stop> {
  return {
    id: row.id,
    machine: { name: row.machineName, id: row.machineId },
    startTime: isoOf(row.startAt),
    endTime: isoOf(row.endAt),
    durationInMinutes: toMinutes(Math.max(0, (row.endAt ?? now) - row.startAt)),
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

/** The stop of these rows, one per shift, in order; undefined without any. */
export function slicedStopOf(rows: readonly StopRow[], now: number): SlicedStop | undefined {
  const [first] = rows;
  if (!first) return undefined;
  const slices = rows.map((row) => {
    // A row that nobody closed yet: the part in a shift that has ended is over all the same.
    const endAt = row.sliceEnd ?? (row.shiftEnd <= now ? row.shiftEnd : null);
    return {
      shiftId: row.shiftId,
      shiftStart: isoOf(row.shiftStart),
      startTime: isoOf(row.sliceStart),
      endTime: isoOf(endAt),
    };
  });
  const updatedAt = isoOf(Math.max(...rows.map((row) => row.updatedAt)));
  return { ...stopOf(first, now), updatedAt, slices };
}

/** The ETag of a stop as it is shown: its version, which If-Match goes by, and what else may have changed since. */
export function etagOf(shown: SlicedStop): string {
  const hash = createHash("sha256").update(JSON.stringify(shown)).digest("hex");
  return `"${shown.version}-${hash.slice(0, 12)}"`;
}
