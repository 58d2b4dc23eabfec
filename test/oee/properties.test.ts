import fc from "fast-check";
import { expect, inject, test, vi } from "vitest";
import type { MachineEvent } from "../../src/oee/events.ts";
import { maxOf } from "../../src/oee/extremes.ts";
import { type MachineLedger, openSpans } from "../../src/oee/machine.ts";
import type { SettingsHistory } from "../../src/oee/settings.ts";
import { extendSums, segmentsOf, sumSegments } from "../../src/oee/shift-ledger.ts";
import { extendPart } from "../../src/oee/shift-parts.ts";
import { ShiftCalendar } from "../../src/oee/shifts.ts";
import { kindAt, nextThreshold, type Span, undecidedFrom } from "../../src/oee/signal.ts";
import { clip, DAY_MS, HOUR_MS } from "../../src/oee/time.ts";
import { classify, type Stream, streams, streamsUnderChange } from "./streams.ts";
import {
  advance,
  at,
  count,
  type Fold,
  inOrder,
  MINUTE_MS,
  type Replay,
  readFold,
  replay,
  sample,
  settings,
  startFold,
} from "./support.ts";

declare module "vitest" {
  interface ProvidedContext {
    engine: { runs: number };
  }
}

vi.setConfig({ testTimeout: 60_000 + 100 * inject("engine").runs });

const runs = { numRuns: inject("engine").runs };
/** For tests that are fast. */
const moreRuns = { numRuns: 2.5 * runs.numRuns };
/** A part of a whole, to choose an instant or an event. */
const share = () => fc.double({ min: 0, max: 1, noNaN: true });

test("pieces have no gaps and no overlaps, and a shift's buckets add up to its covered time", () => {
  fc.assert(
    fc.property(streamsUnderChange(false), ({ history, events, manual, now }) => {
      const { pieces, shifts } = replay(events, history, { now, manual, classify });
      let cursor = history[0].commissionedAt;
      for (const piece of pieces) {
        expect(piece.start).toBe(cursor);
        expect(piece.end).toBeGreaterThan(piece.start);
        expect(piece.stop !== null).toBe(piece.kind === "stop");
        cursor = piece.end;
      }
      expect(cursor).toBe(now + 1);
      for (const { occurrence, asOf, sums, operators } of shifts) {
        const coveredMs = asOf - Math.max(occurrence.start, history[0].commissionedAt);
        const unavailableMs = sums.programmedMs + sums.nonProgrammedMs;
        expect(sums.availableMs + sums.noDataMs + unavailableMs + sums.otherMs).toBe(coveredMs);
        expect(sums.lateStartMs + sums.nonProgrammedSinceAvailableMs).toBeLessThanOrEqual(sums.nonProgrammedMs);
        for (const { uptimeMs, downtimeMs } of operators) {
          expect(uptimeMs).toBeLessThanOrEqual(sums.availableMs);
          expect(downtimeMs).toBeLessThanOrEqual(unavailableMs);
        }
      }
    }),
    runs,
  );
});

const summed = [
  ...(["availableMs", "noDataMs", "programmedMs", "nonProgrammedMs", "otherMs", "annotatedMs"] as const),
  ...(["cycles", "totalUnits", "defectUnits", "unitsWithoutTime", "idealMs", "cyclesWithStandard", "lostByDefectsMs"] as const),
];

test("the parts of a shift cover it without overlap, each in one local hour, and add up to its record", () => {
  fc.assert(
    fc.property(streamsUnderChange(false), ({ history, events, manual, now }) => {
      for (const { occurrence, asOf, sums, made, parts } of replay(events, history, { now, manual, classify }).shifts) {
        const known = { ...sums, ...made };
        const isOpen = sums.openBucket !== null;
        const last = parts.at(-1);
        expect(parts[0]?.startAt).toBe(Math.max(occurrence.start, history[0].commissionedAt));
        for (const [i, part] of parts.entries()) {
          expect(part.endAt).toBeGreaterThan(part.startAt);
          if (part !== last) expect(part.endAt).toBe(parts[i + 1]?.startAt);
          expect(part.hourStart).toBeLessThanOrEqual(part.startAt);
          expect(part.endAt).toBeLessThanOrEqual(part.hourStart + HOUR_MS);
          const covered = (part.asOf ?? part.endAt) - part.startAt;
          expect(part.availableMs + part.noDataMs + part.programmedMs + part.nonProgrammedMs + part.otherMs).toBe(covered);
          const [units, defects, scheduled] = [0, 1, 2].map((n) => part.fiveMinutes.reduce((sum, one) => sum + (one[n] ?? 0), 0));
          expect(units).toBeCloseTo(part.totalUnits, 5);
          expect(defects).toBeCloseTo(part.defectUnits, 5);
          expect(scheduled).toBe(part.availableMs + part.nonProgrammedMs);
          expect(part.defectUnits).toBeGreaterThanOrEqual(0);
        }
        if (isOpen) expect(last).toMatchObject({ asOf, openBucket: sums.openBucket });
        else expect(last).toMatchObject({ endAt: asOf, openBucket: null });
        for (const member of summed) {
          const sum = parts.reduce((total, part) => total + part[member], 0);
          expect(sum, member).toBeCloseTo(known[member], 5);
        }
      }
    }),
    runs,
  );
});

