import { dashboards, favorites, widgetInstances, widgets } from "../../src/db/schema.ts";
import { DAY_MS } from "../../src/oee/time.ts";
import { insertSql } from "../sql.ts";
import { accounts } from "./plant.ts";

const companyId = 1;

/** The SQL of the system's and the demo plant's widgets and dashboards, as of its first start (epoch ms). Requires its accounts' SQL. */
export function widgetSql(createdAt: number): string {
  const stamps = { createdAt, updatedAt: createdAt };
  const instances = boards.flatMap((board) =>
    board.widgets.map((widget, i) => ({ dashboardId: board.id, widgetId: widget, place: i })),
  );
  return [
    insertSql(
      widgets,
      kinds.map(({ id, owner, title, description, spec, labels }) => ({
        id,
        companyId: owner,
        title,
        description,
        spec,
        labels,
        ...stamps,
      })),
    ),
    insertSql(
      dashboards,
      boards.map(({ id, owner, title, description, isArchived }) => ({
        id,
        companyId: owner,
        title,
        description,
        spec: { columns: 2 },
        archivedAt: isArchived ? createdAt - DAY_MS : null,
        createdAt: isArchived ? createdAt - 30 * DAY_MS : createdAt,
        updatedAt: isArchived ? createdAt - DAY_MS : createdAt,
      })),
    ),
    insertSql(
      widgetInstances,
      instances.map(({ place, ...ids }, i) => ({
        id: `demo-instance-${i + 1}`,
        ...ids,
        specOverride: {},
        visualConfig: { x: place % 2, y: Math.floor(place / 2), w: wide.includes(ids.widgetId) ? 2 : 1 },
        ...stamps,
      })),
    ),
    insertSql(
      favorites,
      accounts
        .filter((account) => account.companyId === companyId)
        .flatMap(({ id }) => ["demo-widget-losses", "demo-board-plant"].map((favoriteId) => ({ userId: id, favoriteId }))),
    ),
  ].join("");
}

/** Those that take the width of a dashboard. */
const wide = ["demo-widget-states", "demo-widget-machines"];

const kinds = [
  {
    id: "demo-widget-stops",
    owner: null,
    title: { en: "Stops per day", es: "Paradas por día" },
    description: { en: "How often the machines stood", es: "Cuántas veces pararon las máquinas" },
    spec: { chart: "bar", metrics: ["stop_count"], interval: "day" },
    labels: "stops",
  },
  {
    id: "demo-widget-downtime",
    owner: null,
    title: { en: "Downtime by cause", es: "Tiempo parado por causa" },
    description: { en: "Minutes lost, by general cause", es: "Minutos perdidos, por causa general" },
    spec: { chart: "bar", metrics: ["stop_duration"], group_by: "general_cause" },
    labels: "stops,causes",
  },
  {
    id: "demo-widget-losses",
    owner: companyId,
    title: { en: "Bottle line: mean time to repair", es: "Línea de botellas: tiempo medio de reparación" },
    description: { en: "Per week, the line's three machines", es: "Por semana, las tres máquinas de la línea" },
    spec: { chart: "line", metrics: ["mttr", "mtbf"], interval: "week", filter_by: { machine_ids: [4, 5, 6] } },
    labels: "stops,bottles",
  },
  {
    id: "demo-widget-oee",
    owner: null,
    title: { en: "OEE of today", es: "OEE de hoy" },
    description: { en: "Of all machines", es: "De todas las máquinas" },
    spec: { kind: "number", metric: "oee" },
    labels: "oee",
  },
  {
    id: "demo-widget-good",
    owner: companyId,
    title: { en: "Good units of the bottle line", es: "Unidades buenas de la línea de botellas" },
    description: { en: "Of today", es: "De hoy" },
    spec: { kind: "number", metric: "correct", machineIds: [4, 5, 6] },
    labels: "bottles",
  },
  {
    id: "demo-widget-trend",
    owner: null,
    title: { en: "OEE by day", es: "OEE por día" },
    description: { en: "Of two weeks", es: "De dos semanas" },
    spec: { kind: "trend", metric: "oee", days: 14 },
    labels: "oee",
  },
  {
    id: "demo-widget-causes",
    owner: null,
    title: { en: "Where the time went", es: "Adónde fue el tiempo" },
    description: { en: "The causes of a week", es: "Las causas de una semana" },
    spec: { kind: "pareto", metric: "minutes", days: 7 },
    labels: "stops,causes",
  },
  {
    id: "demo-widget-states",
    owner: companyId,
    title: { en: "The bottle line today", es: "La línea de botellas hoy" },
    description: { en: "When it ran and when it stood", es: "Cuándo marchó y cuándo paró" },
    spec: { kind: "timeline", machineIds: [4, 5, 6] },
    labels: "stops,bottles",
  },
  {
    id: "demo-widget-machines",
    owner: null,
    title: { en: "Machines", es: "Máquinas" },
    description: { en: "The figures of a week", es: "Las cifras de una semana" },
    spec: { kind: "table", days: 7 },
    labels: "oee",
  },
];

const boards = [
  {
    id: "demo-board-start",
    owner: null,
    title: { en: "Start", es: "Inicio" },
    description: { en: "For every plant", es: "Para todas las plantas" },
    isArchived: false,
    widgets: ["demo-widget-stops", "demo-widget-trend"],
  },
  {
    id: "demo-board-plant",
    owner: companyId,
    title: { en: "Plant overview", es: "Vista de la planta" },
    description: { en: "What the morning meeting looks at", es: "Lo que mira la reunión de la mañana" },
    isArchived: false,
    widgets: [
      "demo-widget-oee",
      "demo-widget-good",
      "demo-widget-trend",
      "demo-widget-causes",
      "demo-widget-states",
      "demo-widget-machines",
    ],
  },
  {
    id: "demo-board-other",
    owner: companyId,
    title: { en: "Reliability", es: "Fiabilidad" },
    description: { en: "Made for another client", es: "Hecho para otro cliente" },
    isArchived: false,
    widgets: ["demo-widget-downtime", "demo-widget-losses"],
  },
  {
    id: "demo-board-audit",
    owner: companyId,
    title: { en: "Spring audit", es: "Auditoría de primavera" },
    description: { en: "Done", es: "Terminada" },
    isArchived: true,
    widgets: ["demo-widget-downtime"],
  },
];
