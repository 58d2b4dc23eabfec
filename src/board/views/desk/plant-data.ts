import { companyQuery } from "../../app/session.ts";
import { type ApiSchema, api } from "../../data/api.ts";
import { everyOf } from "../../data/every.ts";
import { may } from "../../data/may.ts";
import { allOf } from "../../data/pages.ts";
import { loadPlant } from "../../data/plant.ts";
import { type Loaded, readShared, useRead } from "../../data/query.ts";
import type { DeskState } from "../../domain/desk-state.ts";
import type { HasThresholds, Thresholds } from "../../domain/thresholds.ts";

export type Machine = ApiSchema<"Machine">;
type Line = ApiSchema<"Line">;
export type StopCause = ApiSchema<"StopCause">;

/** The plant's data that the whole desk needs. */
export interface SetUp {
  timezone: string;
  currency: string;
  /** The day for which a shift counts. */
  productionDay: ApiSchema<"Company">["productionDay"];
  weekStart: ApiSchema<"Company">["weekStart"];
  company: HasThresholds<Thresholds>;
  /** In the order of the plant: by line, then by name. */
  machines: Machine[];
  lines: Line[];
  /** The definitions of the shifts. */
  shifts: ApiSchema<"Shift">[];
}

/** @throws Refusal, NoAnswer */
export async function loadSetUp(): Promise<SetUp> {
  const company = await loadPlant();
  const { timezone, currency, productionDay, weekStart } = company;
  const [machines, lines, shifts] = await Promise.all([everyOf("/v1/machines"), everyOf("/v1/lines"), everyOf("/v1/shifts")]);
  const { compare } = new Intl.Collator("en", { numeric: true });
  lines.sort((a, b) => a.order - b.order || compare(a.name, b.name));
  const place = (lineId: number | null) => {
    const index = lines.findIndex(({ id }) => id === lineId);
    return index === -1 ? lines.length : index;
  };
  machines.sort((a, b) => place(a.lineId) - place(b.lineId) || compare(a.name, b.name) || a.id - b.id);
  return { timezone, currency, productionDay, weekStart, company, machines, lines, shifts };
}

const causesKey = ["/v1/stop-causes"];
const readCauses = () => everyOf("/v1/stop-causes");

/** The causes of stops of the plant. */
export const useCauses = (): Loaded<StopCause[]> => useRead(causesKey, readCauses);

/** The causes of stops of the plant, for a read that needs them. @throws Refusal, NoAnswer */
export const loadCauses = (): Promise<StopCause[]> => readShared(causesKey, readCauses);

/** The names of the company's users, for those who may see them. */
export async function loadUserNames(): Promise<Map<number, string>> {
  if (!may("users:read")) return new Map();
  const all = await readShared(["/v1/users"], () =>
    allOf((cursor) => api("get", "/v1/users", { query: { ...companyQuery(), limit: 500, includeDeleted: true, ...cursor } })),
  ).catch(() => []);
  return new Map(all.map(({ id, name }) => [id, name]));
}

/** The selected machines of a state, as members of a query. */
export function machineQuery({ machineId, lineId }: DeskState): {
  companyId?: number;
  machineIds?: number[];
  lineIds?: number[];
} {
  if (machineId !== null) return { ...companyQuery(), machineIds: [machineId] };
  return { ...companyQuery(), ...(lineId !== null && { lineIds: [lineId] }) };
}

/** The selected machines of a state. */
export function shownMachines({ machines }: SetUp, { machineId, lineId }: DeskState): Machine[] {
  if (machineId !== null) return machines.filter(({ id }) => id === machineId);
  return lineId === null ? machines : machines.filter((machine) => machine.lineId === lineId);
}
