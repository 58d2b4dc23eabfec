import type { StoredVersion } from "../../../resource/item-versions.ts";
import type { SetUpRow } from "../../../resource/queries.ts";
import type { Item } from "../../../resource/resource.ts";
import type { CalendarDayRow } from "../calendar-days/queries.ts";
import type { CompanyRow } from "../companies/queries.ts";
import type { LineRow } from "../lines/queries.ts";
import type { MachineRow } from "../machines/queries.ts";
import type { ShiftRow } from "../shifts/queries.ts";
import type { StopCauseRow } from "../stop-causes/queries.ts";
import { causeEntries } from "./cause-entries.ts";
import type { PlantKind } from "./kinds.ts";
import type { FoundPlant } from "./queries.ts";

/**
 * The rows of a set-up by their keys, as they are after each of the changes that a file makes: the next one is decided with what the ones before it made.
 */
export class Present {
  company: CompanyRow;
  /** Versions of shifts that may hold later. */
  planned: readonly StoredVersion[] = [];
  /** The machines that are or were in a line, by its id. */
  readonly everIn = new Map<number, readonly { id: number }[]>();
  readonly #rows: Record<Exclude<PlantKind, "company">, Map<string, SetUpRow>>;
  readonly #causes = new Map<string, StopCauseRow[]>();

  constructor(plant: FoundPlant) {
    this.company = plant.company;
    const refs = new Map(plant.machines.rows.map(({ id, ref }) => [id, ref]));
    const names = new Map(plant.lines.rows.map(({ id, name }) => [id, name]));
    const by = <Row extends SetUpRow>(rows: readonly Row[], keyOf: (row: Row) => Item) =>
      new Map<string, SetUpRow>(rows.map((row) => [JSON.stringify(keyOf(row)), row]));
    const causes = causeEntries(plant.stopCauses.rows);
    for (const { row, path } of causes) this.#noteCause(path, row);
    this.#rows = {
      lines: by(plant.lines.rows, ({ name }) => ({ name })),
      machines: by(plant.machines.rows, ({ ref }) => ({ ref })),
      shifts: by(plant.shifts.rows, ({ name }) => ({ name })),
      calendarDays: by(plant.calendarDays.rows, ({ date, scope, lineId, machineId }) => {
        return { date, scope, line: names.get(lineId ?? 0) ?? null, machine: refs.get(machineId ?? 0) ?? null };
      }),
      skus: by(plant.skus.rows, ({ id }) => ({ id })),
      stopCauses: new Map(causes.map(({ row, path }) => [JSON.stringify({ path, level: row.level }), row])),
      defectReasons: by(plant.defectReasons.rows, ({ name }) => ({ name })),
    };
  }

  rowOf(kind: PlantKind, key: Item): SetUpRow {
    const row = kind === "company" ? this.company : this.#rows[kind].get(JSON.stringify(key));
    if (!row) throw new Error(`The plant has no such entry of the ${kind}: ${JSON.stringify(key)}`);
    return row;
  }

  /** Keeps what became of an entry; null: it was deleted. */
  note(kind: PlantKind, key: Item, row: SetUpRow | null): void {
    if (kind === "company") this.company = row as CompanyRow;
    else if (row) this.#rows[kind].set(JSON.stringify(key), row);
    else this.#rows[kind].delete(JSON.stringify(key));
    if (kind === "stopCauses" && row) this.#noteCause(key.path as string[], row as StopCauseRow);
  }

  #noteCause(path: readonly string[], row: StopCauseRow): void {
    const key = JSON.stringify(path);
    this.#causes.set(key, [...(this.#causes.get(key) ?? []).filter(({ id }) => id !== row.id), row]);
  }

  idOfLine(name: unknown): number | null {
    return name === null ? null : Number(this.rowOf("lines", { name }).id);
  }

  idOfMachine(ref: unknown): number | null {
    return ref === null ? null : Number(this.rowOf("machines", { ref }).id);
  }

  shiftOf(name: unknown): ShiftRow {
    return this.rowOf("shifts", { name }) as ShiftRow;
  }

  get shifts(): ShiftRow[] {
    return [...this.#rows.shifts.values()] as ShiftRow[];
  }

  get machines(): MachineRow[] {
    return [...this.#rows.machines.values()] as MachineRow[];
  }

  get lines(): LineRow[] {
    return [...this.#rows.lines.values()] as LineRow[];
  }

  get days(): CalendarDayRow[] {
    return [...this.#rows.calendarDays.values()] as CalendarDayRow[];
  }

  /** The causes of a path: several if they have different levels. */
  causesAt(path: readonly string[]): readonly StopCauseRow[] {
    return this.#causes.get(JSON.stringify(path)) ?? [];
  }

  /** A cause and all causes above it. */
  causeAndAbove(id: number | null): StopCauseRow[] {
    const byId = new Map([...this.#causes.values()].flat().map((row) => [row.id, row]));
    const above: StopCauseRow[] = [];
    for (let at = byId.get(id ?? 0); at && !above.includes(at); at = byId.get(at.parentId ?? 0)) above.push(at);
    return above;
  }
}
