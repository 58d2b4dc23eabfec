import type { FaultCode } from "../../../core/fault-codes.ts";
import { type Fault, invalid } from "../../../core/problem.ts";
import { type About, type Asked, refuse, rule } from "../rules.ts";
import { type CsvLine, parseCsv } from "./csv.ts";
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

/**
 * The rule of a plan that is created from a CSV file. The file contains names, the plan contains ids.
 * @throws Problem 400 if the file is not a plan
 */
export function plannedBy(file: string) {
  const lines = linesOf(file);
  const named = (field: number) => lines.map(({ fields }) => fields[field] ?? "");
  return rule(
    (db, { owner }: About<object>) => [
      selectOperatorsByCode(db, owner, named(0)),
      selectMachinesByRef(db, owner, named(1)),
      selectShiftNames(db, owner),
    ],
    (asked: Asked<OperatorPlanRow>, operators, machines, shifts) => {
      const assignments = assignmentsOf(lines, { operators, machines, shifts });
      refuse(faultsOf({ ...asked.next, assignments }, null));
      return effectsOf(asked, assignments);
    },
  );
}

/** The lines after the header. */
function linesOf(file: string): CsvLine[] {
  const [head, ...lines] = parseCsv(file);
  const fault = (pointer: string, code: FaultCode, message: string) => invalid([{ pointer, code, message }]);
  if (head?.fields.join() !== columns.join()) throw fault("/lines/1", "invalid_head", `must be ${columns.join()}`);
  if (lines.length > maxLines) throw fault("", "too_big", `may hold ${maxLines} assignments at most`);
  return lines;
}

function assignmentsOf(lines: readonly CsvLine[], planned: Planned): Assignment[] {
  const operators = new Map(planned.operators.map(({ id, code }) => [code, id]));
  const machines = new Map(planned.machines.map(({ id, ref }) => [ref, id]));
  const faults: Fault[] = [];
  const seen = new Set<string>();
  const assignments = lines.flatMap(({ number, fields }) => {
    const refuse = (member: string, code: FaultCode, message: string) =>
      faults.push({ pointer: `/lines/${number}${member}`, code, message });
    const [code = "", ref = "", shiftName = ""] = fields;
    const operatorId = operators.get(code);
    const machineId = machines.get(ref);
    const shifts = planned.shifts.filter(
      ({ name, machineIds }) => name === shiftName && (machineIds?.includes(machineId ?? 0) ?? true),
    );
    const shiftId = shifts[0]?.id;
    if (fields.length !== columns.length) refuse("", "invalid_line", `must have ${columns.length} fields`);
    else if (seen.has(fields.join("\n"))) refuse("", "repeated", "is in the file already");
    else if (operatorId === undefined) refuse("/operatorCode", "not_found", "is not an operator of this company");
    else if (machineId === undefined) refuse("/machineRef", "not_found", "is not a machine of this company");
    else if (shiftId === undefined) refuse("/shiftName", "not_found", "is not a shift of this machine");
    else if (shifts.length > 1) refuse("/shiftName", "ambiguous", `is the name of ${shifts.length} shifts of the machine`);
    seen.add(fields.join("\n"));
    return operatorId && machineId && shiftId ? { operatorId, machineId, shiftId } : [];
  });
  if (faults.length > 0) throw invalid(faults.slice(0, maxFaults));
  return assignments;
}
