import { z } from "@hono/zod-openapi";
import { distinct, text } from "../../core/inputs.ts";
import type { Fault } from "../../core/problem.ts";
import { type SetUpImportKind, workOrderStatuses } from "../../db/values.ts";
import type { SetUpRow } from "../../resource/queries.ts";
import type { Item, Resource } from "../../resource/resource.ts";
import { operators } from "../operators/resource.ts";
import { code, name as orderName, priority, quantity, skuId, source } from "../orders/order-members.ts";
import { type ImportedOrder, orderTable } from "../orders/queries.ts";
import { defectReasons } from "../plant/defect-reasons/resource.ts";
import type { LineRow } from "../plant/lines/queries.ts";
import { lines } from "../plant/lines/resource.ts";
import type { MachineRow } from "../plant/machines/queries.ts";
import { machines } from "../plant/machines/resource.ts";
import type { SkuRow } from "../plant/skus/queries.ts";
import { skus, standardCycleSeconds } from "../plant/skus/resource.ts";
import type { StopCauseRow } from "../plant/stop-causes/queries.ts";
import { stopCauses } from "../plant/stop-causes/resource.ts";
import { type CauseTree, causeShown, causeValues, pathText } from "./causes.ts";
import { type OrderSurroundings, orderShown, orderValues } from "./work-orders.ts";

// Rows of each kind are of their own type, and go back to the functions of their kind alone.
// biome-ignore lint/suspicious/noExplicitAny: see above
type AnyResource = Resource<any>;

/** How the cells of a column are read. An empty cell is what a new item has by default. `texts` and `numbers` have a semicolon between them. */
type Reading = "text" | "number" | "flag" | "texts" | "numbers" | Readonly<Record<string, readonly string[]>>;

export interface ImportColumn {
  reading: Reading;
  /** What headers call it besides its name, in English and Spanish, as `plainName` writes them. */
  synonyms: readonly string[];
}

/** The set-up that rows of a file name. */
export interface Surroundings {
  lines: readonly Pick<LineRow, "id" | "name">[];
  causes: CauseTree;
  orders: OrderSurroundings;
}

/** How files of a kind become items. */
export interface ImportKind {
  resource: Pick<AnyResource, "names" | "table" | "versioned">;
  columns: Readonly<Record<string, ImportColumn>>;
  /** What a column may hold, as in the bodies of the kind's own operations. */
  schema: z.ZodObject;
  /** The column that tells items apart. Stop causes are told apart by their path. */
  key: string;
  /** The members of a row that a file can change. */
  changes: readonly string[];
  /** The members of a row that the columns of a line make. */
  valuesOf(sent: Item, before: SetUpRow | null, about: Surroundings): Item | Fault[];
  /** The columns that a row would have in a file. */
  shown(row: SetUpRow, about: Surroundings): Item;
}

const flag = (synonyms: readonly string[]): ImportColumn => ({ reading: "flag", synonyms });
const number = (synonyms: readonly string[]): ImportColumn => ({ reading: "number", synonyms });
const list = (reading: "texts" | "numbers", synonyms: readonly string[]): ImportColumn => ({ reading, synonyms });
const words = (synonyms: readonly string[]): ImportColumn => ({ reading: "text", synonyms });

const name = words(["description", "nombre", "descripcion", "denominacion"]);
const cycle = number([
  ...["standardcycle", "cycle", "cycletime", "cycleseconds", "secondspercycle"],
  ...["ciclo", "cicloestandar", "tiempodeciclo", "segundosporciclo"],
]);
const asSent = (sent: Item) => sent;

/** The members of the body of POST of a resource. */
function bodyOf({ members }: AnyResource, names: readonly string[]): z.ZodObject {
  const all = members.create.shape as Record<string, z.ZodType>;
  return z.object(Object.fromEntries(names.map((member) => [member, all[member] ?? z.never()])));
}

/** The columns of a row that are its members of the same names. */
const own = (names: readonly string[]) => (row: SetUpRow) => {
  const members = row as unknown as Item;
  return Object.fromEntries(names.map((member) => [member, members[member]]));
};

