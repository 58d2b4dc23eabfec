import {
  createCompany,
  createHourOutsideShifts,
  createLine,
  createMachine,
  createOperator,
  createOperatorShift,
  createShift,
  createSku,
  createStopCause,
  createStopSlice,
  createUser,
  createWorkOrder,
} from "../../../support/factories.ts";
import { createShiftParts } from "../../../support/shift-parts.ts";

export const minute = 60_000;
export const hour = 60 * minute;

/** The parts of a plant, as inserted into the database, with the names of the objects that they refer to. */
export interface PlantPart {
  machine: Named;
  line: Named | null;
  shift: Named;
  sku: { id: string; name: string } | null;
  workOrder: { id: string; code: string; name: string } | null;
  startAt: number;
  availableMs: number;
  programmedMs: number;
  nonProgrammedMs: number;
  otherMs: number;
  noDataMs: number;
  annotatedMs: number;
  cycles: number;
  totalUnits: number;
  defectUnits: number;
  idealMs: number;
  lostByDefectsMs: number;
  unitStandardMs: number | null;
}

/** Good units outside shifts, as inserted into the database. */
export type PlantHour = Pick<PlantPart, "machine" | "line" | "startAt"> & { units: number };

interface Named {
  id: number;
  name: string;
}

/** A slice of a stop, as inserted into the database, and the part that contains it. */
export interface PlantSlice {
  part: PlantPart;
  start: number;
  end: number;
  bucket: (typeof buckets)[number];
  general: Named | null;
  specific: Named | null;
}

const buckets = ["programmedMs", "nonProgrammedMs", "otherMs"] as const;

/** Pseudo-random numbers, the same each time: `roll(6)` is 0 to 5. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % sides;
  };
}

/**
 * A company in Madrid with three machines, two of them in a line, which worked in three shifts of eight hours from the start. An hour is
 * one part, or two if the SKU changes at half past. One hour of each shift and one of a fourth machine also have units outside shifts. Every other part begins with a slice of a stop, with or without a cause.
 */
export async function createSummedPlant(startAt: number, hours: number) {
  const { companyId } = await createCompany({ timezone: "Europe/Madrid" });
  const { token } = await createUser(companyId, "readonly");
  const line = await createLine(companyId, { name: "Line 1" });
  const machines = [
    await createMachine(companyId, { name: "Press", lineId: line.id }),
    await createMachine(companyId, { name: "Saw", lineId: line.id }),
    await createMachine(companyId, { name: "Lathe" }),
  ];
  const shifts = [
    await createShift(companyId, { name: "Night" }),
    await createShift(companyId, { name: "Morning" }),
    await createShift(companyId, { name: "Late" }),
  ];
  const skus = [await createSku(companyId, { name: "Bottle" }), await createSku(companyId, { name: "Can" })];
  const general = await createStopCause(companyId, { name: "Breakdown" });
  const specific = await createStopCause(companyId, { name: "Jam", level: "specific", parentId: general.id });
  const operators = [await createOperator(companyId, { name: "Ana" }), await createOperator(companyId, { name: "Bo" })];
  const plant = { companyId, token, line, machines, shifts, skus, general, specific, operators };
  const roll = dice(hours);
  const parts: PlantPart[] = [];
  const slices: PlantSlice[] = [];
  const worked: Presence[] = [];
  const outside: PlantHour[] = [];

  for (const [m, machine] of machines.entries()) {
    const { workOrderId } = await createWorkOrder(machine, skus[0]?.skuId ?? "", { code: `WO-${m}`, name: `Order ${m}` });
    const workOrder = { id: workOrderId, code: `WO-${m}`, name: `Order ${m}` };
    for (let h = 0; h < hours; h += 8) {
      const shift = named(shifts[(h / 8) % 3] ?? { id: 0, name: "" });
      const ofShift = { companyId, machineId: machine.id, shiftId: shift.id, ...shiftTimes(startAt, h, hours) };
      const of = { machine: named(machine), line: ofLine(machine, line), shift };
      for (const time of partsOf(ofShift, roll)) {
        const made = { sku: skuOf(skus[roll(3)]), workOrder: [workOrder, null][roll(2)] ?? null };
        const slice = await createHour(ofShift, { ...of, ...made }, time, [named(general), named(specific)], roll);
        parts.push(slice.part);
        if (slice.end > slice.start) slices.push(slice);
      }
      outside.push({ ...of, startAt: startAt + h * hour, units: h + m + 0.5 });
      worked.push(...(await createPresences(ofShift, of, operators, roll)));
    }
  }
  // Made in no shift at all.
  outside.push({
    machine: named(await createMachine(companyId, { name: "Mill" })),
    line: null,
    startAt: startAt + 5 * hour,
    units: 7,
  });
  for (const { machine, startAt, units } of outside)
    await createHourOutsideShifts({ companyId, machineId: machine.id }, startAt, units);
  return { ...plant, parts, slices, worked, outside, startAt, endAt: startAt + hours * hour };
}

