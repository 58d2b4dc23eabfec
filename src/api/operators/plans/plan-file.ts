import type { FaultCode } from "../../../core/fault-codes.ts";
import { type Fault, invalid } from "../../../core/problem.ts";
import { type CsvLine, parseCsv, separatorOf } from "../../../core/read-csv.ts";
import { type RuleContext, type RuleInput, refuse, rule } from "../../../resource/rules.ts";
import {
  type Assignment,
  type OperatorPlanRow,
  selectMachinesByRef,
  selectOperatorsByCode,
  selectShiftNames,
} from "./queries.ts";
import { effectsOf, faultsOf } from "./rules.ts";

export const columns = ["operatorCode", "machineRef", "shiftName"] as const;
export const maxLines = 5000;
const maxFaults = 100;

/** The objects that the names in a file can refer to. */
interface Planned {
  operators: readonly { id: number; code: string }[];
  machines: readonly { id: number; ref: string }[];
  shifts: readonly { id: number; name: string; machineIds: number[] | null }[];
}

/** A line of the file: the names in it, composed (NFC) so that they compare equal however a program writes an accent; null: it is no line. */
interface PlanLine {
  number: number;
  names: Record<(typeof columns)[number], string> | null;
}

/**
 * The rule of a plan that is created from a CSV file. The file contains names, the plan contains ids.
 * @throws Problem 400 if the file is not a plan
 */
export function plannedBy(file: string) {
  const lines = linesOf(file);
  const named = (column: (typeof columns)[number]) => lines.flatMap(({ names }) => (names ? spellings(names[column]) : []));
  return rule(
    (db, { owner }: RuleContext<object>) => [
      selectOperatorsByCode(db, owner, named("operatorCode")),
      selectMachinesByRef(db, owner, named("machineRef")),
      selectShiftNames(db, owner),
    ],
    (asked: RuleInput<OperatorPlanRow>, operators, machines, shifts) => {
      const assignments = assignmentsOf(lines, { operators, machines, shifts });
      refuse(faultsOf({ ...asked.next, assignments }, null));
      return effectsOf(asked, assignments);
    },
  );
}

/** The lines after the header, which says which column is where. */
function linesOf(file: string): PlanLine[] {
  const separator = separatorOf(file);
  const [head, ...lines] = parseCsv(file, separator);
  const fault = (pointer: string, code: FaultCode, message: string) => invalid([{ pointer, code, message }]);
  if (head?.fields.toSorted().join() !== columns.toSorted().join()) {
    throw fault("/lines/1", "invalid_head", `must be ${columns.join()}, in any order, separated by commas or semicolons`);
  }
  if (lines.length > maxLines) throw fault("", "too_big", `may hold ${maxLines} assignments at most`);
  const placeOf = Object.fromEntries(columns.map((column) => [column, head.fields.indexOf(column)]));
  return lines.map(({ number, fields }: CsvLine) => {
    if (fields.length !== columns.length) return { number, names: null };
    const nameIn = (column: (typeof columns)[number]) => (fields[placeOf[column] ?? -1] ?? "").normalize("NFC");
    return {
      number,
      names: { operatorCode: nameIn("operatorCode"), machineRef: nameIn("machineRef"), shiftName: nameIn("shiftName") },
    };
  });
}

/** A name as it may be stored: composed or decomposed. */
function spellings(name: string): string[] {
  return [...new Set([name, name.normalize("NFD")])];
}

/** Ids by name, composed. If names differ in their spelling only, the composed one is meant. */
function idsByName<Row extends { id: number }>(rows: readonly Row[], nameOf: (row: Row) => string): Map<string, number> {
  const isComposed = (row: Row) => nameOf(row) === nameOf(row).normalize("NFC");
  const inOrder = rows.toSorted((a, b) => Number(isComposed(a)) - Number(isComposed(b)));
  return new Map(inOrder.map((row) => [nameOf(row).normalize("NFC"), row.id]));
}

function assignmentsOf(lines: readonly PlanLine[], planned: Planned): Assignment[] {
  const operators = idsByName(planned.operators, ({ code }) => code);
  const machines = idsByName(planned.machines, ({ ref }) => ref);
  const faults: Fault[] = [];
  const seen = new Set<string>();
  const assignments = lines.flatMap(({ number, names }) => {
    const refuse = (member: string, code: FaultCode, message: string) =>
      faults.push({ pointer: `/lines/${number}${member}`, code, message });
    if (!names) {
      refuse("", "invalid_line", `must have ${columns.length} fields`);
      return [];
    }
    const operatorId = operators.get(names.operatorCode);
    const machineId = machines.get(names.machineRef);
    const shifts = planned.shifts.filter(
      ({ name, machineIds }) => name.normalize("NFC") === names.shiftName && (machineIds?.includes(machineId ?? 0) ?? true),
    );
    const shiftId = shifts[0]?.id;
    const line = Object.values(names).join("\n");
    if (seen.has(line)) refuse("", "repeated", "is in the file already");
    else if (operatorId === undefined) refuse("/operatorCode", "not_found", "is not an operator of this company");
    else if (machineId === undefined) refuse("/machineRef", "not_found", "is not a machine of this company");
    else if (shiftId === undefined) refuse("/shiftName", "not_found", "is not a shift of this machine");
    else if (shifts.length > 1) refuse("/shiftName", "ambiguous", `is the name of ${shifts.length} shifts of the machine`);
    seen.add(line);
    return operatorId && machineId && shiftId ? { operatorId, machineId, shiftId } : [];
  });
  if (faults.length > 0) throw invalid(faults.slice(0, maxFaults));
  return assignments;
}