test("the extended open part of a running shift equals the later parts if no event arrives", () => {
  fc.assert(
    fc.property(streamsUnderChange(false), share(), ({ history, events, manual, now }, part) => {
      const before = replay(events, history, { now, manual, classify });
      const running = before.shifts.at(-1);
      const threshold = nextThreshold(before.fold.ledger.signal, now) ?? now + DAY_MS;
      const edges = [running?.occurrence, ...(running?.occurrence.breaks ?? [])].flatMap((one) =>
        one ? [one.start, one.end] : [],
      );
      const changes = [
        threshold,
        ...edges,
        ...history.map(({ since }) => since),
        ...manual.flatMap(({ start, end }) => [start, end]),
      ];
      const until = Math.min(...changes.filter((at) => at > now)) - 1;
      if (!running?.sums.openBucket || !(until > now)) return;
      const later = Math.floor(now + part * (until - now));
      const [open] = running.parts.slice(-1);
      const expected = replay(events, history, { now: later, manual, classify }).shifts.at(-1)?.parts;
      if (open) expect([...running.parts.slice(0, -1), ...extendPart(open, later, running.occurrence.end)]).toEqual(expected);
    }),
    runs,
  );
});

test("event by event, saved and read in between, gives the same as a replay from scratch", () => {
  fc.assert(
    fc.property(
      streamsUnderChange(false),
      fc.array(fc.boolean(), { minLength: 7 }),
      ({ history, events, manual, now }, saves) => {
        const ordered = inOrder(events);
        const calendar = new ShiftCalendar(history);
        const fold = startFold(history);
        for (const [i, event] of ordered.entries()) {
          advance(fold, [event], history, calendar);
          const saved = JSON.stringify(fold.ledger);
          if (saves[i % saves.length]) fold.ledger = JSON.parse(saved) as MachineLedger;
          openSpans(fold.ledger, event.at + i * MINUTE_MS, event.at + i * MINUTE_MS + 1);
          expect(JSON.stringify(fold.ledger)).toBe(saved);
        }
        const options = { now, manual, classify };
        expect(readFold(fold, ordered, history, options)).toEqual(replay(events, history, options));
      },
    ),
    runs,
  );
});

test("late events, replayed from the last checkpoint before them, give the same as in order", () => {
  fc.assert(
    fc.property(
      streamsUnderChange(false),
      fc.array(fc.boolean(), { minLength: 5 }),
      fc.integer({ min: 1, max: 9 }),
      ({ history, events, manual, now }, lateness, everyEvents) => {
        const onTime = events.filter((_, i) => !lateness[i % lateness.length]);
        const late = events.filter((_, i) => lateness[i % lateness.length]);
        const fold = foldWithLateEvents(history, inOrder(onTime), late, everyEvents);
        const options = { now, manual, classify };
        expect(readFold(fold, inOrder(events), history, options)).toEqual(replay(events, history, options));
      },
    ),
    runs,
  );
});

test("a repeated event changes no piece", () => {
  fc.assert(
    fc.property(streams(1), share(), ({ machine, events, manual, now }, part) => {
      // A repeated count of an instant covers more time; the journal stores no event twice.
      const covers = (event: MachineEvent) => machine.reportingMs !== undefined || "since" in event;
      const repeated = events.slice(0, Math.ceil(part * events.length)).filter((event) => !covers(event));
      const once = replay(events, machine, { now, manual });
      expect(replay([...events, ...repeated], machine, { now, manual }).pieces).toEqual(once.pieces);
    }),
    runs,
  );
});

