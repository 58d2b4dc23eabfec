import fc from "fast-check";
import { expect, inject, test, vi } from "vitest";
import {
  naiveOperatorTimes,
  naiveOperatorUnits,
  naivePieces,
  naiveProduction,
  naiveRecent,
  naiveShifts,
  naiveSums,
  withoutReadings,
} from "./naive.ts";
import { classify, streams } from "./streams.ts";
import { replay } from "./support.ts";

vi.setConfig({ testTimeout: 60_000 + 100 * inject("engine").runs });

/** The number of streams; each is some 1,500 seconds long. */
const STREAMS = 4 * inject("engine").runs;

test("the engine agrees with the implementation by seconds on every stream", () => {
  fc.assert(
    fc.property(streams(1000), ({ machine, events, manual, now }) => {
      const engine = replay(events, machine, { now, manual, classify });
      const naive = { settings: machine, events: withoutReadings({ settings: machine, events, manual, now }), manual, now };
      const pieces = naivePieces(naive).map((piece) => {
        if (!piece.stop) return { ...piece, stop: null };
        const said = classify(piece);
        return {
          ...piece,
          stop: {
            ...piece.stop,
            isProgrammed: said?.isProgrammed ?? piece.stop.isProgrammed,
            isIncludedInAvailability: said?.isIncludedInAvailability ?? piece.stop.isIncludedInAvailability,
            isAnnotated: said?.isAnnotated ?? false,
          },
        };
      });
      const upToNow = engine.pieces
        .filter((piece) => piece.start < now)
        .map((piece) => ({ ...piece, end: Math.min(piece.end, now) }));
      expect(upToNow).toEqual(pieces);

      const shifts = naiveShifts(naive);
      expect(engine.shifts.map(({ occurrence }) => [occurrence.shiftId, occurrence.start, occurrence.end])).toEqual(
        shifts.map(({ shiftId, start, end }) => [shiftId, start, end]),
      );
      for (const [i, shift] of shifts.entries()) {
        const report = engine.shifts[i];
        const asOf = Math.min(shift.end, now);
        const isAnnotated = (stop: { start: number }) => classify(stop)?.isAnnotated === true;
        expect(report?.sums).toMatchObject(naiveSums(pieces, shift, asOf, isAnnotated));
        const { lostByDefectsMs, ...made } = naiveProduction(naive, shift);
        expect(report?.made).toMatchObject({ ...made, ...naiveRecent(naive, pieces, shift, asOf) });
        expect(report?.made.lostByDefectsMs).toBeCloseTo(lostByDefectsMs, 5);
        expect(report?.operators).toEqual(naiveOperatorTimes(naive, pieces, shift, asOf));
        expect(report?.tally?.perOperator ?? {}).toEqual(naiveOperatorUnits(naive, shift));
      }
    }),
    { numRuns: STREAMS },
  );
});
