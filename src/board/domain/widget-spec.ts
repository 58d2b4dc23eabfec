// What the board draws of a widget's `spec`: docs/dashboards.md. Specs are free for other clients, so what is not exactly one of these is theirs.

export const widgetKinds = ["number", "trend", "pareto", "timeline", "table"] as const;
type WidgetKind = (typeof widgetKinds)[number];

export const figures = ["oee", "availability", "effectiveness", "quality", "correct", "defects", "downtime"] as const;
export type Figure = (typeof figures)[number];

export const paretoMetrics = ["minutes", "count"] as const;
type ParetoMetric = (typeof paretoMetrics)[number];

/** The machines, or those of lines; neither: all. */
interface Where {
  machineIds?: number[];
  lineIds?: number[];
}

export type WidgetSpec = Where &
  (
    | { kind: "number"; metric: Figure; days: number }
    | { kind: "trend"; metric: Figure; days: number }
    | { kind: "pareto"; metric: ParetoMetric; days: number }
    | { kind: "table"; days: number }
    | { kind: "timeline" }
  );

/** The most days that a widget sums up, and the most machines or lines that it names. */
const MOST_DAYS = 92;
const MOST_NAMED = 100;

/** The days of a spec that names none. */
const usualDays = { number: 1, trend: 30, pareto: 7, table: 1 } as const;

/** The members that a spec of a kind may have. */
const membersOf: Record<WidgetKind, readonly string[]> = {
  number: ["metric", "days"],
  trend: ["metric", "days"],
  pareto: ["metric", "days"],
  table: ["days"],
  timeline: [],
};

type Members = Readonly<Record<string, unknown>>;

/** The spec of a widget, with what its place on a dashboard overrides; null: it is drawn by another client. */
export function specOf(spec: Members, override: Members = {}): WidgetSpec | null {
  const { kind, metric, days, machineIds, lineIds, ...rest } = { ...spec, ...override };
  if (Object.keys(rest).length > 0 || !isOneOf(widgetKinds, kind)) return null;
  const allowed = membersOf[kind];
  if ((metric !== undefined && !allowed.includes("metric")) || (days !== undefined && !allowed.includes("days"))) return null;
  const where = whereOf(machineIds, lineIds);
  if (where === null) return null;
  if (kind === "timeline") return { kind, ...where };
  const length = days === undefined ? usualDays[kind] : days;
  if (!isWhole(length, 1, MOST_DAYS)) return null;
  if (kind === "table") return { kind, days: length, ...where };
  if (kind === "pareto") {
    const by = metric === undefined ? "minutes" : metric;
    return isOneOf(paretoMetrics, by) ? { kind, metric: by, days: length, ...where } : null;
  }
  const figure = metric === undefined ? "oee" : metric;
  return isOneOf(figures, figure) ? { kind, metric: figure, days: length, ...where } : null;
}

function whereOf(machineIds: unknown, lineIds: unknown): Where | null {
  if (machineIds !== undefined && lineIds !== undefined) return null;
  if (machineIds !== undefined) return areIds(machineIds) ? { machineIds } : null;
  if (lineIds !== undefined) return areIds(lineIds) ? { lineIds } : null;
  return {};
}

function areIds(ids: unknown): ids is number[] {
  const isList = Array.isArray(ids) && ids.length > 0 && ids.length <= MOST_NAMED;
  return isList && ids.every((id) => isWhole(id, 1, Number.MAX_SAFE_INTEGER));
}

function isOneOf<T extends string>(values: readonly T[], value: unknown): value is T {
  return (values as readonly unknown[]).includes(value);
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

/** The most columns of a dashboard, and the most widgets on it. */
export const MOST_COLUMNS = 4;
export const MOST_WIDGETS = 200;

/** The columns of a dashboard, by its spec: 2 if that does not say. */
export function columnsOf({ columns }: Members): number {
  return isWhole(columns, 1, MOST_COLUMNS) ? columns : 2;
}

/** A widget on a dashboard, as far as its place matters. */
interface Placed {
  visualConfig: Members;
}

/**
 * The widgets of a dashboard in the order in which they are shown, from left to right and top to bottom, each with how many columns it takes.
 * Those without a place (`x`, `y`) come last, in their own order, so that no two are on top of each other.
 */
export function placesOf<T extends Placed>(instances: readonly T[], columns: number): { instance: T; width: number }[] {
  const place = ({ visualConfig: { x, y } }: T) =>
    isWhole(x, 0, MOST_COLUMNS - 1) && isWhole(y, 0, 10_000) ? y * MOST_COLUMNS + x : Number.POSITIVE_INFINITY;
  const width = ({ visualConfig: { w } }: T) => (isWhole(w, 1, MOST_COLUMNS) ? Math.min(w, columns) : 1);
  return instances
    .map((instance, i) => ({ instance, i, at: place(instance) }))
    .sort((a, b) => (a.at === b.at ? a.i - b.i : a.at - b.at))
    .map(({ instance }) => ({ instance, width: width(instance) }));
}

/** The places of widgets in this order: from left to right, and in the next row where one does not fit beside the last one. */
export function placesInOrder(widths: readonly number[], columns: number): { x: number; y: number; w: number }[] {
  let next = { x: 0, y: 0 };
  return widths.map((width) => {
    const w = Math.max(1, Math.min(width, columns));
    const { x, y } = next.x + w > columns ? { x: 0, y: next.y + 1 } : next;
    next = { x: x + w, y };
    return { x, y, w };
  });
}
