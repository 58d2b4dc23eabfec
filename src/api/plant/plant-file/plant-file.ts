import { noCompany, oneCompanyOf } from "../../../core/actor.ts";
import type { Caller } from "../../../core/caller.ts";
import { type Fault, refusal } from "../../../core/problem.ts";
import type { SetUpRow, Viewer } from "../../../resource/queries.ts";
import type { Item, Resource } from "../../../resource/resource.ts";
import { inOrder } from "../../ingest/count-sensors/members.ts";
import { calendarDays } from "../calendar-days/resource.ts";
import { companies } from "../companies/resource.ts";
import { defectReasons } from "../defect-reasons/resource.ts";
import { lines } from "../lines/resource.ts";
import { machines } from "../machines/resource.ts";
import { shifts } from "../shifts/resource.ts";
import { skus } from "../skus/resource.ts";
import { stopCauses } from "../stop-causes/resource.ts";
import { ambiguousParents, causeEntries } from "./cause-entries.ts";
import { namedBy, type PlantKind, plantKinds } from "./kinds.ts";
import { ownMembers } from "./members.ts";
import { type FoundPlant, foundPlant, MOST_BYTES_OF_KIND, MOST_OF_KIND, selectPlant } from "./queries.ts";
import { sorted } from "./sorted.ts";

/** A plant file: the kinds that were asked for. */
export interface PlantFile {
  formatVersion: 1;
  company?: Item;
  lines?: Item[];
  machines?: Item[];
  shifts?: Item[];
  calendarDays?: Item[];
  skus?: Item[];
  stopCauses?: Item[];
  defectReasons?: Item[];
}

interface PlantQuery {
  companyId?: number | undefined;
  kinds?: readonly PlantKind[] | undefined;
}

/** The set-up of a company by natural keys. */
export async function readPlantFile(caller: Caller, { companyId, kinds = plantKinds }: PlantQuery): Promise<PlantFile> {
  const needed = withNamed(kinds);
  const plant = foundPlant(await caller.db.batch(selectPlant(caller, oneCompanyOf(caller.actor, companyId), needed)));
  if (!plant) throw noCompany();
  return fileOf(plant, kinds, caller);
}

/** Kinds with those that they name. */
export function withNamed(kinds: readonly PlantKind[]): ReadonlySet<PlantKind> {
  return new Set(kinds.flatMap((kind) => [kind, ...namedBy[kind]]));
}

/**
 * A set-up as a file. Each list is sorted by its key, so that a file changes only where the set-up does.
 * @throws Problem 409: a name stands for several things, or there is more than a file has
 */
export function fileOf(plant: FoundPlant, kinds: readonly PlantKind[], viewer: Viewer): PlantFile {
  refuseTooMany(plant);
  const keys = keysOf(plant);
  const causes = causeEntries(plant.stopCauses.rows);
  const faults = [...repeatedNames(plant), ...ambiguousParents(causes)];
  if (faults.length > 0) throw refusal(409, faults);
  const entries: Required<Omit<PlantFile, "formatVersion">> = {
    company: ownOf(companies, plant.company, viewer),
    lines: sorted(plant.lines.rows, ({ name }) => [name]).map((row) => ownOf(lines, row, viewer)),
    machines: machineEntries(plant, keys, viewer),
    shifts: shiftEntries(plant, keys, viewer),
    calendarDays: dayEntries(plant, keys, viewer),
    skus: skuEntries(plant, keys, viewer),
    stopCauses: causes.map(({ row, path }) => {
      const { ownFlags } = stopCauses.shape.item(row, viewer);
      return { path, level: row.level, ...(ownFlags as Item) };
    }),
    defectReasons: sorted(plant.defectReasons.rows, ({ name }) => [name]).map((row) => ownOf(defectReasons, row, viewer)),
  };
  const chosen = plantKinds.filter((kind) => kinds.includes(kind)).map((kind) => [kind, entries[kind]]);
  return { formatVersion: 1, ...Object.fromEntries(chosen) };
}

type Keys = Record<"lines" | "machines" | "shifts", ReadonlyMap<number, string>>;

/** The keys of what is not deleted, by id. */
function keysOf({ lines, machines, shifts }: FoundPlant): Keys {
  return {
    lines: new Map(lines.rows.map(({ id, name }) => [id, name])),
    machines: new Map(machines.rows.map(({ id, ref }) => [id, ref])),
    shifts: new Map(shifts.rows.map(({ id, name }) => [id, name])),
  };
}

