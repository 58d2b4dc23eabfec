import { type Interval, isDay, type Span, spans } from "./days.ts";
import { type LossMetric, lossMetrics } from "./pareto.ts";
import { type SetUpPart, setUpParts } from "./set-up.ts";
import { iso } from "./time.ts";
import { type WaterfallKey, waterfallKeys } from "./waterfall.ts";

// The whole state of the desk is in its address, so that a link opens the same view.

export const tabs = [
  "brief",
  "day",
  "shift",
  "handover",
  "losses",
  "actions",
  "hours",
  "trend",
  "compare",
  "orders",
  "people",
  "incidents",
  "changes",
  "dashboards",
  "setup",
] as const;
export type Tab = (typeof tabs)[number];

export const changesParts = ["all", "corrections", "withdrawals", "books"] as const;
type ChangesPart = (typeof changesParts)[number];

export const trendSteps = ["day", "week"] as const;
type TrendStep = (typeof trendSteps)[number];

/** The second side of a comparison. Null: the same as on the first one, and if nothing else differs, the time before. */
export interface Against {
  day: string | null;
  /** All machines, those of a line, or one. */
  place: "all" | `line-${number}` | `machine-${number}` | null;
  skuId: string | null;
  operatorId: number | null;
}

export interface DeskState {
  tab: Tab;
  /** Null: today. */
  day: string | null;
  /** One machine, or those of one line; null: all. */
  machineId: number | null;
  lineId: number | null;
  /** What is compared: what was made of a SKU, and shifts of an operator; null: all. */
  skuId: string | null;
  operatorId: number | null;
  against: Against;
  /** The span of losses, people, incidents and what is compared. */
  span: Span;
  metric: LossMetric;
  /** The cause whose longest stops are listed, as the key of a loss; null: the largest one. */
  cause: string | null;
  step: TrendStep;
  stopId: number | null;
  incidentId: string | null;
  /** The recalculation that is open. */
  recalculationId: number | null;
  /** The part of the changes that is shown. */
  part: ChangesPart;
  /** The kind of set-up that is shown, and the item (null: the first one), or the open dashboard (null: their list). */
  kind: SetUpPart;
  itemId: string | null;
  /** The zoomed part of the day; null: all of it. */
  window: Interval | null;
  /** The start of the shift; null: the newest one of the day. */
  shiftStart: number | null;
  /** The shift whose hand-over is shown, by its id; null: the running or the last one. */
  handOverShift: number | null;
  /** The bar whose explanation is open. */
  bar: WaterfallKey | null;
  /** Whether what changed of the shift since it was closed is open. */
  showsRevisions: boolean;
  /** The action that is open, whose actions are listed (null: everybody's), and whether only overdue ones are. */
  actionId: number | null;
  ownerId: number | null;
  isOverdue: boolean;
  /** Whether orders include completed and cancelled ones. */
  isAll: boolean;
  asTable: boolean;
}

/** Reads the state from an address. Invalid values are ignored. */
export function stateOf(path: readonly string[], query: URLSearchParams): DeskState {
  const start = timeIn(query.get("from"));
  const end = timeIn(query.get("to"));
  const day = query.get("day");
  return {
    tab: oneOf(tabs, path[0]) ?? "brief",
    day: isDay(day) ? day : null,
    machineId: idIn(query.get("machine")),
    lineId: idIn(query.get("line")),
    skuId: query.get("sku") || null,
    operatorId: idIn(query.get("operator")),
    against: {
      day: isDay(query.get("vsDay")) ? query.get("vsDay") : null,
      place: placeIn(query.get("vs")),
      skuId: query.get("vsSku") || null,
      operatorId: idIn(query.get("vsOperator")),
    },
    span: oneOf(spans, query.get("span")) ?? "day",
    metric: oneOf(lossMetrics, query.get("metric")) ?? "minutes",
    cause: query.get("cause")?.match(/^\d*\/\d*$/)?.[0] ?? null,
    step: oneOf(trendSteps, query.get("step")) ?? "day",
    stopId: idIn(query.get("stop")),
    incidentId: (path[0] === "incidents" && path[1]) || null,
    recalculationId: idIn(query.get("recalculation")),
    part: oneOf(changesParts, query.get("part")) ?? "all",
    kind: oneOf(setUpParts, query.get("kind")) ?? "machine",
    itemId: query.get("item"),
    window: start !== null && end !== null && start < end ? { start, end } : null,
    shiftStart: timeIn(query.get("shift")),
    handOverShift: path[0] === "handover" ? idIn(query.get("shift")) : null,
    bar: oneOf(waterfallKeys, query.get("bar")),
    showsRevisions: query.get("revisions") === "1",
    actionId: idIn(query.get("action")),
    ownerId: idIn(query.get("owner")),
    isOverdue: query.get("overdue") === "1",
    isAll: query.get("all") === "1",
    asTable: query.get("table") === "1",
  };
}

