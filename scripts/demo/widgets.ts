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
        visualConfig: { column: place % 2, row: Math.floor(place / 2) },
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
];

const boards = [
  {
    id: "demo-board-start",
    owner: null,
    title: { en: "Start", es: "Inicio" },
    description: { en: "For every plant", es: "Para todas las plantas" },
    isArchived: false,
    widgets: ["demo-widget-stops"],
  },
  {
    id: "demo-board-plant",
    owner: companyId,
    title: { en: "Plant overview", es: "Vista de la planta" },
    description: { en: "What the morning meeting looks at", es: "Lo que mira la reunión de la mañana" },
    isArchived: false,
    widgets: ["demo-widget-stops", "demo-widget-downtime", "demo-widget-losses"],
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