function machineEntries({ machines: { rows }, sensors }: FoundPlant, keys: Keys, viewer: Viewer): Item[] {
  const ofMachine = new Map(sensors.rows.map((row) => [row.machineId, row]));
  return sorted(rows, ({ ref }) => [ref]).map((row) => {
    const own = ofMachine.get(row.id);
    const countSensors = own ? { isCountEnabled: own.isCountEnabled === 1, configs: inOrder(own.configs) } : null;
    const line = row.lineId === null ? null : (keys.lines.get(row.lineId) ?? null);
    return { ref: row.ref, name: row.name, line, ...ownOf(machines, row, viewer), countSensors };
  });
}

function shiftEntries({ shifts: { rows } }: FoundPlant, keys: Keys, viewer: Viewer): Item[] {
  return sorted(rows, ({ name }) => [name]).map((row) => {
    const named = row.machineIds?.flatMap((id) => keys.machines.get(id) ?? []).sort() ?? null;
    return { ...ownOf(shifts, row, viewer), machines: named };
  });
}

/** Days that name something deleted are left out: they change nothing any more. */
function dayEntries({ calendarDays: { rows } }: FoundPlant, keys: Keys, viewer: Viewer): Item[] {
  const entries = rows.flatMap((row) => {
    const line = row.lineId === null ? null : keys.lines.get(row.lineId);
    const machine = row.machineId === null ? null : keys.machines.get(row.machineId);
    const named = row.shifts.map(({ id, start, end, breaks }) => ({ shift: keys.shifts.get(id), start, end, breaks }));
    if (line === undefined || machine === undefined || named.some(({ shift }) => shift === undefined)) return [];
    const { date, scope } = row;
    return { row, entry: { date, scope, line, machine, ...ownOf(calendarDays, row, viewer), shifts: named } };
  });
  const keyOf = ({ row: { date, scope }, entry: { line, machine } }: (typeof entries)[number]) => [
    date,
    scope,
    line ?? machine ?? "",
  ];
  return sorted(entries, keyOf).map(({ entry }) => entry);
}

function skuEntries({ skus: { rows } }: FoundPlant, keys: Keys, viewer: Viewer): Item[] {
  return sorted(rows, ({ id }) => [id]).map((row) => {
    const standards = row.standards.flatMap(({ machineId, standardCycleSeconds }) => {
      const machine = machineId === null ? null : keys.machines.get(machineId);
      return machine === undefined ? [] : { machine, standardCycleSeconds };
    });
    return { id: row.id, ...ownOf(skus, row, viewer), standards: sorted(standards, ({ machine }) => [machine ?? ""]) };
  });
}

/** The members of an item that a plant file has as they are. */
function ownOf<Row extends SetUpRow>({ shape }: Pick<Resource<Row>, "shape">, row: Row, viewer: Viewer): Item {
  return ownMembers(shape.item(row, viewer));
}

/** Shifts may have the same name, and then a file cannot name them. */
function repeatedNames({ shifts: { rows } }: FoundPlant): Fault[] {
  return [...Map.groupBy(rows, ({ name }) => name)].flatMap(([name, all]): Fault[] => {
    if (all.length === 1) return [];
    const ids = all.map(({ id }) => id).join(", ");
    const message = `the shifts ${ids} have the same name, ${name}: rename all but one, so that a file can name them`;
    return [{ pointer: "/shifts", code: "ambiguous", message }];
  });
}

/** Refuses a set-up that is too large for a file. */
function refuseTooMany({ company: _, sensors, machines, ...others }: FoundPlant): void {
  const lists = { ...others, machines: { isCut: machines.isCut || sensors.isCut } };
  const faults = Object.entries(lists).flatMap(([kind, { isCut }]): Fault[] => {
    if (!isCut) return [];
    const message = `are more than the ${MOST_OF_KIND}, or ${MOST_BYTES_OF_KIND / 1024 ** 2} MiB, that a file has of a kind: ask for the other kinds by \`kinds\``;
    return [{ pointer: `/${kind}`, code: "too_many_of_kind", message }];
  });
  if (faults.length > 0) throw refusal(409, faults);
}