/** Whether an address names an existing tab, or none. The tab of incidents may be followed by an incident. */
export function isTab(path: readonly string[]): boolean {
  const [tab, ...more] = path;
  return tab === undefined || (oneOf(tabs, tab) !== null && more.length <= (tab === "incidents" ? 1 : 0));
}

/** The address of a state. Default values are left out. */
export function hrefOf(state: DeskState): string {
  const query = new URLSearchParams();
  const say: Say = (name, value, usual = null) => {
    if (value !== null && value !== usual) query.set(name, String(value));
  };
  say("day", state.day);
  say("machine", state.machineId);
  if (state.machineId === null) say("line", state.lineId);
  const { tab } = state;
  if (hasSpan(tab)) say("span", state.span, "day");
  sayOfTab(state, say);
  if (state.asTable) say("table", 1);
  const text = query.toString().replace(/%3A/g, ":").replace(/%2F/g, "/");
  const incident = tab === "incidents" && state.incidentId !== null ? `/${encodeURIComponent(state.incidentId)}` : "";
  return `/desk/${tab}${incident}${text && `?${text}`}`;
}

type Say = (name: string, value: string | number | null, usual?: string | null) => void;

/** What only some tabs have. */
function sayOfTab(state: DeskState, say: Say): void {
  const { tab, window } = state;
  if (tab === "losses") {
    say("metric", state.metric, "minutes");
    say("cause", state.cause);
  }
  if (tab === "actions") {
    say("action", state.actionId);
    say("owner", state.ownerId);
    if (state.isOverdue) say("overdue", 1);
  }
  if (tab === "compare") sayCompared(state, say);
  if (tab === "trend") say("step", state.step, "day");
  if (tab === "day") {
    say("stop", state.stopId);
    say("from", window && isoOf(window.start));
    say("to", window && isoOf(window.end));
  }
  sayShift(state, say);
  if (tab === "orders" && state.isAll) say("all", 1);
  if (tab === "changes") {
    say("part", state.part, "all");
    say("recalculation", state.recalculationId);
  }
  if (tab === "setup") say("kind", state.kind, "machine");
  if (tab === "setup" || tab === "dashboards") say("item", state.itemId);
}

function sayCompared(
  { skuId, operatorId, against }: DeskState,
  say: (name: string, value: string | number | null) => void,
): void {
  say("sku", skuId);
  say("operator", operatorId);
  say("vsDay", against.day);
  say("vs", against.place);
  say("vsSku", against.skuId);
  say("vsOperator", against.operatorId);
}

function sayShift(state: DeskState, say: (name: string, value: string | number | null) => void): void {
  if (state.tab === "handover") say("shift", state.handOverShift);
  if (state.tab !== "shift") return;
  say("shift", state.shiftStart === null ? null : isoOf(state.shiftStart));
  say("bar", state.bar);
  if (state.showsRevisions) say("revisions", 1);
}

/** Whether a tab shows a span of days instead of a single day. */
export function hasSpan(tab: Tab): boolean {
  return tab === "losses" || tab === "people" || tab === "incidents" || tab === "compare";
}

/** Whether a tab shows a day or a span of days, and some machines. */
export function hasDay(tab: Tab): boolean {
  return !["orders", "actions", "changes", "dashboards", "setup"].includes(tab);
}

/** Whether the header names a tab. The dashboards are in the menu: the header is full. */
export function isInHeader(tab: Tab): boolean {
  return tab !== "dashboards";
}

/** Whether a tab shows some machines. */
export function hasMachines(tab: Tab): boolean {
  return hasDay(tab) || tab === "actions";
}

function isoOf(at: number): string {
  return iso(at).replace(".000Z", "Z");
}

function timeIn(text: string | null): number | null {
  const at = text === null || !/^\d{4}-\d\d-\d\dT/.test(text) ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

function idIn(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null;
}

function placeIn(text: string | null): Against["place"] {
  return text !== null && /^(all|(line|machine)-[1-9]\d{0,15})$/.test(text) ? (text as Against["place"]) : null;
}

function oneOf<T extends string>(all: readonly T[], text: string | null | undefined): T | null {
  return all.find((one) => one === text) ?? null;
}
