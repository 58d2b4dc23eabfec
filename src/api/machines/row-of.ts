import { recordId } from "../../core/record-id.ts";
import { shiftRefOf } from "../../core/refs.ts";
import type { MachineOverview, ShiftNumbers } from "../../objects/machine-protocol.ts";
import { forecastOf } from "../../oee/forecast.ts";
import { toHundredths, toMinutes } from "../../oee/metrics.ts";
import type { ShiftOccurrence } from "../../oee/shifts.ts";
import { figuresOf } from "../../oee/sums.ts";
import { HOUR_MS, isoOf } from "../../oee/time.ts";
import { stopNameOf } from "../reports/stop-item.ts";
import type { LiveRow } from "./live-row.ts";
import type { Names } from "./names.ts";
import type { MachineRow } from "./queries.ts";
import { statusOf } from "./status.ts";

/** The columns of a machine's set-up that its row shows. */
type RowMachine = Pick<MachineRow, "id" | "name" | "ref" | "lineId" | "lineName" | keyof HelpCallColumns>;
type HelpCallColumns = Pick<MachineRow, "helpCallId" | "helpCalledAt" | "helpMessage" | "helpCalledBy" | "helpCalledByName">;

export const compareNames = new Intl.Collator("en", { numeric: true }).compare;

const noFigures = {
  isSlow: null,
  shortStops: null,
  total: null,
  defects: null,
  target: null,
  targetPerHour: null,
  targetAtEnd: null,
  forecast: null,
  oee: null,
  availability: null,
  effectiveness: null,
  quality: null,
  availableTime: null,
  unavailableTime: null,
  nonProgrammedDowntime: null,
  otherStopsTime: null,
  noDataTime: null,
  lateStartTime: null,
  idealTime: null,
};

const unreachable = {
  isReachable: false,
  isDegraded: null,
  heldCounts: null,
  isRecalculating: null,
  asOf: null,
  status: null,
  since: null,
  shift: null,
  sku: null,
  workOrder: null,
  operators: null,
  stop: null,
  plannedUntil: null,
  ...noFigures,
  lastEventAt: null,
};

/**
 * The row of a machine.
 * @param overview the state from its object; null: it did not answer
 * @param names of everything that the overview refers to: see `unknownOf`
 */
export function rowOf(machine: RowMachine, overview: MachineOverview | null, names: Names): LiveRow {
  return {
    machine: { name: machine.name, id: machine.id, ref: machine.ref },
    line: machine.lineId === null || machine.lineName === null ? null : { name: machine.lineName, id: machine.lineId },
    helpCall: helpCallOf(machine),
    ...(overview ? stateOf(machine.id, overview, names) : unreachable),
  };
}

function helpCallOf({ helpCallId: id, helpCalledAt, helpMessage: message, helpCalledBy, helpCalledByName }: HelpCallColumns) {
  if (id === null || helpCalledAt === null || helpCalledBy === null) return null;
  return { id, since: isoOf(helpCalledAt), message, calledBy: { id: helpCalledBy, name: helpCalledByName } };
}

function stateOf(machineId: number, overview: MachineOverview, names: Names) {
  const { asOf, since, shift, skuId, workOrderId, signedIn, heardAt, stop, numbers } = overview;
  const operators = signedIn.map((one) => ({
    id: one.operatorId,
    name: names.operators.get(one.operatorId) ?? null,
    since: isoOf(one.since),
  }));
  return {
    isReachable: true,
    isDegraded: overview.isDegraded ?? false,
    heldCounts: overview.heldCounts ?? 0,
    isRecalculating: overview.isRecalculating ?? false,
    asOf: shift && isoOf(asOf),
    status: statusOf(overview),
    since: isoOf(since),
    shift: shift && shiftRefOf({ shiftId: shift.shiftId, shiftName: names.shifts.get(shift.shiftId) ?? "" }, shift, asOf),
    sku: skuId === null ? null : { id: skuId, name: names.skus.get(skuId) ?? null },
    workOrder:
      workOrderId === null ? null : { id: workOrderId, ...(names.orders.get(workOrderId) ?? { code: null, name: null }) },
    operators: operators.sort((a, b) => compareNames(a.name ?? "", b.name ?? "") || a.id - b.id),
    stop: stopOf(machineId, overview, names),
    plannedUntil: isoOf(stop?.plannedUntil ?? null),
    ...figuresOfShift(numbers, shift, asOf),
    lastEventAt: isoOf(heardAt),
  };
}

function stopOf(machineId: number, { stop, stopSeq, since }: MachineOverview, names: Names) {
  if (!stop || stopSeq === null) return null;
  const { generalCauseId = null, specificCauseId = null, componentId = null } = stop.classification ?? {};
  const [generalCause, specificCause, component] = [generalCauseId, specificCauseId, componentId].map((id) =>
    id === null ? null : { id, name: names.causes.get(id) ?? null },
  );
  const causeNames = {
    generalCauseName: generalCause?.name ?? null,
    specificCauseName: specificCause?.name ?? null,
    componentName: component?.name ?? null,
  };
  return {
    id: recordId(machineId, stopSeq),
    since: isoOf(since),
    name: stopNameOf({ name: stop.name, breakName: stop.breakName, ...causeNames }),
    ...{ generalCause: generalCause ?? null, specificCause: specificCause ?? null, component: component ?? null },
  };
}

/** @param numbers null outside shifts, and for a machine that did not answer */
function figuresOfShift(numbers: ShiftNumbers | null, shift: ShiftOccurrence | null, asOf: number) {
  if (!numbers || !shift) return noFigures;
  const { sums, made, targetUnits, targetPerMs, shortStops, isSlow } = numbers;
  const { targetAtEnd, forecast } = forecastOf({ sums, total: made.totalUnits, targetUnits, targetPerMs }, shift, asOf);
  const figures = figuresOf({ ...sums, ...made, targetUnits });
  return {
    isSlow,
    shortStops,
    total: figures.total,
    defects: figures.defects,
    target: figures.target,
    targetPerHour: toHundredths(targetPerMs * HOUR_MS),
    targetAtEnd: targetAtEnd === null ? null : toHundredths(targetAtEnd),
    forecast: forecast === null ? null : toHundredths(forecast),
    oee: figures.oee,
    availability: figures.availability,
    effectiveness: figures.effectiveness,
    quality: figures.quality,
    availableTime: figures.availableTime,
    unavailableTime: figures.unavailableTime,
    nonProgrammedDowntime: figures.nonProgrammedDowntime,
    otherStopsTime: figures.otherStopsTime,
    noDataTime: figures.noDataTime,
    lateStartTime: toMinutes(sums.lateStartMs),
    idealTime: figures.idealTime,
  };
}
