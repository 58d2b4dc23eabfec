import fc from "fast-check";
import { expect, inject, test, vi } from "vitest";
import { Amendments, type NumberedAmendment } from "../../src/oee/amendments.ts";
import type { FoldedEvent, MachineEvent } from "../../src/oee/events.ts";
import type { MachineLedger } from "../../src/oee/machine.ts";
import { ShiftCalendar } from "../../src/oee/shifts.ts";
import { type Stream, streams } from "./streams.ts";
import { advance, type Fold, inOrder, startFold } from "./support.ts";

vi.setConfig({ testTimeout: 60_000 + 100 * inject("engine").runs });

const runs = { numRuns: inject("engine").runs };
const TICK = 1000;

/** Events with what amendments say, as a machine's object reads them. */
function amended(events: readonly MachineEvent[], amendments: Amendments): FoldedEvent[] {
  const meant = events.map((event) => amendments.meaningOf(event));
  const edges = amendments.edges({ start: 0, end: Number.MAX_SAFE_INTEGER }).flatMap((at) => amendments.eventAt(at) ?? []);
  return inOrder<FoldedEvent>([...meant, ...edges]);
}

function foldOf({ machine }: Pick<Stream, "machine">, events: readonly FoldedEvent[]): Fold {
  const fold = startFold([machine]);
  advance(fold, events, [machine], new ShiftCalendar([machine]));
  return fold;
}

