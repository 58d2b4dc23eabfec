// What numbers depend on, as forms: which members have a field, what is shown in it, and the value of what was typed.

import { clockFrom } from "./days.ts";
import { decimalsOf, faultOfNumber, numberFrom } from "./formats.ts";

/** What has members that numbers depend on, in a form that asks from when. */
export type SetUpKind = "machine" | "sensors" | "sku" | "shift" | "company" | "cause";

/** The pages of the set-up, in the order and the groups of its menu. */
export const setUpGroups = {
  check: ["check"],
  plant: ["machine", "lines", "sensors", "shift", "days", "company", "cause", "reasons", "sku", "people", "maps"],
  access: ["users", "roles", "tokens", "gateways"],
  messages: ["alerts", "personas", "rooms", "mails", "webhooks"],
  service: ["history", "imports", "file", "tags"],
} as const;
export type SetUpGroup = keyof typeof setUpGroups;
export type SetUpPart = (typeof setUpGroups)[SetUpGroup][number];
export const setUpParts: readonly SetUpPart[] = Object.values(setUpGroups).flat();

/** Members of an item, or of a request. */
export type Members = Record<string, unknown>;

/** What is typed into a field, by its kind. Numbers and times are texts until they are sent. */
export interface Typed {
  number: string;
  /** A number, or nothing. */
  optional: string;
  choice: string;
  zone: string;
  clock: string;
  flag: boolean;
  /** Null: as the cause above it. */
  inherited: boolean | null;
  days: readonly string[];
  breaks: readonly TypedBreak[];
  /** Null: every machine. */
  machines: readonly number[] | null;
  line: number | null;
  general: number | null;
  standards: readonly TypedStandard[];
  channels: readonly TypedChannel[];
  thresholds: TypedThresholds;
  /** Both empty: those of the company. */
  ownThresholds: TypedThresholds;
}
export type FieldKind = keyof Typed;

interface TypedThresholds {
  badBelow: string;
  goodFrom: string;
}

export interface TypedBreak {
  name: string;
  start: string;
  end: string;
  isIncludedInAvailability: boolean;
}

export interface TypedStandard {
  /** Null: any machine. */
  machineId: number | null;
  standardCycleSeconds: string;
}

export interface TypedChannel {
  type: string;
  nodeId: string;
  channel: string;
  countingFactor: string;
  wrapsAt: string;
}

export interface Field {
  name: string;
  kind: FieldKind;
  /** What may be chosen. */
  options?: readonly string[];
}

/** What is wrong with what was typed. `row`: in which line of a list, from 1. */
export interface TypedFault {
  why: "number" | "ambiguous" | "required" | "clock";
  row?: number;
}

const thresholds = ["oeeThresholds", "availabilityThresholds", "coverageThresholds"] as const;

/** The types of channels. */
export const channelTypes = ["cycle", "total", "good", "defect", "rework"] as const;

/** The fields of an item. */
export function fieldsOf(kind: SetUpKind, item: Members): Field[] {
  switch (kind) {
    case "machine":
      return [
        { name: "stopAfterSeconds", kind: "number" },
        { name: "noDataAfterSeconds", kind: "optional" },
        { name: "standardCycleSeconds", kind: "optional" },
        { name: "hourlyRate", kind: "optional" },
        { name: "lineId", kind: "line" },
        { name: "signal", kind: "choice", options: ["counts", "states"] },
        { name: "reportingSeconds", kind: "optional" },
        ...thresholds.map((name) => ({ name, kind: "ownThresholds" as const })),
      ];
    case "sensors":
      return [
        { name: "configs", kind: "channels" },
        { name: "isCountEnabled", kind: "flag" },
      ];
    case "sku":
      return [{ name: "standards", kind: "standards" }];
    case "shift":
      return [
        { name: "start", kind: "clock" },
        { name: "end", kind: "clock" },
        { name: "days", kind: "days" },
        { name: "breaks", kind: "breaks" },
        { name: "machineIds", kind: "machines" },
      ];
    case "company":
      return [
        { name: "timezone", kind: "zone" },
        { name: "productionDay", kind: "choice", options: ["shiftStart", "shiftEnd", "calendarDay"] },
        { name: "weekStart", kind: "choice", options: ["monday", "sunday"] },
        { name: "signOutAtShiftEnd", kind: "flag" },
        { name: "lockAfterDays", kind: "optional" },
        ...thresholds.map((name) => ({ name, kind: "thresholds" as const })),
      ];
    case "cause": {
      const flag = item.level === "specific" ? "inherited" : "flag";
      return [
        ...(item.level === "specific" ? [{ name: "parentId", kind: "general" } as const] : []),
        { name: "isProgrammed", kind: flag },
        { name: "isIncludedInAvailability", kind: flag },
      ];
    }
  }
}

