import { localToUtc } from "../../../../src/oee/zone.ts";
import {
  createCompany,
  createMachine,
  createShift,
  createShiftRecord,
  createStopCause,
  createStopSlice,
  createUser,
} from "../../../support/factories.ts";

export const minute = 60_000;
const day = 1440;
const timezone = "Europe/Madrid";

interface Run {
  companyId: number;
  machineId: number;
  shiftId: number;
  startAt: number;
  endAt: number;
}

/**
 * A company in Madrid with random stops, silences and shift records for some days from local midnight of `firstDate`:
 * one machine in three shifts, one only in the morning shift, so that some of its stops begin outside shifts.
 */
export async function createStoppedPlant(firstDate: string, days: number) {
  const { companyId } = await createCompany({ timezone });
  const { token } = await createUser(companyId, "readonly");
  const starts = [6, 14, 22];
  const shifts = await Promise.all(starts.map((hour) => createShift(companyId, { name: `From ${hour}` })));
  const machines = [await createMachine(companyId, { commissionedAt: 0 }), await createMachine(companyId, { commissionedAt: 0 })];
  const general = [await createStopCause(companyId), await createStopCause(companyId)];
  const specific = await createStopCause(companyId, { level: "specific" });
  const component = await createStopCause(companyId, { level: "component" });
  const firstDay = Date.parse(firstDate) / (day * minute);
  const startAt = localToUtc(timezone, firstDay, 0);
  const endAt = localToUtc(timezone, firstDay + days, 0);

  for (const [m, machine] of machines.entries()) {
    const daily = shifts.slice(0, m === 0 ? 3 : 1);
    const runs = daysOf(firstDay - 1, firstDay + days).flatMap((date) =>
      daily.map(({ shiftId }, s) => {
        const at = (hour: number) => localToUtc(timezone, date, hour * 60);
        const startsAt = starts[s] ?? 0;
        return { companyId, machineId: machine.id, shiftId, startAt: at(startsAt), endAt: at(startsAt + 8) };
      }),
    );
    const spans = randomSpans(startAt - 10 * 60 * minute, endAt);
    for (const [i, span] of spans.entries()) {
      if (isSilence(i)) continue;
      await createStop(span, runs, {
        isProgrammed: i % 3 === 0,
        isIncludedInStops: i % 4 !== 0,
        deletedAt: isDeleted(i) ? endAt : null,
        ...(i % 2 === 0 && {
          classificationId: i + 1,
          classifiedAt: endAt,
          generalCauseId: general[i % 4 ? 1 : 0]?.causeId ?? null,
        }),
        ...(i % 6 === 0 && { specificCauseId: specific.causeId, componentId: component.causeId }),
      });
    }
    const silences = spans.filter((_, i) => isSilence(i));
    const stopped = spans.filter((_, i) => !isSilence(i) && !isDeleted(i));
    for (const run of runs) await createRecord(run, silences, stopped);
  }
  return { companyId, token, machines, shifts, general, specific, startAt, endAt };
}

const isSilence = (i: number) => i % 5 === 4;
const isDeleted = (i: number) => i % 7 === 6;
const daysOf = (first: number, end: number) => Array.from({ length: end - first }, (_, i) => first + i);

type Span = [start: number, end: number];

/** Spans one after the other, in whole minutes, a few of them longer than a shift. */
function randomSpans(from: number, to: number): Span[] {
  const spans: Span[] = [];
  const upTo = (most: number) => (1 + Math.floor(Math.random() * most)) * minute;
  for (let at = from; at < to; ) {
    const start = at + upTo(40);
    at = start + upTo(spans.length % 6 === 5 ? 900 : 50);
    spans.push([start, at]);
  }
  return spans;
}

function clip([start, end]: Span, run: Pick<Run, "startAt" | "endAt">): Span[] {
  const part: Span = [Math.max(start, run.startAt), Math.min(end, run.endAt)];
  return part[0] < part[1] ? [part] : [];
}

async function createRecord(run: Run, silences: Span[], stopped: Span[]) {
  const sum = (parts: Span[]) => parts.reduce((total, [start, end]) => total + end - start, 0);
  const noDataSpans = silences.flatMap((span) => clip(span, run));
  const [noDataMs, nonProgrammedMs] = [sum(noDataSpans), sum(stopped.flatMap((span) => clip(span, run)))];
  const availableMs = run.endAt - run.startAt - noDataMs - nonProgrammedMs;
  await createShiftRecord(run, { noDataSpans, noDataMs, nonProgrammedMs, availableMs });
}

async function createStop(span: Span, runs: Run[], options: Parameters<typeof createStopSlice>[1]) {
  let id: number | undefined;
  for (const { startAt: shiftStart, endAt: shiftEnd, ...of } of runs) {
    for (const [sliceStart, sliceEnd] of clip(span, { startAt: shiftStart, endAt: shiftEnd })) {
      const whole = { startAt: span[0], endAt: span[1], ...(id !== undefined && { id }) };
      id = (await createStopSlice({ ...of, shiftStart, shiftEnd, sliceStart, sliceEnd }, { ...options, ...whole })).id;
    }
  }
}