interface Presence {
  operator: Named;
  machine: Named;
  shift: Named;
  startAt: number;
  uptimeMs: number;
  downtimeMs: number;
  units: number;
}

/** Inserts the shares of operators in a shift. */
async function createPresences(
  ofShift: OfShift,
  { machine, shift }: Pick<PlantPart, "machine" | "shift">,
  operators: readonly Named[],
  roll: (sides: number) => number,
): Promise<Presence[]> {
  const presences = operators.map((operator) => {
    const did = { uptimeMs: roll(400) * minute, downtimeMs: roll(60) * minute, units: roll(3000) };
    return { operator: named(operator), machine, shift, startAt: ofShift.shiftStart, ...did };
  });
  for (const { operator, uptimeMs, downtimeMs, units } of presences) {
    await createOperatorShift({ ...ofShift, operatorId: operator.id }, { uptimeMs, downtimeMs, units });
  }
  return presences;
}

interface OfShift {
  companyId: number;
  machineId: number;
  shiftId: number;
  shiftStart: number;
  shiftEnd: number;
}

function ofLine(machine: { lineId: number | null }, line: Named): Named | null {
  return machine.lineId === null ? null : named(line);
}

function skuOf(sku: { skuId: string; name: string } | undefined) {
  return sku ? { id: sku.skuId, name: sku.name } : null;
}

function named({ id, name }: Named): Named {
  return { id, name };
}

function shiftTimes(startAt: number, fromHour: number, hours: number) {
  return { shiftStart: startAt + fromHour * hour, shiftEnd: startAt + Math.min(fromHour + 8, hours) * hour };
}

/** The times of a shift's parts: full hours, some of them split in half. */
function partsOf({ shiftStart, shiftEnd }: { shiftStart: number; shiftEnd: number }, roll: (sides: number) => number) {
  const parts: { start: number; end: number }[] = [];
  for (let start = shiftStart; start < shiftEnd; start += hour) {
    const half = start + hour / 2;
    if (roll(3) > 0) parts.push({ start, end: start + hour });
    else parts.push({ start, end: half }, { start: half, end: start + hour });
  }
  return parts;
}

/** Inserts a part, and the slice of a stop with which it begins; some slices have no length, and are left out. */
async function createHour(
  ofShift: OfShift,
  of: Pick<PlantPart, "machine" | "line" | "shift" | "sku" | "workOrder">,
  { start, end }: { start: number; end: number },
  [general, specific]: [Named, Named],
  roll: (sides: number) => number,
): Promise<PlantSlice> {
  const stopMs = roll(2) * (roll(10) + 1) * minute;
  const [causes, bucket] = [roll(3), buckets[roll(3)] ?? "otherMs"];
  const units = roll(500) + 20;
  const noDataMs = roll(4) === 0 ? 5 * minute : 0;
  const sums = {
    ...{ programmedMs: 0, nonProgrammedMs: 0, otherMs: 0, noDataMs },
    availableMs: end - start - stopMs - noDataMs,
    annotatedMs: causes > 0 && bucket !== "otherMs" ? stopMs : 0,
    cycles: units,
    totalUnits: units * 2,
    defectUnits: roll(20),
    idealMs: units * 3300.5,
    lostByDefectsMs: roll(90_000),
    unitStandardMs: roll(5) === 0 ? null : 1650.25,
    [bucket]: stopMs,
  };
  const ids = { skuId: of.sku?.id ?? null, workOrderId: of.workOrder?.id ?? null };
  await createShiftParts(ofShift, [{ ...sums, ...ids, startAt: start, endAt: end }]);
  const slice = {
    part: { ...of, ...sums, startAt: start },
    ...{ start, end: start + stopMs, bucket },
    general: causes > 0 ? general : null,
    specific: causes > 1 ? specific : null,
  };
  if (stopMs > 0) {
    await createStopSlice(
      { ...ofShift, sliceStart: start, sliceEnd: slice.end },
      {
        isProgrammed: bucket === "programmedMs",
        isIncludedInAvailability: bucket !== "otherMs",
        generalCauseId: slice.general?.id ?? null,
        specificCauseId: slice.specific?.id ?? null,
      },
    );
  }
  return slice;
}