/** The values of an item as a request names them: a cause is sent what is its own, not what it inherits. */
export function valuesOf(kind: SetUpKind, item: Members): Members {
  return kind === "cause" && item.level === "specific" ? { ...item, ...(item.ownFlags as Members) } : item;
}

/** Whether a kind takes changes of the past, and changes that are planned ahead. */
export function timesOf(kind: SetUpKind): { hasPast: boolean; hasFuture: boolean } {
  return { hasPast: kind !== "cause", hasFuture: kind !== "sensors" };
}

/** What a field shows of a value. */
export function typedOf<K extends FieldKind>(kind: K, value: unknown, locale: string): Typed[K] {
  const number = (one: unknown) => (typeof one === "number" ? numberText(one, locale) : "");
  const rows = (value ?? []) as readonly Members[];
  const limits = () => {
    const { badBelow, goodFrom } = (value ?? {}) as Members;
    return { badBelow: number(badBelow), goodFrom: number(goodFrom) };
  };
  const typed = {
    number: () => number(value),
    optional: () => number(value),
    thresholds: limits,
    ownThresholds: limits,
    standards: () => rows.map((one) => ({ ...one, standardCycleSeconds: number(one.standardCycleSeconds) })),
    channels: () =>
      rows.map((one) => ({
        ...{ type: one.type, nodeId: String(one.nodeId), channel: String(one.channel) },
        ...{ countingFactor: number(one.countingFactor), wrapsAt: number(one.wrapsAt) },
      })),
  } as Partial<Record<FieldKind, () => unknown>>;
  return (typed[kind]?.() ?? value) as Typed[K];
}

/** The value of what was typed into a field. */
function sentOf<K extends FieldKind>(kind: K, typed: Typed[K], locale: string): { value: unknown } | { fault: TypedFault } {
  const parse = parsers[kind] as (typed: Typed[K], locale: string) => unknown;
  try {
    return { value: parse(typed, locale) };
  } catch (error) {
    if (error instanceof WrongInput) return { fault: error.fault };
    throw error;
  }
}

/** The members that a person changed, and what is wrong with what was typed. Of count sensors all are sent: a request replaces them. */
export function changesOf(
  kind: SetUpKind,
  item: Members,
  draft: Members,
  locale: string,
): { members: Members; isChanged: boolean; faults: Map<string, TypedFault> } {
  const before = valuesOf(kind, item);
  const members: Members = {};
  const faults = new Map<string, TypedFault>();
  let isChanged = false;
  for (const { name, kind: of } of fieldsOf(kind, item)) {
    const found = sentOf(of, draft[name] as never, locale);
    if ("fault" in found) {
      faults.set(name, found.fault);
      continue;
    }
    // Compared as the form sends it: an item may have members that the form does not have.
    const isSame = JSON.stringify(found.value) === JSON.stringify(sentValue(of, before[name], locale));
    if (!isSame) isChanged = true;
    if (!isSame || kind === "sensors") members[name] = found.value;
  }
  return { members, isChanged, faults };
}

/**
 * A form whose item somebody else has changed: what was typed stays, and the other fields show what holds now.
 * @returns the draft, and the names of the fields with other values
 */