test("splitting the timeline anywhere changes nothing", () => {
  fc.assert(
    fc.property(streams(1), share(), ({ machine, events, manual, now }, part) => {
      const { pieces, shifts } = replay(events, machine, { now, manual, classify });
      for (const { occurrence, asOf, sums } of shifts) {
        const cut = Math.round(occurrence.start + part * (asOf - occurrence.start));
        const before = segmentsOf(pieces, { start: occurrence.start, end: cut });
        const after = segmentsOf(pieces, { start: cut, end: asOf });
        const whole = sumSegments([...before, ...after], asOf, null);
        expect(whole).toEqual({ ...sums, openBucket: null, openIsAnnotated: false });
        const [left, right] = [sumSegments(before, cut, null), sumSegments(after, asOf, null)];
        for (const member of ["availableMs", "noDataMs", "programmedMs", "nonProgrammedMs", "otherMs", "annotatedMs"] as const) {
          expect(left[member] + right[member]).toBe(sums[member]);
        }
      }
    }),
    runs,
  );
});

test("the sums of a silent machine are those of extendSums, until a threshold or an edge", () => {
  fc.assert(
    fc.property(streams(1), fc.nat(), share(), ({ machine, events, manual, now }, pick, part) => {
      const known = replay(events, machine, { now, manual });
      const t1 = instantsWorthALook(known, now)[pick % instantsWorthALook(known, now).length] ?? now;
      const heard = events.filter((event) => event.at <= t1);
      const first = replay(heard, machine, { now: t1, manual, classify });
      const edges = manual.flatMap(({ start, end }) => [start, end]).filter((edge) => edge > t1);
      const calendar = new ShiftCalendar([machine]);
      const threshold = nextThreshold(first.fold.ledger.signal, t1) ?? Number.POSITIVE_INFINITY;
      const limit = Math.min(threshold, calendar.nextEdge(t1) ?? Number.POSITIVE_INFINITY, ...edges) - 1;
      const t2 = Math.round(t1 + part * (Math.min(limit, t1 + 30 * MINUTE_MS) - t1));
      const second = replay(heard, machine, { now: t2, manual, classify });
      expect(first.shifts.map(({ sums }) => extendSums(sums, t2))).toEqual(second.shifts.map(({ sums }) => sums));
    }),
    moreRuns,
  );
});

test("silence changes nothing before the next threshold, but does there", () => {
  fc.assert(
    fc.property(streams(1), share(), ({ machine, events, now }, part) => {
      const { ledger } = replay(events, machine, { now }).fold;
      const threshold = nextThreshold(ledger.signal, now);
      const asOf = (t: number) => openSpans(ledger, t, t + 1);
      const goingOn = (t: number) => {
        const spans = asOf(now);
        return [...spans.slice(0, -1), ...spans.slice(-1).map((span) => ({ ...span, end: t + 1 }))];
      };
      const last = (threshold ?? now + 1000 * MINUTE_MS) - 1;
      const t = Math.round(now + part * (last - now));
      expect(asOf(t)).toEqual(goingOn(t));
      expect(asOf(last)).toEqual(goingOn(last));
      if (threshold !== null && kindAt(ledger.signal, last) !== "noData") {
        expect(asOf(threshold)).not.toEqual(goingOn(threshold));
      }
    }),
    moreRuns,
  );
});

test("settled pieces never change, whatever events arrive", () => {
  fc.assert(
    fc.property(streamsUnderChange(false), share(), ({ history, events, now }, part) => {
      const ordered = inOrder(events);
      const known = ordered.slice(0, Math.floor(part * ordered.length));
      const fold = startFold(history);
      advance(fold, known, history, new ShiftCalendar(history));
      const settled = undecidedFrom(fold.ledger.signal);
      const later = known.at(-1)?.at ?? history[0].commissionedAt;
      const before = readFold(fold, known, history, { now: later }).pieces;
      const after = replay(events, history, { now }).pieces;
      expect(upTo(settled, after)).toEqual(upTo(settled, before));
    }),
    runs,
  );
});

