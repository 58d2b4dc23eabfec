import { openSpans } from "../oee/machine.ts";
import { operatorTimes } from "../oee/operators.ts";
import type { ShiftTally } from "../oee/production.ts";
import { type Settings, type SettingsHistory, settingsAt, standardCycleMs } from "../oee/settings.ts";
import { segmentsOf } from "../oee/shift-ledger.ts";
import { type ShiftRecord, shiftRecord } from "../oee/shift-record.ts";
import type { ShiftCalendar, ShiftOccurrence } from "../oee/shifts.ts";
import { clip, type Interval } from "../oee/time.ts";
import { type Piece, timelineOf } from "../oee/timeline.ts";
import type { Configuration } from "./configuration.ts";
import type { Head, MachineStorage } from "./storage.ts";

/** An operator's part in the running shift of a machine. */
export interface OperatorShare {
  operatorId: number;
  uptimeMs: number;
  downtimeMs: number;
  units: number;
  /** The SKU of the operator's latest units; null without any. */
  skuId: string | null;
}

/** A machine's ledger read as of one instant. Changes nothing. */
export class Books {
  readonly now: number;
  /** Up to where the ledger reaches: now, or the decommissioning. */
  readonly until: number;
  /** Up to where its time line reaches: a millisecond beyond now tells what holds from there, also at an edge. */
  readonly end: number;
  readonly #storage: MachineStorage;
  readonly #history: SettingsHistory;
  readonly #calendar: ShiftCalendar;
  readonly #head: Head;
  readonly #settings: Settings;

  constructor(storage: MachineStorage, { history, calendar }: Configuration, head: Head, now: number) {
    this.#storage = storage;
    this.#history = history;
    this.#calendar = calendar;
    this.#head = head;
    this.#settings = settingsAt(history, now);
    this.now = now;
    this.until = Math.min(now, this.#settings.decommissionedAt ?? now);
    this.end = this.until < now ? this.until : now + 1;
  }

  /** The time line over a window; stops reach beyond it, whole. */
  pieces(window: Interval): Piece[] {
    const open = openSpans(this.#head.ledger, this.until, this.end);
    const spans = [...this.#storage.spans(window), ...open].flatMap((span) => {
      const part = clip(span, window.start, window.end);
      if (!part) return [];
      return span.kind === "available" || span.kind === "noData" ? [{ ...span, ...part }] : [span];
    });
    const reach = { start: spans[0]?.start ?? window.start, end: spans.at(-1)?.end ?? window.start };
    return timelineOf(spans, this.#calendar.between(reach.start, reach.end), []);
  }

  /** Whether a piece goes on at the moment: its end is not known. */
  isOpen(piece: Interval): boolean {
    return piece.end > this.until;
  }

  record(occurrence: ShiftOccurrence, pieces: readonly Piece[]): ShiftRecord {
    return shiftRecord({
      occurrence,
      pieces,
      asOf: Math.min(occurrence.end, this.until),
      isOpen: occurrence.end > this.now && this.until === this.now,
      tally: this.#tally(occurrence),
      standardCycleMs: standardCycleMs(this.#settings, this.#head.ledger.skuId),
      isAnnotated: () => false,
      unitsCounted: (interval) => this.#storage.unitsCounted(interval),
    });
  }

  /** Who has a part in the running shift; null outside shifts. */
  operators(): { occurrence: ShiftOccurrence; shares: OperatorShare[] } | null {
    const occurrence = this.#calendar.at(this.now);
    if (!occurrence || this.until < this.now) return null;
    const window = { start: occurrence.start, end: this.now };
    const segments = segmentsOf(this.pieces({ ...window, end: this.end }), window, () => false);
    const signedIn = Object.entries(this.#head.ledger.signedIn).map(([id, start]) => ({
      operatorId: Number(id),
      start,
      end: Number.POSITIVE_INFINITY,
    }));
    const presences = [...this.#storage.presences(occurrence), ...signedIn];
    const credited = this.#tally(occurrence)?.perOperator ?? {};
    const shares = operatorTimes(occurrence, segments, presences, this.#history).map((time) => ({
      ...time,
      units: credited[time.operatorId]?.units ?? 0,
      skuId: credited[time.operatorId]?.skuId ?? null,
    }));
    return { occurrence, shares };
  }

  #tally({ start }: Interval): ShiftTally | null {
    const { tally } = this.#head.ledger;
    return tally?.start === start ? tally : this.#storage.tally(start);
  }
}
