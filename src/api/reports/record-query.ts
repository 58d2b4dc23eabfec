import { z } from "@hono/zod-openapi";
import { keyText, paged } from "../../core/cursor.ts";
import type { FaultCode } from "../../core/fault-codes.ts";
import {
  brokenRule,
  companyQuery,
  flagText,
  idParameter,
  idShape,
  instant,
  listText,
  machineMembers,
  rangeRule,
  text,
} from "../../core/inputs.ts";
import { asOfMember } from "./as-of.ts";
import { isTooLong, MAX_DAYS } from "./summary/range.ts";

/** The minutes of a shift's indicators by which shift records can be sorted. */
const minutes = [
  "availableTime",
  "unavailableTime",
  "programmedDowntime",
  "nonProgrammedDowntime",
  "otherStopsTime",
  "noDataTime",
  "lateStartTime",
  "earlyStopTime",
  "annotatedDowntime",
] as const;
const shiftSorts = ["start", "oee", "availability", ...minutes] as const;
export type ShiftSort = (typeof shiftSorts)[number];
const stopSorts = ["start", "duration"] as const;
export type StopSort = (typeof stopSorts)[number];

const sortDescription =
  "Ascending; with `-` in front descending. Sorting by anything but `start` takes `from` and `to`, at most " +
  `${MAX_DAYS} days apart, and 50,000 rows between them.`;

function sortOf<S extends string>(names: readonly S[]) {
  const all = names.flatMap((name) => [name, `-${name}`] as const);
  return z
    .enum(all as [S | `-${S}`, ...(S | `-${S}`)[]])
    .default("-start" as never)
    .openapi({ description: sortDescription });
}

/** What a cursor says of its list. */
export function listKey(sort: string, asOf: number | undefined): string {
  return asOf === undefined ? sort : `${sort} as of ${asOf}`;
}

/** The key and direction in a value of `sort`. */
export function orderOf<S extends string>(sort: S | `-${S}`): { by: S; isDescending: boolean } {
  return { by: sort.replace(/^-/, "") as S, isDescending: sort.startsWith("-") };
}

const ids = listText(idParameter, idShape).optional();
const texts = listText(text(100), { type: "string", maxLength: 100 }).optional();

/** The filters that all reports of a company share. */
const plantQuery = {
  companyId: companyQuery,
  ...machineMembers,
  lineIds: ids.openapi({ description: "Only shifts whose machine was in one of these lines when they began" }),
  shiftIds: ids,
  from: instant.optional().openapi({
    description:
      "Shifts that start at or after this; if it is a local midnight, those that count for this production day or a later one",
  }),
  to: instant.optional().openapi({
    description: "Shifts that start before this; if it is a local midnight, those that count for an earlier production day",
  }),
};

// A cursor contains the list's sort, the instant that all pages are as of, and the sort keys of the page's last row.
const shiftKeys = z.tuple([keyText, z.int(), z.int(), z.int()]);
const stopKeys = z.union([shiftKeys, z.tuple([keyText, z.int(), z.int(), z.int(), z.int()])]);

/** The query parameters of the list of shift records. */
export const shiftRecordQuery = paged(shiftKeys).extend({
  ...plantQuery,
  skuIds: texts.openapi({ description: "Shifts in which one of these was in work" }),
  workOrderIds: texts.openapi({ description: "Shifts in which one of these was in work" }),
  operatorIds: ids.openapi({ description: "Shifts in which one of these operators worked" }),
  isActive: flagText.optional().openapi({ description: "Whether the shift is running now" }),
  asOf: asOfMember,
  sort: sortOf(shiftSorts),
});
export type ShiftRecordQuery = z.infer<typeof shiftRecordQuery>;

const flag = flagText.optional();

/** The query parameters of the list of stop records. */
export const stopRecordQuery = paged(stopKeys).extend({
  ...plantQuery,
  isProgrammed: flag,
  isManual: flag,
  isIncludedInStops: flag,
  isIncludedInAvailability: flag,
  isClassified: flag.openapi({ description: "Whether the stop has a cause, a component or a description" }),
  isOpen: flag.openapi({ description: "Whether the stop is still open" }),
  minDurationInMinutes: z.coerce
    .number()
    .min(0)
    .optional()
    .openapi({ type: "number", minimum: 0, description: "Of the part of the stop in the shift" }),
  generalCauseIds: ids,
  specificCauseIds: ids,
  hasGeneralCause: flag.openapi({ description: "Whether the stop has a general cause" }),
  hasSpecificCause: flag.openapi({ description: "Whether the stop has a specific cause" }),
  componentIds: ids,
  includeDeleted: flagText.default(false),
  sort: sortOf(stopSorts),
});
export type StopRecordQuery = z.infer<typeof stopRecordQuery>;

type Listed = Pick<ShiftRecordQuery, "from" | "to"> & {
  asOf?: number | undefined;
  sort: string;
  cursor?: readonly [string, ...number[]] | undefined;
};

/** The `superRefine` check of these queries. */
export function listRules(query: Listed, c: z.RefinementCtx): void {
  const { from, to, sort, cursor, asOf } = query;
  const refuse = (code: FaultCode, member: string, message: string) => c.addIssue(brokenRule(code, [member], message));
  rangeRule(query, c);
  if (cursor && cursor[0] !== listKey(sort, asOf)) refuse("custom", "cursor", "belongs to a list with another `sort` or `asOf`");
  const { by } = orderOf(sort);
  if (by === "start") return;
  if (from === undefined) refuse("required", "from", `is required to sort by \`${by}\``);
  if (to === undefined) refuse("required", "to", `is required to sort by \`${by}\``);
  if (from !== undefined && to !== undefined && isTooLong({ start: from, end: to })) {
    refuse("range_too_long", "to", `must be at most ${MAX_DAYS} days after \`from\` to sort by \`${by}\``);
  }
}
