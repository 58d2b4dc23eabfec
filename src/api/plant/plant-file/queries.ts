import type { Caller } from "../../../core/caller.ts";
import { type Bounded, type BoundedSelect, boundedRows, rowsOfBounded } from "../../../db/bounded-rows.ts";
import { type SetUpTable, selectRow, selectRows } from "../../../resource/queries.ts";
import { selectSensors } from "../../ingest/count-sensors/queries.ts";
import { type CalendarDayRow, calendarDayTable } from "../calendar-days/queries.ts";
import { type CompanyRow, companyTable } from "../companies/queries.ts";
import { type DefectReasonRow, defectReasonTable } from "../defect-reasons/queries.ts";
import { type LineRow, lineTable } from "../lines/queries.ts";
import { type MachineRow, machineTable } from "../machines/queries.ts";
import { type ShiftRow, shiftTable } from "../shifts/queries.ts";
import { type SkuRow, skuTable } from "../skus/queries.ts";
import { type StopCauseRow, stopCauseTable } from "../stop-causes/queries.ts";
import type { PlantKind } from "./kinds.ts";

/** The most of a kind that a plant file has, and the most bytes of them as they are stored. The file is made in memory. */
export const MOST_OF_KIND = 10_000;
export const MOST_BYTES_OF_KIND = 4 * 1024 * 1024;

/** Rows of a kind, and whether there are more than a plant file has. */
interface Found<Row> {
  rows: Row[];
  isCut: boolean;
}

type SensorsRow = Awaited<ReturnType<typeof selectSensors>>[number];

/** The part of a company's set-up that is in a plant file. */
export type FoundPlant = NonNullable<ReturnType<typeof foundPlant>>;

/**
 * The statements that read the set-up of a company that is in force now.
 * @param needed the kinds to read; the others are empty
 */
export function selectPlant(caller: Pick<Caller, "db" | "actor" | "origin">, companyId: number, needed: ReadonlySet<PlantKind>) {
  const { db } = caller;
  const limitOf = (kind: PlantKind) => (needed.has(kind) ? MOST_OF_KIND + 1 : 0);
  const rowsOf = (kind: PlantKind, table: SetUpTable) =>
    selectRows(db, table, caller, companyId, { after: undefined, limit: limitOf(kind), includeDeleted: false, values: {} });
  const bounded = <Row>(select: BoundedSelect<Row>) => boundedRows(db, select, MOST_BYTES_OF_KIND);
  return [
    selectRow(db, companyTable, caller, { id: companyId, companyId }),
    bounded(rowsOf("lines", lineTable)),
    bounded(rowsOf("machines", machineTable)),
    bounded(selectSensors(db, companyId, { after: undefined, limit: limitOf("machines") })),
    bounded(rowsOf("shifts", shiftTable)),
    bounded(rowsOf("calendarDays", calendarDayTable)),
    bounded(rowsOf("skus", skuTable)),
    bounded(rowsOf("stopCauses", stopCauseTable)),
    bounded(rowsOf("defectReasons", defectReasonTable)),
  ] as const;
}

/** What the statements of `selectPlant` found; undefined if there is no such company. */
export function foundPlant(results: readonly unknown[]) {
  const [companies, lines, machines, sensors, shifts, calendarDays, skus, stopCauses, defectReasons] = results as unknown[][];
  const [company] = companies as CompanyRow[];
  if (!company) return undefined;
  return {
    company,
    lines: foundIn<LineRow>(lines),
    machines: foundIn<MachineRow>(machines),
    sensors: foundIn<SensorsRow>(sensors),
    shifts: foundIn<ShiftRow>(shifts),
    calendarDays: foundIn<CalendarDayRow>(calendarDays),
    skus: foundIn<SkuRow>(skus),
    stopCauses: foundIn<StopCauseRow>(stopCauses),
    defectReasons: foundIn<DefectReasonRow>(defectReasons),
  };
}

/** The rows of a statement, which have the columns of their table. */
function foundIn<Row>(read: readonly unknown[] = []): Found<Row> {
  const { rows, isCut } = rowsOfBounded(read as Bounded<Row>[]);
  return { rows: rows.slice(0, MOST_OF_KIND), isCut: isCut || rows.length > MOST_OF_KIND };
}
