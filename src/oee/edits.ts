import type { Interval } from "./time.ts";

// What people said of stops is said of a time: which stop has it is decided anew whenever the stops change.

/** A stop as it is now. */
export interface EditedStop {
  start: number;
  /** Null while it lasts. */
  end: number | null;
  /** Whether a person recorded it. What was said of recorded stops is only of these. */
  isManual: boolean;
}

/** Why nothing that an edit said counts any more. */
export type OrphanReason = "no_stop" | "displaced" | "splits_nothing" | "merges_nothing";

/** What a person said. The interval is that of the stop at the time, up to then if it lasted. */
export interface AnchoredEdit<Said extends object> extends Interval {
  /** Of two edits, the one with the higher number is later. */
  n: number;
  /** When it was said. */
  at: number;
  isManual: boolean;
  /** The members that were said. */
  said: Partial<Said>;
  /** Where the stop was split in two, or two were merged; null: nowhere. Such an edit says nothing else. */
  boundary: Boundary | null;
}

interface Boundary {
  at: number;
  kind: "cut" | "join";
}

export interface Attached<Said extends object> {
  /** What is said of each stop, in the order of the stops. */
  said: Partial<Said>[];
  /** The edits of which nothing counts: all others count somewhere. */
  orphans: { n: number; reason: OrphanReason }[];
}

/** The edit that says a member of a stop, and for how much of the stop. */
interface Winner {
  n: number;
  commonMs: number;
  value: unknown;
}

/**
 * Finds the stops of which edits are said. Depends on nothing but its arguments: what people said stays with the stop that overlaps it, in whatever
 * order events and edits came.
 *
 * An edit is said of every stop of which at least half lies in its interval, and of the one that went on when it was said; if there is none, of the one
 * that it overlaps most. Where several edits say the same member of a stop, the one that overlaps it most counts, and of these the latest.
 * @param stops in order, without overlap
 */
export function attachEdits<Said extends object>(
  stops: readonly EditedStop[],
  edits: readonly AnchoredEdit<Said>[],
): Attached<Said> {
  const inOrder = edits.toSorted((a, b) => a.n - b.n);
  const winners = stops.map(() => new Map<string, Winner>());
  const targets = new Map(inOrder.filter(({ boundary }) => !boundary).map((edit) => [edit.n, targetsOf(stops, edit)]));
  for (const edit of inOrder) {
    for (const i of targets.get(edit.n) ?? [])
      claim(winners[i] as Map<string, Winner>, edit, commonMs(stops[i] as EditedStop, edit));
  }
  const orphans = inOrder.flatMap((edit) => {
    const { n, boundary, said } = edit;
    const own = targets.get(n) ?? [];
    const reason = boundary ? reasonAt(stops, boundary) : reasonOf(n, Object.keys(said), own, winners);
    return reason ? [{ n, reason }] : [];
  });
  const said = winners.map((won) => Object.fromEntries([...won].map(([member, { value }]) => [member, value])) as Partial<Said>);
  return { said, orphans };
}

/** Why nothing of an edit counts; null: something does. */
function reasonOf(
  n: number,
  members: readonly string[],
  targets: readonly number[],
  winners: readonly Map<string, Winner>[],
): OrphanReason | null {
  if (targets.length === 0) return "no_stop";
  const counts = (i: number) => members.some((member) => winners[i]?.get(member)?.n === n);
  return members.length === 0 || targets.some(counts) ? null : "displaced";
}

/** Why a split or a merge does nothing; null: it does something. */
function reasonAt(stops: readonly EditedStop[], { at, kind }: Boundary): OrphanReason | null {
  if (kind === "cut") return isSplitAt(stops, at) ? null : "splits_nothing";
  return isInside(stops, at) ? null : "merges_nothing";
}

/** The stops of which an edit is said, by their indexes. */
function targetsOf(stops: readonly EditedStop[], edit: AnchoredEdit<object>): number[] {
  const targets: number[] = [];
  let most: { i: number; ms: number } | null = null;
  for (let i = firstEndingAfter(stops, edit.start); i < stops.length; i++) {
    const stop = stops[i] as EditedStop;
    if (stop.start >= edit.end) break;
    if (stop.isManual !== edit.isManual) continue;
    const ms = commonMs(stop, edit);
    if (ms > (most?.ms ?? 0)) most = { i, ms };
    if (2 * ms >= endOf(stop) - stop.start || wentOn(stop, edit)) targets.push(i);
  }
  return targets.length > 0 || !most ? targets : [most.i];
}

/** Whether an edit was said of what went on at the time, and that was this stop: one that begins at that instant is the next one. */
function wentOn(stop: EditedStop, { start, end, at }: AnchoredEdit<object>): boolean {
  return start <= at && at < end && stop.start < at && at < endOf(stop);
}

/** Takes the members of a stop that no edit said before with more overlap. Edits come in order. */
function claim(won: Map<string, Winner>, { n, said }: AnchoredEdit<object>, commonMs: number): void {
  for (const [member, value] of Object.entries(said)) {
    if ((won.get(member)?.commonMs ?? 0) <= commonMs) won.set(member, { n, commonMs, value });
  }
}

function isSplitAt(stops: readonly EditedStop[], at: number): boolean {
  const i = firstEndingAfter(stops, at);
  return stops[i]?.start === at && stops[i - 1]?.end === at;
}

function isInside(stops: readonly EditedStop[], at: number): boolean {
  return (stops[firstEndingAfter(stops, at)]?.start ?? at) < at;
}

/** The index of the first stop that ends after an instant. */
function firstEndingAfter(stops: readonly EditedStop[], at: number): number {
  let [from, to] = [0, stops.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (endOf(stops[middle] as EditedStop) > at) to = middle;
    else from = middle + 1;
  }
  return from;
}

function commonMs(stop: EditedStop, { start, end }: Interval): number {
  return Math.min(endOf(stop), end) - Math.max(stop.start, start);
}

/** A stop that lasts has no half: how long it is now must not decide what is said of it. */
function endOf({ end }: EditedStop): number {
  return end ?? Number.POSITIVE_INFINITY;
}
