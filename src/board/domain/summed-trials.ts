import type { ApiSchema } from "../../client/client.ts";

type DryRun = ApiSchema<"DryRun">;
type Sums = DryRun["before"];

/** The most shifts that a list of them has. */
const MOST_SHIFTS = 1000;

/** What changes of several machines would do together. Each was tried to its end, and no shift is of two of them. */
export function summedTrials(all: readonly DryRun[]): DryRun {
  const shifts = all.flatMap((one) => one.shifts).sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  const sum = (numberIn: (one: DryRun) => number) => all.reduce((total, one) => total + numberIn(one), 0);
  return {
    recalculationId: null,
    machineCount: sum((one) => one.machineCount),
    shiftCount: sum((one) => one.shiftCount),
    shifts: shifts.slice(0, MOST_SHIFTS),
    before: summed(all.map((one) => one.before)),
    after: summed(all.map((one) => one.after)),
  };
}

/** Sums of sums. The percentages are made of them as the service makes them: see the numbers of a shift in docs/numbers.md. */
function summed(all: readonly Sums[]): Sums {
  const sum = (numberIn: (one: Sums) => number) => all.reduce((total, one) => total + numberIn(one), 0);
  const of = (name: keyof Sums) => sum((one) => one[name]);
  const [availableTime, total, defects] = [of("availableTime"), of("total"), of("defects")];
  const [programmedDowntime, nonProgrammedDowntime] = [of("programmedDowntime"), of("nonProgrammedDowntime")];
  const availability = ratio(availableTime, availableTime + programmedDowntime + nonProgrammedDowntime);
  const netAvailability = ratio(availableTime, availableTime + nonProgrammedDowntime);
  const effectiveness = ratio(
    sum((one) => (one.effectiveness / 100) * one.availableTime),
    availableTime,
  );
  const quality = total === 0 ? Number(defects === 0) : Math.max(0, (total - defects) / total);
  return {
    shifts: of("shifts"),
    oee: percent(availability * effectiveness * quality),
    netOee: percent(netAvailability * effectiveness * quality),
    availability: percent(availability),
    netAvailability: percent(netAvailability),
    effectiveness: percent(effectiveness),
    quality: percent(quality),
    ...{ total, defects, availableTime, programmedDowntime, nonProgrammedDowntime },
    otherStopsTime: of("otherStopsTime"),
    noDataTime: of("noDataTime"),
  };
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

function percent(value: number): number {
  return Math.round(value * 10_000) / 100;
}