export function rebased(
  kind: SetUpKind,
  { before, now, draft, locale }: { before: Members; now: Members; draft: Members; locale: string },
): { draft: Members; changed: string[] } {
  const [old, present] = [valuesOf(kind, before), valuesOf(kind, now)];
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const changed = fieldsOf(kind, now).filter(({ name }) => !isSame(old[name], present[name]));
  const isTyped = ({ name, kind: of }: Field) => !isSame(draft[name], typedOf(of, old[name], locale));
  const shown = changed
    .filter((field) => !isTyped(field))
    .map(({ name, kind: of }) => [name, typedOf(of, present[name], locale)] as const);
  return { draft: { ...draft, ...Object.fromEntries(shown) }, changed: changed.map(({ name }) => name) };
}

/** A number with all of its decimals, in the notation of a locale. */
function numberText(value: number, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: decimalsOf(value), useGrouping: false }).format(value);
}

/** A value as the form would send it, if it was not touched. */
function sentValue(kind: FieldKind, value: unknown, locale: string): unknown {
  const found = sentOf(kind, typedOf(kind, value, locale) as never, locale);
  return "value" in found ? found.value : value;
}

class WrongInput extends Error {
  readonly fault: TypedFault;
  constructor(fault: TypedFault) {
    super(fault.why);
    this.fault = fault;
  }
}

function numberIn(text: string, locale: string, row?: number): number {
  const found = numberFrom(text, locale);
  if (typeof found === "object") return found.value;
  throw new WrongInput({ why: faultOfNumber(found), ...(row !== undefined && { row }) });
}

function thresholdsIn({ badBelow, goodFrom }: TypedThresholds, locale: string) {
  return { badBelow: numberIn(badBelow, locale), goodFrom: numberIn(goodFrom, locale) };
}

function clockIn(text: string, row?: number): string {
  const found = clockFrom(text);
  if (found === null) throw new WrongInput({ why: "clock", ...(row !== undefined && { row }) });
  return found.slice(0, "HH:mm".length);
}

const asIs = (typed: unknown) => typed;

const parsers: { [K in FieldKind]: (typed: Typed[K], locale: string) => unknown } = {
  number: (typed, locale) => numberIn(typed, locale),
  optional: (typed, locale) => (typed.trim() === "" ? null : numberIn(typed, locale)),
  choice: asIs,
  flag: asIs,
  inherited: asIs,
  days: asIs,
  machines: asIs,
  line: asIs,
  general: asIs,
  zone: (typed) => typed.trim().replace(/ /g, "_"),
  clock: (typed) => clockIn(typed),
  thresholds: thresholdsIn,
  ownThresholds: (typed, locale) =>
    typed.badBelow.trim() === "" && typed.goodFrom.trim() === "" ? null : thresholdsIn(typed, locale),
  breaks: (typed) =>
    typed.map((one, i) => {
      if (one.name.trim() === "") throw new WrongInput({ why: "required", row: i + 1 });
      const { isIncludedInAvailability } = one;
      return { name: one.name.trim(), start: clockIn(one.start, i + 1), end: clockIn(one.end, i + 1), isIncludedInAvailability };
    }),
  standards: (typed, locale) =>
    typed.map(({ machineId, standardCycleSeconds }, i) => ({
      ...{ machineId, standardCycleSeconds: numberIn(standardCycleSeconds, locale, i + 1) },
    })),
  channels: (typed, locale) =>
    typed.map(({ type, nodeId, channel, countingFactor, wrapsAt }, i) => ({
      ...{ type, nodeId: numberIn(nodeId, locale, i + 1), channel: numberIn(channel, locale, i + 1) },
      countingFactor: numberIn(countingFactor, locale, i + 1),
      wrapsAt: wrapsAt.trim() === "" ? null : numberIn(wrapsAt, locale, i + 1),
    })),
};

/** Those members of a request that are different from before. */
export function changedOf(before: Members, after: Members): Members {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}