const partOf = fc.double({ min: 0, max: 1, noNaN: true });
const changes = fc.array(
  fc.record({
    kind: fc.constantFrom("runs" as const, "presences" as const),
    from: partOf,
    length: partOf,
    parts: fc.array(fc.tuple(partOf, partOf, fc.nat(2)), { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 3 },
);

type Change = typeof changes extends fc.Arbitrary<(infer One)[]> ? One : never;

/** An amendment of some time of a stream. */
function amendmentOf({ machine, now }: Stream, { kind, from, length, parts }: Change, n: number): NumberedAmendment {
  const tick = (at: number) => Math.floor(at / TICK) * TICK;
  const start = tick(machine.commissionedAt + from * (now - machine.commissionedAt - TICK));
  const end = Math.max(start + TICK, tick(start + length * (now - start)));
  const inside = (part: number) => tick(start + part * (end - start - 1));
  if (kind === "runs") {
    const starts = [...new Set([start, ...parts.slice(1).map(([part]) => inside(part))])].sort((a, b) => a - b);
    const made = starts.map((at, i) => {
      const which = parts[i % parts.length]?.[2] ?? 0;
      return { start: at, skuId: ["A", "B", "C"][which] ?? "A", workOrderId: which === 1 ? "order" : null };
    });
    return { n, kind, start, end, runs: made };
  }
  const presences = parts.map(([a, b, who], i) => {
    const times = [inside(a), inside(b)].sort((x, y) => x - y) as [number, number];
    return { operatorId: 10 * i + who + 1, start: times[0], end: Math.max(times[0] + TICK, times[1]) };
  });
  return { n, kind, start, end, presences: presences.filter((one) => one.end <= end) };
}

/** What is said of an instant by the amendment of it that was made last. */
function lastOf<Kind extends NumberedAmendment["kind"]>(amendments: readonly NumberedAmendment[], kind: Kind, at: number) {
  const all = amendments.filter((one) => one.kind === kind && one.start <= at && at < one.end);
  return all.sort((a, b) => a.n - b.n).at(-1) as Extract<NumberedAmendment, { kind: Kind }> | undefined;
}

/**
 * The events that would have been sent if everybody had known at once what the amendments say: found second by second, with the events that they
 * replace left out, and with what the events would have led to as events at the ends.
 */
function rightFromTheStart(stream: Stream, amendments: readonly NumberedAmendment[]): MachineEvent[] {
  const { machine, events, now } = stream;
  const kept = events.filter(
    ({ kind, at }) =>
      !(kind === "sku" && lastOf(amendments, "runs", at)) && !(kind === "operator" && lastOf(amendments, "presences", at)),
  );
  const added: MachineEvent[] = [];
  for (let at = Math.floor(machine.commissionedAt / TICK) * TICK; at <= now; at += TICK) {
    added.push(...madeAt(stream, amendments, at));
    const before = () => foldOf(stream, inOrder([...kept, ...added].filter((event) => event.at < at))).ledger;
    added.push(...presentAt(stream, amendments, at, before));
  }
  // What is sent at the end of an amendment comes after it.
  return ordered(added, kept);
}

/** The ledger by the events alone, before an instant. */
function sentBefore(stream: Stream, at: number): MachineLedger {
  return foldOf(stream, inOrder(stream.events.filter((event) => event.at < at))).ledger;
}

function madeAt(stream: Stream, amendments: readonly NumberedAmendment[], at: number): MachineEvent[] {
  const [run, before] = [lastOf(amendments, "runs", at), lastOf(amendments, "runs", at - TICK)];
  if (run) {
    const made = run.runs.findLast(({ start }) => start <= at);
    const isNew = made && (run !== before || made.start === at);
    return isNew ? [{ kind: "sku", at, skuId: made.skuId, workOrderId: made.workOrderId }] : [];
  }
  const sent = before ? sentBefore(stream, at).run : null;
  return sent?.made.skuId ? [{ kind: "sku", at, skuId: sent.made.skuId, workOrderId: sent.workOrderId }] : [];
}

function presentAt(
  stream: Stream,
  amendments: readonly NumberedAmendment[],
  at: number,
  ledgerBefore: () => MachineLedger,
): MachineEvent[] {
  const [now, before] = [lastOf(amendments, "presences", at), lastOf(amendments, "presences", at - TICK)];
  const isEdge = now !== before || now?.presences.some(({ start, end }) => start === at || end === at);
  if (!isEdge) return [];
  const calendar = new ShiftCalendar([stream.machine]);
  const sent = () =>
    Object.entries(sentBefore(stream, at).signedIn).flatMap(([id, since]) =>
      calendar.signOutAt(since) > at ? [Number(id)] : [],
    );
  const meant = now
    ? now.presences.flatMap(({ operatorId, start, end }) => (start <= at && at < end ? [operatorId] : []))
    : sent();
  const left = Object.keys(ledgerBefore().signedIn)
    .map(Number)
    .filter((id) => !meant.includes(id));
  return [
    ...left.map((operatorId): MachineEvent => ({ kind: "operator", at, operatorId, action: "out" })),
    ...meant.map((operatorId): MachineEvent => ({ kind: "operator", at, operatorId, action: "in" })),
  ];
}

function ordered(said: readonly MachineEvent[], kept: readonly MachineEvent[]): MachineEvent[] {
  const result = inOrder(kept);
  for (const event of said) {
    const place = result.findIndex((one) => one.at >= event.at && !said.includes(one));
    result.splice(place < 0 ? result.length : place, 0, event);
  }
  return result;
}

test("what was put right afterwards equals what was right from the start", () => {
  fc.assert(
    fc.property(streams(TICK), changes, (stream, list) => {
      // Before the first SKU there would be nothing to go back to.
      const machineStart = stream.machine.commissionedAt;
      const events: MachineEvent[] = [{ kind: "sku", at: machineStart, skuId: "Z", workOrderId: "first" }, ...stream.events];
      const all = { ...stream, events };
      const amendments = list
        .map((change, n) => amendmentOf(all, change, n))
        .filter(({ start, end }) => start > machineStart && end <= stream.now);
      const right = foldOf(all, rightFromTheStart(all, amendments));
      const putRight = foldOf(all, amended(inOrder(events), new Amendments(amendments)));
      const { sentRun: _, sentSignedIn: __, ...ledger } = putRight.ledger;
      expect({ ...putRight, ledger }).toEqual(right);
    }),
    runs,
  );
});