test("the moment at which settings change changes nothing", () => {
  fc.assert(
    fc.property(streamsUnderChange(false), ({ history, events, manual }) => {
      const now = history[1]?.since ?? 0;
      const heard = events.filter((event) => event.at <= now);
      const [first] = history;
      const isSameSignal = history[1]?.signal === first.signal;
      const before = isSameSignal ? heard : heard.filter((event) => event.at < now);
      const { pieces } = replay(before, history, { now, manual });
      expect(pieces).toEqual(replay(before, [first], { now, manual }).pieces);
    }),
    runs,
  );
});

test("a change of the limits does not affect gaps between earlier counts", () => {
  fc.assert(
    fc.property(streamsUnderChange(true), ({ history, events, manual, now }) => {
      const [first, second] = history;
      fc.pre(first.signal === "counts");
      const since = second?.since ?? now;
      // Whether a later count comes first after a silence depends on the limit of the last sample before it, which may be a new one. Such a
      // count covers no time, not even that of a machine that reports seldom: the gap that is open at the change may end in another way.
      const isOpenGapFixed = !first.reportingMs || second?.noDataAfterMs === first.noDataAfterMs;
      const counts = events.filter((event) => event.kind === "count" && event.cycles > 0 && event.at < since);
      const until = isOpenGapFixed ? since : maxOf([first.commissionedAt, ...counts.map((event) => event.at)]);
      const changed = replay(events, history, { now, manual }).pieces;
      const unchanged = replay(events, [first], { now, manual }).pieces;
      expect(upTo(until, changed)).toEqual(upTo(until, unchanged));
    }),
    { ...runs, examples: [[limitChangedInOpenGap()]] },
  );
});

/**
 * A machine that reports seldom is silent for longer than the old limit allows, and not for longer than the new one: by the old one, its count covers
 * no time.
 */
function limitChangedInOpenGap(): Omit<Stream, "machine"> & { history: SettingsHistory } {
  const start = at("10:00");
  const first = settings({ commissionedAt: start, noDataAfterMs: 15_000, reportingMs: 40_000 });
  return {
    history: [first, { ...first, since: start + 1000, noDataAfterMs: null }],
    events: [sample(start), sample(start + 5000), count(start + 120_001)],
    manual: [],
    now: start + 121_000,
  };
}

/** Folds events in order, then each late one from an earlier checkpoint; there is a checkpoint every few events. */
function foldWithLateEvents(
  history: SettingsHistory,
  onTime: MachineEvent[],
  late: readonly MachineEvent[],
  everyEvents: number,
): Fold {
  const calendar = new ShiftCalendar(history);
  const foldFrom = (saved: string, events: readonly MachineEvent[], position: number): string[] => {
    const checkpoints: string[] = [];
    const fold = JSON.parse(saved) as Fold;
    for (const [i, event] of events.entries()) {
      if ((position + i) % everyEvents === 0) checkpoints[(position + i) / everyEvents] = JSON.stringify(fold);
      advance(fold, [event], history, calendar);
    }
    return [...checkpoints, JSON.stringify(fold)];
  };
  let stored = onTime;
  let checkpoints = foldFrom(JSON.stringify(startFold(history)), stored, 0);
  for (const event of late) {
    stored = inOrder([...stored, event]);
    const number = Math.floor(stored.indexOf(event) / everyEvents);
    const kept = checkpoints.slice(0, number + 1);
    const position = number * everyEvents;
    checkpoints = [...kept.slice(0, -1), ...foldFrom(kept.at(-1) ?? "", stored.slice(position), position).slice(number)];
  }
  return JSON.parse(checkpoints.at(-1) ?? "") as Fold;
}

/** Starts and ends of all pieces and shifts up to now, each with the adjacent instants, and now. */
function instantsWorthALook({ pieces, shifts }: Replay, now: number): number[] {
  const edges = [...pieces, ...shifts.map(({ occurrence }) => occurrence)].flatMap(({ start, end }) => [start, end]);
  const from = pieces[0]?.start ?? now;
  return [...edges.flatMap((edge) => [edge - 1, edge, edge + 1]), now].filter((t) => t >= from && t <= now);
}

function upTo<T extends Omit<Span, "kind">>(end: number, pieces: readonly T[]): T[] {
  return pieces.flatMap((piece) => {
    const part = clip(piece, Number.NEGATIVE_INFINITY, end);
    return part ? [{ ...piece, ...part }] : [];
  });
}