const machineNumbers = {
  nodeId: number(["node", "gateway", "nodo", "pasarela"]),
  stopAfterSeconds: number(["stopafter", "paradatras", "paradadespuesde", "segundosparaparada"]),
  noDataAfterSeconds: number(["nodataafter", "sindatostras", "sindatosdespuesde", "segundossindatos"]),
  reportingSeconds: number(["reporting", "reports", "informacada", "enviocada"]),
  holdFactor: number(["hold", "factorderetencion"]),
  standardCycleSeconds: cycle,
  hourlyRate: number(["rate", "costperhour", "hourlycost", "costeporhora", "costoporhora", "tarifahoraria"]),
};
const machineColumns = {
  ref: words(["reference", "code", "machine", "machineref", "id", "referencia", "codigo", "maquina"]),
  name,
  line: words(["linename", "productionline", "linea", "lineadeproduccion"]),
  signal: { reading: { counts: ["count", "conteos", "pulsos"], states: ["state", "estados"] }, synonyms: ["senal"] },
  ...machineNumbers,
} satisfies Record<string, ImportColumn>;
const ofMachine = Object.keys(machineColumns).filter((member) => member !== "line");

export const importKinds: Record<SetUpImportKind, ImportKind> = {
  skus: {
    resource: skus,
    columns: {
      id: words([
        ...["sku", "skuid", "code", "reference", "ref", "item", "itemnumber", "partnumber", "article"],
        ...["codigo", "referencia", "articulo", "numerodearticulo"],
      ]),
      name: words([...name.synonyms, "product", "productname", "producto"]),
      standardCycleSeconds: cycle,
    },
    schema: bodyOf(skus, ["name"]).extend({
      id: skus.members.id,
      standardCycleSeconds: standardCycleSeconds.nullable().default(null),
    }),
    key: "id",
    changes: ["name", "standards"],
    valuesOf({ standardCycleSeconds: sent, ...others }, before) {
      const known = (before as SkuRow | null)?.standards ?? [];
      if (sent === undefined) return { standards: known, ...others };
      const ofMachines = known.filter(({ machineId }) => machineId !== null);
      const any = sent === null ? [] : [{ machineId: null, standardCycleSeconds: Number(sent) }];
      return { ...others, standards: [...any, ...ofMachines] };
    },
    shown(row) {
      const { id, name, standards } = row as SkuRow;
      const any = standards.find(({ machineId }) => machineId === null);
      return { id, name, standardCycleSeconds: any?.standardCycleSeconds ?? null };
    },
  },
  operators: {
    resource: operators,
    columns: {
      code: words([
        ...["operator", "operatorcode", "number", "badge", "id", "employeenumber", "personnelnumber"],
        ...["codigo", "operador", "operario", "numero", "tarjeta", "numerodeempleado", "codigodeoperario"],
      ]),
      name,
    },
    schema: bodyOf(operators, ["code", "name"]),
    key: "code",
    changes: ["name"],
    valuesOf: asSent,
    shown: own(["code", "name"]),
  },
  machines: {
    resource: machines,
    columns: machineColumns,
    schema: bodyOf(machines, ofMachine).extend({ line: text(200).nullable().default(null) }),
    key: "ref",
    changes: [...ofMachine.filter((member) => member !== "ref"), "lineId"],
    valuesOf({ line, ...others }, _, about) {
      if (line === undefined) return others;
      const lineId = line === null ? null : about.lines.find((one) => one.name === line)?.id;
      if (lineId !== undefined) return { ...others, lineId };
      return [{ pointer: "/line", code: "not_found", message: "is not the name of a line: import or add the lines first" }];
    },
    shown(row, about) {
      const { lineId } = row as MachineRow;
      return { ...own(ofMachine)(row), line: about.lines.find(({ id }) => id === lineId)?.name ?? null };
    },
  },
  lines: {
    resource: lines,
    columns: {
      name: words(["line", "linename", "productionline", "nombre", "linea", "lineadeproduccion"]),
      order: number(["position", "sort", "orden", "posicion"]),
    },
    schema: bodyOf(lines, ["name", "order"]),
    key: "name",
    changes: ["order"],
    valuesOf: asSent,
    shown: own(["name", "order"]),
  },
  "stop-causes": {
    resource: stopCauses,
    columns: {
      name: words(["cause", "stopcause", "reason", "nombre", "causa", "causadeparada", "motivo"]),
      above: words(["parent", "under", "group", "generalcause", "encima", "superior", "grupo", "causageneral"]),
      level: {
        reading: { general: ["group"], specific: ["especifica", "especifico"], component: ["componente"] },
        synonyms: ["nivel"],
      },
      isProgrammed: flag(["programmed", "planned", "programada", "planificada"]),
      isIncludedInAvailability: flag([
        ...["includedinavailability", "countsasunavailable", "downtime"],
        ...["incluidaendisponibilidad", "afectaaladisponibilidad", "cuentacomoparada"],
      ]),
    },
    schema: bodyOf(stopCauses, ["name", "isProgrammed", "isIncludedInAvailability"]).extend({
      level: z.enum(["general", "specific", "component"]).optional(),
      above: text(1000).default(""),
    }),
    key: "name",
    changes: ["ownIsProgrammed", "ownIsIncludedInAvailability"],
    valuesOf: (sent, _, { causes }) => causeValues(sent, causes),
    shown: (row, { causes }) => causeShown(row as StopCauseRow, causes),
  },
  "defect-reasons": {
    resource: defectReasons,
    columns: { name: words(["reason", "defect", "defectreason", "nombre", "motivo", "defecto", "motivodedefecto"]) },
    schema: bodyOf(defectReasons, ["name"]),
    key: "name",
    changes: [],
    valuesOf: asSent,
    shown: own(["name"]),
  },
  "work-orders": {
    resource: {
      names: { type: "WorkOrder", types: "WorkOrders", noun: "work order", nouns: "work orders" },
      table: orderTable,
    },
    columns: {
      code: words([
        ...["order", "workorder", "ordernumber", "ordercode", "number", "id", "reference"],
        ...["codigo", "orden", "ordendetrabajo", "ordendefabricacion", "numerodeorden", "numero", "referencia"],
      ]),
      name,
      status: {
        reading: {
          Backlog: ["new", "open", "pendiente", "nueva", "enespera"],
          Planned: ["released", "planificada", "lanzada"],
          InProgress: ["started", "running", "encurso", "enmarcha"],
          Paused: ["onhold", "pausada", "enpausa"],
          Completed: ["done", "finished", "completada", "terminada"],
          Cancelled: ["canceled", "cancelada", "anulada"],
        },
        synonyms: ["state", "estado"],
      },
      priority: number(["prioridad"]),
      source: words(["origin", "origen", "fuente"]),
      estimatedDeliveryTime: words([
        ...["delivery", "deliverytime", "deliverydate", "due", "duedate", "duetime"],
        ...["entrega", "fechadeentrega", "entregaprevista", "vencimiento"],
      ]),
      machines: list("texts", ["machine", "machinerefs", "maquina", "maquinas"]),
      skus: list("texts", ["sku", "skuid", "item", "article", "product", "articulo", "producto"]),
      quantities: list("numbers", [
        "quantity",
        "target",
        "targetquantity",
        "amount",
        "qty",
        "cantidad",
        "cantidades",
        "objetivo",
      ]),
    },
    schema: z.object({
      ...{ code, name: orderName, priority: priority.default(0), source: source.default("") },
      status: z.enum(workOrderStatuses).optional(),
      estimatedDeliveryTime: text(40).nullable().default(null),
      machines: distinct(text(200).min(1)),
      skus: distinct(skuId),
      quantities: z.array(quantity).max(1000),
    }),
    key: "code",
    changes: [...["name", "status", "priority", "source", "estimatedDeliveryAt", "closedAt"], ...["machineIds", "targets"]],
    valuesOf: (sent, before, { orders }) => orderValues(sent, before as ImportedOrder | null, orders),
    shown: (row, { orders }) => orderShown(row as ImportedOrder, orders),
  },
};

/** What tells an item apart from others of its kind, as people read it. */
export function nameOf(kind: SetUpImportKind, row: SetUpRow, { causes }: Surroundings): string {
  if (kind === "stop-causes") return pathText(causes.pathOf(row as StopCauseRow));
  return String((row as unknown as Item)[importKinds[kind].key]);
}

/** A header without what people write differently: capitals, accents, spaces, signs, and units in brackets. */
export function plainName(header: string): string {
  return header
    .replaceAll(/\([^()]*\)/g, "")
    .replaceAll(/\[[^[\]]*\]/g, "")
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
}
