import { type Fault, refusal } from "../../../core/problem.ts";
import type { SetUpRow } from "../../../resource/queries.ts";
import type { Item, Resource } from "../../../resource/resource.ts";
import type { CalendarDayRow } from "../calendar-days/queries.ts";
import { calendarDays } from "../calendar-days/resource.ts";
import { companies } from "../companies/resource.ts";
import { defectReasons } from "../defect-reasons/resource.ts";
import { lines } from "../lines/resource.ts";
import { machines } from "../machines/resource.ts";
import { shifts } from "../shifts/resource.ts";
import { skus } from "../skus/resource.ts";
import { stopCauses } from "../stop-causes/resource.ts";
import type { Difference } from "./compare.ts";
import type { PlantKind } from "./kinds.ts";
import type { Present } from "./present.ts";

// Rows of each kind are of their own type, and go back to the rules of their kind alone.
// biome-ignore lint/suspicious/noExplicitAny: see above
type AnyResource = Resource<any>;
export type AnyRule = NonNullable<AnyResource["rules"]["store"]>;

/** How entries of a kind are written: as the operations of its resource do it, with the same rules. */
interface EntryPlan {
  resource: AnyResource;
  /** The members of POST or PATCH, with ids for names. */
  bodyOf(difference: Difference, present: Present): Item;
  /** What the statements of the rule would find. */
  foundFor(body: Item, present: Present, key: Item): unknown[];
  /** The same for the rule of a deletion. */
  foundToDelete?(row: SetUpRow, present: Present): unknown[];
}

const ids = (found: readonly (number | null | undefined)[]) => found.flatMap((id) => (typeof id === "number" ? { id } : []));
const asSent = ({ parsed }: Difference) => parsed;

export const entryPlans: Record<PlantKind, EntryPlan> = {
  company: { resource: companies, bodyOf: asSent, foundFor: () => [] },
  lines: { resource: lines, bodyOf: asSent, foundFor: () => [] },
  machines: {
    resource: machines,
    bodyOf({ parsed: { line, countSensors: _, ...own } }, present) {
      return { ...own, ...(line !== undefined && { lineId: present.idOfLine(line) }) };
    },
    foundFor: ({ lineId }) => [ids([lineId as number | null | undefined])],
  },
  shifts: {
    resource: shifts,
    bodyOf({ parsed: { machines: refs, ...own }, pointer }, present) {
      if (refs === undefined) return own;
      if (Array.isArray(refs) && refs.length === 0) throw refusal(400, [noMachine(pointer)]);
      return { ...own, machineIds: (refs as string[] | null)?.map((ref) => present.idOfMachine(ref)) ?? null };
    },
    foundFor: ({ machineIds }, present) => [ids((machineIds ?? []) as number[]), present.shifts, present.planned],
  },
  calendarDays: {
    resource: calendarDays,
    bodyOf({ key, parsed, before }, present) {
      const own = (parsed.shifts as { shift: string }[]).map(({ shift, ...times }) => ({
        shiftId: present.shiftOf(shift).id,
        ...times,
      }));
      const chosen = own.length === 0 ? { closed: true } : { shifts: own };
      if (before.shifts !== undefined) return chosen;
      const { date, scope, line, machine } = key;
      return { date, scope, lineId: present.idOfLine(line), machineId: present.idOfMachine(machine), ...chosen };
    },
    foundFor({ shifts: own = [] }, present, key) {
      const [lineId, machineId] = [present.idOfLine(key.line), present.idOfMachine(key.machine)];
      const named = new Set((own as { shiftId: number }[]).map(({ shiftId }) => shiftId));
      const ofScope = present.days.filter((day) => day.lineId === lineId && day.machineId === machineId);
      return [
        ids([lineId]),
        ids([machineId]),
        present.shifts.filter(({ id }) => named.has(id)),
        [{ count: ofScope.length }],
        [],
        ...ofDay(lineId, present),
      ];
    },
    foundToDelete: (row, present) => ofDay((row as CalendarDayRow).lineId, present),
  },
  skus: {
    resource: skus,
    bodyOf({ parsed: { standards, ...own } }, present) {
      if (standards === undefined) return own;
      const ofMachines = (standards as { machine: string | null; standardCycleSeconds: number }[]).map(({ machine, ...one }) => {
        return { machineId: present.idOfMachine(machine), ...one };
      });
      return { ...own, standards: ofMachines };
    },
    foundFor: ({ standards = [] }) => [ids((standards as { machineId: number | null }[]).map(({ machineId }) => machineId))],
  },
  stopCauses: {
    resource: stopCauses,
    bodyOf({ key, pointer, parsed: { path: _, level: __, ...flags }, before }, present) {
      if (Object.keys(before).length > 0) return flags;
      const path = key.path as string[];
      const above = path.slice(0, -1);
      const parents = present.causesAt(above).filter(({ level }) => key.level !== "specific" || level === "general");
      if (parents.length > 1) throw refusal(400, [twoParents(pointer, above)]);
      return { level: key.level, name: path.at(-1), parentId: parents[0]?.id ?? null, ...flags };
    },
    foundFor: ({ parentId }, present) => [present.causeAndAbove((parentId ?? null) as number | null)],
  },
  defectReasons: { resource: defectReasons, bodyOf: asSent, foundFor: () => [] },
};

/** The machines of a line now, and those that were in it; and the time zone. */
function ofDay(lineId: number | null, present: Present): unknown[] {
  const joining = present.machines.filter((machine) => lineId !== null && machine.lineId === lineId);
  const all = [...(present.everIn.get(lineId ?? 0) ?? []), ...joining].map(({ id }) => id);
  return [[...new Set(all)].map((id) => ({ id })), [{ timezone: present.company.timezone }]];
}

function noMachine(pointer: string): Fault {
  return { pointer: `${pointer}/machines`, code: "too_small", message: "must name a machine; null: every machine" };
}

function twoParents(pointer: string, path: readonly string[]): Fault {
  return { pointer: `${pointer}/path`, code: "ambiguous", message: `names ${path.join(" / ")}, which several causes are called` };
}
