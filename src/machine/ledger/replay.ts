import type { MachineLedger } from "../../oee/machine.ts";
import { coverableFrom } from "../../oee/signal.ts";
import { DAY_MS } from "../../oee/time.ts";
import { advanceInto } from "../inputs/advance.ts";
import { startOf, timeOf } from "../inputs/ledger-position.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { Head, Range } from "../storage/ledger-rows.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { checkpointFor } from "../storage/retention.ts";
import { DamagedDay } from "../storage/stored-days.ts";
import { openSince } from "./books-door.ts";
import { stepBounds, type Touched } from "./recalculation.ts";

// A replay makes the ledger of a past time anew, in steps that are bounded by counts, into the set of recalculated rows. What becomes of these rows
// is up to others: a recalculation makes them count, and a dry run only looks at what would follow.

/** How far a replay is. */
export interface Replay extends Touched {
  /** What it began with; null: it has not begun. */
  begun: { pos: string; changedFrom: number } | null;
  /** The replayed ledger; null: it has not begun. */
  replay: Head | null;
}

/** The end of a replay: where its rows are to count. */
export interface Replayed {
  range: Range;
  /** The time whose shifts may be others: from then, and until then (null: up to now). */
  changedFrom: number;
  until: number | null;
  /** The ledger after the newest folded event; null: the replay was as before at an earlier one. */
  head: Head | null;
}

type Step<R> = { on: R } | { replayed: Replayed } | { over: "unreadable" | "forgotten" };

/**
 * Does the next step of a replay. Runs inside a transaction, and writes nothing but recalculated rows.
 * @param configuration with all settings of the past
 * @param head up to where events are folded
 * @returns how far it is then; that it has ended; or that there is nothing to replay, because events are not kept or cannot be read
 */
export function replayStep<R extends Replay>(
  storage: MachineStorage,
  configuration: Configuration,
  state: R,
  head: Head,
): Step<R> {
  if (!state.begun || !state.replay) return begin(storage, configuration, state);
  try {
    return replay(storage, configuration, { state, begun: state.begun, from: state.replay, head });
  } catch (error) {
    if (!(error instanceof DamagedDay)) throw error;
    // All rows stay as they are up to the end of a day that cannot be read, and it begins again after it.
    const from = (error.day + 1) * DAY_MS;
    storage.recalculated.deleteAll();
    return from <= state.until ? { on: { ...state, from, begun: null, replay: null } } : { over: "unreadable" };
  }
}

function begin<R extends Replay>(storage: MachineStorage, { history }: Configuration, state: R): Step<R> {
  const checkpoint = checkpointFor(storage, history, startOf(state.from));
  storage.recalculated.deleteAll();
  // It needs events that are not kept: what is stored stays.
  if (!checkpoint) return { over: "forgotten" };
  const possiblyFrom = Math.min(state.from, coverableFrom(checkpoint.ledger.signal));
  const changedFrom = openSince(storage, Math.max(possiblyFrom, history[0].commissionedAt));
  return { on: { ...state, begun: { pos: checkpoint.pos, changedFrom }, replay: checkpoint } };
}

interface Work<R> {
  state: R;
  begun: NonNullable<Replay["begun"]>;
  from: Head;
  head: Head;
}

function replay<R extends Replay>(
  storage: MachineStorage,
  { history, calendar }: Configuration,
  { state, begun, from, head }: Work<R>,
): Step<R> {
  const rows = storage.recalculated;
  const ledger = structuredClone(from.ledger) as MachineLedger;
  let { pos } = from;
  let [events, made] = [0, 0];
  const known = checkpointsAfter(storage, pos);
  let checkpoint = known.next().value;
  const fold = advanceInto(rows, ledger, history, calendar, () => {
    made += 1;
  });
  for (const next of storage.events.after(pos, timeOf(head.pos))) {
    if (next.pos > head.pos) break;
    pos = next.pos;
    fold(next);
    events += 1;
    while (checkpoint !== undefined && checkpoint < pos) checkpoint = known.next().value;
    const { at } = next.event;
    const isKnown = checkpoint === pos;
    if (isKnown && at > state.until && isSameAt(storage, { pos, ledger }))
      return ended(begun, { pos, until: at + 1, head: null });
    const isFull = events >= stepBounds.events || made >= stepBounds.rows;
    if (isKnown || isFull) rows.addCheckpoint({ pos, ledger }, at);
    if (isFull) return { on: { ...state, replay: { pos, ledger } } };
  }
  return ended(begun, { pos, until: null, head: { pos, ledger } });
}

function ended(
  { pos: after, changedFrom }: NonNullable<Replay["begun"]>,
  { pos: to, until, head }: Pick<Replayed, "until" | "head"> & { pos: string },
): { replayed: Replayed } {
  return { replayed: { range: { after, to }, changedFrom, until, head } };
}

function* checkpointsAfter(storage: MachineStorage, pos: string): Generator<string> {
  const limit = 500;
  for (let after = pos; ; ) {
    const positions = storage.ledger.checkpointsAfter(after, limit);
    yield* positions;
    if (positions.length < limit) return;
    after = positions.at(-1) ?? after;
  }
}

/** Whether the ledger is that of the checkpoint at its position. */
function isSameAt(storage: MachineStorage, { pos, ledger }: Head): boolean {
  const checkpoint = storage.ledger.checkpointFrom(pos);
  return checkpoint?.pos === pos && JSON.stringify(checkpoint.ledger) === JSON.stringify(ledger);
}
