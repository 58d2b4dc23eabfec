import type { EventFilter, IncomingEvent, OrphanEdit, StopEdit, StopMark } from "../../src/objects/machine-protocol.ts";
import type { Amendment } from "../../src/oee/amendments.ts";
import type { LedgerEvent, MachineEvent, ReadingEvent } from "../../src/oee/events.ts";
import type { Settings } from "../../src/oee/settings.ts";
import { lateRejects } from "../oee/naive.ts";
import { DAY, HOUR } from "../support/clock.ts";
import { localTime } from "./model-clock.ts";
import { painted, type Version } from "./model-versions.ts";

// A second implementation of the machine, as simple as possible: it keeps every event, set-up change and edit, and computes
// everything from the beginning for each query. It only shares types with the code that it is compared with.

export const LATE_LIMIT = 48 * HOUR;

export interface Break {
  name: string;
  isIncludedInAvailability: boolean;
  start: number;
  end: number;
}

export interface Shift {
  shiftId: number;
  start: number;
  end: number;
  breaks: Break[];
}

/** A shift and the day, since 1970, on whose wall clock it starts. */
interface DayShift extends Shift {
  day: number;
}

interface Facts {
  isManual: boolean;
  isProgrammed: boolean;
  isIncludedInAvailability: boolean;
  breakName: string | null;
}

/** A stretch of the time line; `of` distinguishes one stop from the next. */
export interface Piece {
  start: number;
  end: number;
  kind: "available" | "noData" | "stop";
  of: string;
  stop: (Facts & { isAnnotated: boolean; seq: number | null }) | null;
}

export interface Stop {
  seq: number;
  start: number;
  end: number | null;
  version: number;
  mark: StopMark | null;
}

/** What a person said of a time. `over`: a later edit took its place, or it was taken back. */
export interface Edit extends Between {
  n: number;
  at: number;
  isManual: boolean;
  said: Partial<StopMark>;
  boundary: { at: number; kind: "cut" | "join" } | null;
  over: { by: number } | "undone" | null;
  orphan: string | null;
  isRecord: boolean;
  /** The bulk classification that made it. */
  bulkId: string | null;
}

/** What a bulk classification names: what it leaves out stays. */
export type NamedCauses = Partial<Pick<Classification, "generalCauseId" | "specificCauseId" | "componentId" | "description">>;
type Classification = NonNullable<StopMark["classification"]>;

/** A cause of the company; `above`: the general one of a specific one. */
export interface Cause {
  above: number | null;
  flags: NonNullable<Classification["flags"]>;
}

/** The person's edits that are made just now, or that something is taken back. */
type Editing = number | readonly number[] | "taken back" | null;

interface Between {
  start: number;
  end: number;
}

/** What a counter shows at an instant. */
interface Shown {
  at: number;
  value: number;
}

/** Counts whose time is not known. */
interface WithoutTime {
  units: number;
  idealMs: number;
  cyclesWithStandard: number;
}

/** A count that is held; `day`: the UTC day since 1970. */
export interface HeldCount {
  seq: number;
  order: string;
  day: number;
  event: MachineEvent & { kind: "count" };
  importId: number | null;
}

/** An event of a time whose books are closed; `day`: the UTC day since 1970. */
export interface HeldClosed {
  seq: number;
  order: string;
  day: number;
  incoming: IncomingEvent;
}

/** A closing of the books. What is before `at` stays as it was then. */
interface Closing {
  to: number;
  at: number;
  /** What people had said of the stops around that instant. */
  boundary: "cut" | "join" | null;
  pieces: Piece[];
  shifts: Shift[];
  runs: Run[];
}

interface Run {
  startAt: number;
  workOrderId: string;
  skuId: string | null;
  correct: number;
  defects: number;
  correctOutsideShifts: number;
  endAt: number | null;
}

/** What a person corrected. `skuId` and `workOrderId` null: those in work. */
export interface Corrected {
  seq: number;
  at: number;
  skuId: string | null;
  workOrderId: string | null;
  total: number;
  defects: number;
  isUndone: boolean;
}

/** Events that people withdrew. */
interface Withdrawal {
  seq: number;
  filter: EventFilter;
  isRestored: boolean;
}

/** What people said afterwards of runs or presences. */
export type Amended = Amendment & { n: number; isUndone: boolean };

/** What is in work from an instant on, or who is there, by an amendment, or again by the events (`isSent`). */
type Sku = LedgerEvent & { kind: "sku"; isAmended?: true; isSent?: true };
type Sign = LedgerEvent & { kind: "operator"; isReplaced?: true; present?: readonly number[] | null };

/** What is in work from an instant on; `closedOrderId`: the order that was closed then. */
interface Work {
  start: number;
  skuId: string | null;
  workOrderId: string | null;
  closedOrderId: string | null;
}

/** A local day with shifts of its own, since 1970. */
export interface OwnDay {
  day: number;
  shifts: Omit<Settings["shifts"][number], "days">[];
}

/** `pulses`: those that were sent, of a channel whose factor is known to the machine alone. */
type Heard = IncomingEvent & { order: string; importId: number | null; pulses?: number };

/** No count of the scripts is between this and ten times it. */
const PLAUSIBLE = 1_000_000;

interface Stopped extends Between {
  kind: string;
  isProgrammed: boolean;
}

const plain = { isManual: false, isProgrammed: false, isIncludedInAvailability: true, breakName: null };
const noMark: StopMark = {
  name: null,
  isProgrammed: null,
  isIncludedInStops: null,
  isIncludedInAvailability: null,
  classification: null,
};
const signalled = { isProgrammed: null, isIncludedInStops: null, isIncludedInAvailability: null };
const rank = { sku: 0, operator: 1, cut: 1, state: 2, sample: 3, count: 3, reading: 3 };

/** A machine as the rules define it. */
export class Model {
  now: number;
  /** The instant as of which anything was last computed: the clock does not go back behind it. */
  computedAsOf = 0;
  readonly commissionedAt: number;
  /** What the object has followed since when. */
  followed: Settings[] = [];
  /** The same with what somebody said of a time. */
  history: Settings[] = [];
  /** When the settings changed last: the clock does not go back behind that either. */
  changedAt = 0;
  /** Days with shifts of their own: of those of one day, the first one holds. */
  days: readonly OwnDay[] = [];
  /** In the order of the ledger. */
  heard: Heard[] = [];
  withdrawals: Withdrawal[] = [];
  amendments: Amended[] = [];
  /** Counts that are held: in `heard` a sample has the place of each. */
  held: HeldCount[] = [];
  /** Events of a time whose books are closed: nothing is known of them until they are accepted. */
  heldClosed: HeldClosed[] = [];
  /** The closings of the books that hold, the newest last. */
  closings: Closing[] = [];
  corrections: Corrected[] = [];
  manual: Between[] = [];
  cuts: number[] = [];
  joins: number[] = [];
  stops: Stop[] = [];
  /** Everything that people said, in order. */
  edits: Edit[] = [];
  /** Per shift start: the number of its record. */
  records = new Map<number, { seq: number }>();
  audit: { action: string; seq: number; before: unknown; after: unknown }[] = [];
  /** The instants at which runs of work orders were cut, or their orders were closed or reopened, in order. */
  orderCuts: { at: number; workOrderId: string; order?: "closed" | "reopened" }[] = [];
  /** Work orders for which something was produced. */
  begun = new Set<string>();
  lastStop = 0;
  lastHeld = 0;
  /** True if the latest edit changed nothing. */
  saysWhatIsSo = false;
  /** The time, kind and content of each identity. */
  readonly #identities = new Map<string, { at: number; sent: string }[]>();
  /** The events with the meaning of readings, of so many events heard. */
  #meant: { history: Settings[]; count: number; events: LedgerEvent[] } | null = null;
  #shifts: { history: Settings[]; days: readonly OwnDay[]; day: number; shifts: Shift[] } | null = null;

  constructor(commissionedAt: number, now: number) {
    this.commissionedAt = commissionedAt;
    this.now = now;
  }

  // Set-up

  /** A set-up applies from now on; until the machine has started, from the beginning. What somebody said of a time holds in it. */
  configure(read: Omit<Settings, "since">, versions: readonly Version[], days: readonly OwnDay[]): void {
    // They are known by their date.
    this.days = days;
    // Everything computed so far used the earlier settings.
    const since = Math.max(this.now, this.computedAsOf + 1);
    const isHeard = this.newestAt() !== null || this.floor() > 0;
    const latest = this.followed.at(-1);
    const isSame = latest !== undefined && JSON.stringify({ ...latest, since: 0 }) === JSON.stringify({ since: 0, ...read });
    if (!isSame) {
      const before = isHeard ? this.followed.filter((settings) => settings.since !== since) : [];
      this.followed = [...before, { since: isHeard ? since : 0, ...read }];
    }
    const history = painted(this.followed, versions, this.commissionedAt);
    const isPastSame = JSON.stringify(history) === JSON.stringify(this.history);
    if (!isPastSame) this.history = history;
    if ((isSame && isPastSame) || !isHeard) return;
    this.changedAt = since;
    this.now = since;
  }

  /** The clock does not go back behind this instant. */
  earliestNow(): number {
    return Math.max(this.computedAsOf, this.changedAt);
  }

  settingsAt(at: number): Settings {
    const settings = this.history.findLast(({ since }) => since <= at) ?? this.history[0];
    if (!settings) throw new Error("the machine was not set up");
    return settings;
  }

  /** The end of the ledger. */
  until(): number {
    return Math.min(this.now, this.settingsAt(this.now).decommissionedAt ?? this.now);
  }

  isInService(): boolean {
    return this.now < (this.settingsAt(this.now).decommissionedAt ?? Number.POSITIVE_INFINITY);
  }

  // Closed books

  /** Nothing before this instant changes any more; 0: everything may. */
  floor(): number {
    return this.closings.at(-1)?.at ?? 0;
  }

  /** Closes the books up to an instant: what is there is there for good. A shift that runs then stays open, and a stop is divided. */
  close(to: number): void {
    this.computeRows();
    if ((this.closings.at(-1)?.to ?? 0) >= to) return;
    const running = this.shiftAt(to);
    const at = Math.max(this.floor(), running && running.start < to ? running.start : to);
    const boundary = this.joins.includes(at) ? "join" : this.cuts.includes(at) ? "cut" : null;
    if (at > Math.max(this.floor(), this.commissionedAt)) {
      this.#setBoundary(at, "cut");
      this.computeRows();
    }
    const pieces = this.pieces().flatMap((piece) => (piece.start < at ? [{ ...piece, end: Math.min(piece.end, at) }] : []));
    const shifts = this.shifts().filter(({ start }) => start < at);
    // What ends a run just there, an event of that instant, is open.
    const runs = this.runs().filter(({ endAt }) => endAt !== null && endAt < at);
    this.closings.push({ to, at, boundary, pieces, shifts, runs });
    this.#shifts = null;
  }

  /** Takes the newest closing back: everything is as if it had never been. If it has failed, what it held is accepted. */
  reopen(isFailed: boolean): void {
    const reopened = this.closings.pop();
    if (!reopened) return;
    this.#shifts = null;
    if (reopened.at > this.floor()) this.#setBoundary(reopened.at, reopened.boundary);
    this.noteEvents();
    if (isFailed) this.#accept(this.heldClosed.filter(({ incoming }) => incoming.event.at >= this.floor()));
  }

  #setBoundary(at: number, kind: Closing["boundary"]): void {
    this.cuts = [...this.cuts.filter((one) => one !== at), ...(kind === "cut" ? [at] : [])];
    this.joins = [...this.joins.filter((one) => one !== at), ...(kind === "join" ? [at] : [])];
  }

  /** Takes events as if they came now. */
  #accept(chosen: readonly HeldClosed[]): void {
    this.heldClosed = this.heldClosed.filter((one) => !chosen.includes(one));
    const events = chosen.map(({ incoming }) => incoming);
    this.ingest(events, 0);
  }

  /** Accepts or drops events of a day that were held because its books were closed. */
  decideClosed(action: "accept" | "drop", day: number, seqs: readonly number[]): "conflict" | "not_found" | number {
    const all = this.heldClosed.filter((one) => one.day === day);
    if (all.length === 0) return "not_found";
    const chosen = all.filter(({ seq }) => seqs.includes(seq));
    if (action === "accept" && chosen.some(({ incoming }) => incoming.event.at < this.floor())) return "conflict";
    if (action === "accept") this.#accept(chosen);
    else this.heldClosed = this.heldClosed.filter((one) => !chosen.includes(one));
    return chosen.length;
  }

  // Events

  /** @param archivedTo events before it are known by their day alone */
  ingest(events: readonly IncomingEvent[], archivedTo: number, importId: number | null = null): string[] {
    const dayOf = (time: number) => Math.floor(time / DAY);
    const decommissionedAt = this.history.at(-1)?.decommissionedAt ?? null;
    const closed: IncomingEvent[] = [];
    const results = events.map((incoming) => {
      const { at } = incoming.event;
      if (at < this.commissionedAt) return "before_commissioning";
      if (decommissionedAt !== null && at >= decommissionedAt) return "after_decommissioning";
      const identity = identityOf(incoming);
      const all = this.#identities.get(identity) ?? [];
      const known = all.find((one) => dayOf(one.at) === dayOf(at) || Math.min(one.at, at) >= archivedTo);
      const sent = `${orderOf(incoming)} ${incoming.content}`;
      if (known !== undefined) return known.sent === sent ? "duplicate" : "conflict";
      if (at < this.floor()) return importId === null ? this.#hold(incoming, closed) : "closed_books";
      this.#identities.set(identity, [...all, { at, sent }]);
      const { event } = incoming;
      const order = orderOf(incoming);
      if (event.kind === "count" && Math.max(event.cycles, event.total, event.defects) > PLAUSIBLE) {
        this.lastHeld += 1;
        this.held.push({ seq: this.lastHeld, order, day: Math.floor(at / DAY), event, importId });
        this.heard.push({ ...incoming, order, importId, event: { kind: "sample", at } });
      } else this.heard.push({ ...incoming, order, importId });
      return "accepted";
    });
    for (const incoming of closed) {
      this.lastHeld += 1;
      this.heldClosed.push({ seq: this.lastHeld, order: orderOf(incoming), day: dayOf(incoming.event.at), incoming });
    }
    this.heard.sort((a, b) => (a.order < b.order ? -1 : 1));
    this.noteEvents();
    return results;
  }

  /** @param closed receives it, if it is to be held */
  #hold(incoming: IncomingEvent, closed: IncomingEvent[]): string {
    const isSame = (one: IncomingEvent) => orderOf(one) === orderOf(incoming);
    if (closed.some(isSame) || this.heldClosed.some((one) => isSame(one.incoming))) return "duplicate";
    closed.push(incoming);
    return "accepted";
  }

  /** Lets held counts of a day count, or drops them. */
  decideHeld(action: "accept" | "drop", day: number, seqs: readonly number[]): "conflict" | "not_found" | number {
    const all = this.held.filter((one) => one.day === day);
    if (all.length === 0) return "not_found";
    const chosen = all.filter(({ seq }) => seqs.includes(seq));
    if (action === "accept" && chosen.some(({ event }) => event.at < this.floor())) return "conflict";
    this.held = this.held.filter((one) => !chosen.includes(one));
    if (action === "accept") {
      for (const { order, event } of chosen)
        this.heard = this.heard.map((one) => (one.order === order ? { ...one, event } : one));
      this.#meant = null;
      this.noteEvents();
    }
    return chosen.length;
  }

  /** Withdraws the events that match. Returns their number; 0: nothing is withdrawn. */
  withdraw(filter: EventFilter): number | "conflict" {
    if (filter.from < this.floor()) return "conflict";
    const matching = this.heard.filter((one) => isNamed(filter, one) && !this.#isWithdrawn(one));
    if (matching.length > 0) this.withdrawals.push({ seq: this.withdrawals.length + 1, filter, isRestored: false });
    this.#meant = null;
    return matching.length;
  }

  /** Restores the events of a withdrawal. Returns false if there is no such one. */
  restore(seq: number): boolean {
    const known = this.withdrawals.find((one) => one.seq === seq && !one.isRestored && one.filter.from >= this.floor());
    if (known) known.isRestored = true;
    this.#meant = null;
    return known !== undefined;
  }

  /** Whether an import has events of a time whose books are closed. */
  isClosedImport(importId: number): boolean {
    return this.heard.some((one) => one.importId === importId && one.event.at < this.floor());
  }

  /** An import is taken back: it is as if its events had never been sent. */
  withdrawImport(importId: number): void {
    const gone = this.heard.filter((one) => one.importId === importId);
    this.heard = this.heard.filter((one) => one.importId !== importId);
    this.held = this.held.filter((one) => one.importId !== importId);
    for (const one of gone) {
      const left = this.#identities.get(identityOf(one))?.filter(({ at }) => at !== one.event.at) ?? [];
      this.#identities.set(identityOf(one), left);
    }
    this.#meant = null;
  }

  #isWithdrawn(heard: Heard): boolean {
    return this.withdrawals.some(({ filter, isRestored }) => !isRestored && isNamed(filter, heard));
  }

  /** Why an amendment is refused; null: it is not. */
  amend(amendment: Amendment): string | null {
    const end = this.history.at(-1)?.decommissionedAt ?? Number.POSITIVE_INFINITY;
    if (amendment.start < this.commissionedAt || amendment.end > Math.min(this.now, end)) return "invalid";
    if (this.newestAt() === null || amendment.start < this.floor()) return "conflict";
    this.amendments.push({ ...amendment, n: this.amendments.length + 1, isUndone: false });
    this.#meant = null;
    return null;
  }

  undoAmendment(kind: Amendment["kind"], n: number): boolean {
    const isOpen = ({ start }: Amended) => start >= this.floor();
    const known = this.amendments.find((one) => one.kind === kind && one.n === n && !one.isUndone && isOpen(one));
    if (known) known.isUndone = true;
    this.#meant = null;
    return known !== undefined;
  }

  /** The amendment that holds at an instant: the one that was made last. */
  #amendedAt<Kind extends Amendment["kind"]>(kind: Kind, at: number): Extract<Amended, { kind: Kind }> | undefined {
    const found = this.amendments.findLast((one) => {
      return one.kind === kind && !one.isUndone && one.start <= at && at < one.end;
    });
    return found as Extract<Amended, { kind: Kind }> | undefined;
  }

  /** Events with what amendments say in place of some of them. */
  #withAmendments(events: readonly MachineEvent[]): MachineEvent[] {
    if (this.amendments.every(({ isUndone }) => isUndone)) return [...events];
    const edges = this.amendments.flatMap((one) => {
      const parts = one.kind === "runs" ? one.runs : one.presences.flatMap(({ start, end }) => [{ start }, { start: end }]);
      return [one.start, one.end, ...parts.map(({ start }) => start)];
    });
    const said = [...new Set(edges)].flatMap((at) => [...this.#saidOfRun(at), ...this.#saidOfPresence(at)]);
    const kept = events.flatMap((event): MachineEvent[] => {
      if (event.kind === "sku") return this.#amendedAt("runs", event.at) ? [] : [event];
      if (event.kind !== "operator" || !this.#amendedAt("presences", event.at)) return [event];
      return [{ ...event, isReplaced: true } as MachineEvent];
    });
    // They come before the events of their instant. Sorting keeps the order of equal ones.
    return [...said, ...kept].sort((a, b) => a.at - b.at);
  }

  #saidOfRun(at: number): MachineEvent[] {
    const [now, before] = [this.#amendedAt("runs", at), this.#amendedAt("runs", at - 1)];
    const run = now?.runs.findLast(({ start }) => start <= at);
    if (run && (now !== before || run.start === at)) {
      return [{ kind: "sku", at, skuId: run.skuId, workOrderId: run.workOrderId, isAmended: true } as MachineEvent];
    }
    if (now || !before) return [];
    const sent = this.counting().findLast(({ event }) => event.kind === "sku" && event.at < at)?.event;
    const skuId = sent?.kind === "sku" ? sent.skuId : null;
    return [{ kind: "sku", at, skuId, workOrderId: null, isSent: true } as unknown as MachineEvent];
  }

  #saidOfPresence(at: number): MachineEvent[] {
    const now = this.#amendedAt("presences", at);
    if (!now && !this.#amendedAt("presences", at - 1)) return [];
    const there = now?.presences.filter(({ start, end }) => start <= at && at < end).map(({ operatorId }) => operatorId);
    return [{ kind: "operator", at, operatorId: -1, action: "in", present: there ?? null } as MachineEvent];
  }

  /** The events that count. */
  counting(): Heard[] {
    return this.withdrawals.length === 0 ? this.heard : this.heard.filter((one) => !this.#isWithdrawn(one));
  }

  /** From now on the events up to now count. */
  noteEvents(): void {
    const last = [...this.orderCuts, ...this.heard.map(({ event }) => event)].map(({ at }) => at).filter((at) => at <= this.now);
    this.computedAsOf = last.reduce((most, at) => Math.max(most, at), this.computedAsOf);
  }

  newestAt(): number | null {
    return this.counting().at(-1)?.event.at ?? null;
  }

  /** Cuts an order's run at an instant of any age, now or whenever late events create one across it. */
  cutRun(workOrderId: string, at: number): "cut" | "none" | "settled" {
    if (this.newestAt() === null) return "none";
    if (at < this.floor()) return "settled";
    const isKnown = this.orderCuts.some((cut) => cut.at === at && cut.workOrderId === workOrderId && !cut.order);
    const decommissionedAt = this.history.at(-1)?.decommissionedAt ?? Number.POSITIVE_INFINITY;
    const isInService = this.commissionedAt <= at && at < decommissionedAt;
    if (isInService && !isKnown) this.#addCut({ at, workOrderId });
    this.noteEvents();
    const runs = this.runs().filter((run) => run.workOrderId === workOrderId);
    // One that is refused is of no use where a run spans it.
    if (!isInService) return runs.some(({ startAt, endAt }) => startAt < at && at < (endAt ?? at + 1)) ? "settled" : "none";
    return isInService && runs.some(({ startAt }) => startAt === at) ? "cut" : "none";
  }

  /** Runs of orders that were closed end at that time. A reopened order goes on where nothing else was set. */
  followOrders(closedAt: ReadonlyMap<string, number>): void {
    const newest = this.newestAt();
    if (newest === null) return;
    const since = Math.max(this.now, this.computedAsOf + 1);
    const runs = this.#runsOfOrders();
    for (const { start, workOrderId, isEnded } of runs) {
      const closed = closedAt.get(workOrderId);
      if (isEnded === (closed !== undefined)) continue;
      const at = Math.max(closed ?? since, start, newest - LATE_LIMIT, this.floor());
      if (at >= (this.history.at(-1)?.decommissionedAt ?? Number.POSITIVE_INFINITY)) continue;
      this.#addCut({ at, workOrderId, order: isEnded ? "reopened" : "closed" });
      if (at <= since) this.now = Math.max(this.now, at);
    }
    if (runs.length > 0) this.noteEvents();
  }

  /** The run of an order, or what followed when it was closed; and the runs that were not in force when anything was last computed. */
  #runsOfOrders() {
    const current = this.#work().filter(({ start }) => start <= this.computedAsOf);
    const ahead = this.counting().flatMap(({ event }) => (event.kind === "sku" && event.at > this.computedAsOf ? [event] : []));
    const runs = [
      ...current
        .slice(-1)
        .map((run) => ({ ...run, workOrderId: run.workOrderId ?? run.closedOrderId, isEnded: !run.workOrderId })),
      ...ahead.map(({ at, workOrderId }) => ({ start: at, workOrderId, isEnded: false })),
    ];
    return runs.flatMap(({ workOrderId, ...run }) => (workOrderId === null ? [] : [{ ...run, workOrderId }]));
  }

  #addCut(cut: Model["orderCuts"][number]): void {
    const key = ({ at, order, workOrderId }: typeof cut) => `${String(at).padStart(15, "0")} ${order ?? "cut"} ${workOrderId}`;
    if (this.orderCuts.some((one) => key(one) === key(cut))) return;
    this.orderCuts = [...this.orderCuts, cut].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  }

  #events(): LedgerEvent[] {
    const { history, heard } = this;
    if (this.#meant?.history !== history || this.#meant.count !== heard.length) {
      const events = this.#meanings(this.#withAmendments(this.counting().map(({ event }) => event)));
      this.#meant = { history, count: heard.length, events };
    }
    return this.#meant.events.filter(({ at }) => at <= this.now);
  }

  /** The events, of which readings are replaced by what they count: the pulses that their counter made since its readings before. */
  #meanings(events: readonly MachineEvent[]): LedgerEvent[] {
    const skus = events.map((event) => (event.kind === "sku" ? event.skuId : undefined));
    const pulsesOf = new Map<ReadingEvent, number>();
    const counters = Map.groupBy(
      events.filter((event) => event.kind === "reading"),
      ({ counter, fedSince }) => `${counter} since ${fedSince}`,
    );
    for (const readings of counters.values()) {
      let last: Shown | null = null;
      for (const [at, together] of Map.groupBy(readings, (one) => one.at)) {
        const earlier: Shown | null = last;
        let counted = 0;
        for (const [i, reading] of together.entries()) {
          const values = together.slice(0, i + 1).map(({ value }) => value);
          const skuId = skus.slice(0, events.indexOf(reading)).findLast((sku) => sku !== undefined) ?? null;
          const standard = this.#standard(this.settingsAt(at), skuId);
          const made = earlier ? madeSince(earlier, values, reading, standard) : 0;
          pulsesOf.set(reading, Math.max(0, made - counted));
          counted = made;
        }
        const values = together.map((one) => one.value);
        const below: number[] = values.filter((value) => earlier !== null && value < earlier.value);
        last = { at, value: Math.max(...(below.length > 0 ? below : values)) };
      }
    }
    return events.map((event) => {
      if (event.kind !== "reading") return event;
      const { at, perPulse } = event;
      const pulses = pulsesOf.get(event) ?? 0;
      if (!perPulse || pulses === 0) return { kind: "sample", at };
      const { cycles, total, defects, good } = perPulse;
      const [made, units] = [{ cycles: cycles * pulses, total: total * pulses }, good === null ? null : good * pulses];
      return { kind: "count", at, ...made, defects: defects * pulses, good: units };
    });
  }

  // Shifts

  /** The shifts of the machine, including some before its commissioning: with each change of settings, running shifts stay. */
  shifts(): Shift[] {
    const { history, days } = this;
    const today = Math.floor(this.now / DAY);
    const known = this.#shifts;
    if (known?.history === history && known.days === days && known.day === today) return known.shifts;
    let [shifts, definitions]: [DayShift[], string] = [[], ""];
    const interrupted: DayShift[] = [];
    for (const [i, { since: from, timezone, shifts: defined }] of history.entries()) {
      const since = i === 0 ? Number.NEGATIVE_INFINITY : from;
      if (i > 0 && JSON.stringify([timezone, defined]) === definitions) continue;
      definitions = JSON.stringify([timezone, defined]);
      const past = shifts.filter(({ start }) => start < since);
      const running = past.find(({ end }) => since < end);
      if (running) interrupted.push(running);
      const planned: DayShift[] = [];
      for (let day = Math.floor(this.commissionedAt / DAY) - 15; day <= today + 3; day++) {
        const own = days.find((one) => one.day === day)?.shifts;
        const ofWeekday = defined.filter((shift) => shift.days.includes(((day + 3) % 7) + 1));
        for (const shift of own ?? ofWeekday) planned.push({ ...runOf(shift, timezone, day), day });
      }
      const isNew = ({ start, end }: DayShift) => start >= since || (past.length === 0 && end > since);
      const isAnother = (shift: DayShift) =>
        !interrupted.some(({ shiftId, day }) => shiftId === shift.shiftId && day === shift.day);
      const fresh = withoutOverlap(planned.filter((shift) => isNew(shift) && isAnother(shift)))
        .filter(isNew)
        .flatMap((shift) => clipped(shift, running?.end ?? Number.NEGATIVE_INFINITY, shift.end));
      shifts = [...past, ...fresh];
    }
    const { shifts: closed = [], at: floor = Number.NEGATIVE_INFINITY } = this.closings.at(-1) ?? {};
    // The first shifts of a machine may be running when they come.
    const isOpen = ({ start, end }: DayShift) => start >= floor || (closed.length === 0 && end > floor);
    const found = [...closed, ...shifts.filter(isOpen).map(({ day: _, ...shift }) => shift)];
    this.#shifts = { history, days, day: today, shifts: found };
    return found;
  }

  /** The shifts that have a record: begun, and not over before the commissioning. */
  begunShifts(): Shift[] {
    // If the clock was set back at once, it shows a time before the commissioning.
    if (this.now < this.commissionedAt) return [];
    return this.shifts().filter(({ start, end }) => end > this.commissionedAt && start < this.end());
  }

  shiftAt(at: number): Shift | null {
    return this.shifts().find(({ start, end }) => start <= at && at < end) ?? null;
  }

  // Time line

  /** The end of the time line: an open piece lasts for at least a moment. */
  end(): number {
    return this.isInService() ? this.now + 1 : this.until();
  }

  /** The time line from the commissioning on, without the marks of stops. */
  pieces(): Piece[] {
    const events = this.#events().filter(({ kind }) => kind !== "sku" && kind !== "operator");
    const silences = this.#silences(events);
    const stopped = this.#stoppedBySignals(events, silences);
    const breaks = this.begunShifts().flatMap((shift) => shift.breaks);
    const end = this.end();
    const edges = [...silences, ...stopped, ...breaks, ...this.manual].flatMap((one) => [one.start, one.end]);
    const inside = edges.filter((at) => this.commissionedAt < at && at < end);
    const instants = [...new Set([this.commissionedAt, ...inside, end])].sort((a, b) => a - b);
    const pieces: Piece[] = [];
    const recorded = this.manual.toSorted((a, b) => a.start - b.start);
    const holding = [walkOver(recorded), walkOver(silences), walkOver(stopped)] as const;
    for (const [i, start] of instants.slice(0, -1).entries()) {
      const what = whatIs(holding[0](start), holding[1](start), holding[2](start), breaks, start);
      const last = pieces.at(-1);
      const to = instants[i + 1] ?? end;
      if (last?.of === what.of) last.end = to;
      else pieces.push({ start, end: to, ...what });
    }
    return this.#fromFloorOn(this.#cutAndJoined(pieces));
  }

  /** Pieces of which those of a closed time are as they were. */
  #fromFloorOn(pieces: Piece[]): Piece[] {
    const closing = this.closings.at(-1);
    if (!closing) return pieces;
    const open = pieces.flatMap((piece) =>
      piece.end > closing.at ? [{ ...piece, start: Math.max(piece.start, closing.at) }] : [],
    );
    return [...closing.pieces.map((piece) => ({ ...piece })), ...open];
  }

  /** Gaps between samples that are longer than the limit in force when they began. */
  #silences(samples: LedgerEvent[]): Between[] {
    const points = [this.commissionedAt, ...samples.map(({ at }) => at)];
    return points.flatMap((start, i) => {
      const limit = (i === 0 ? this.history[0] : this.settingsAt(start))?.noDataAfterMs ?? null;
      const next = points[i + 1];
      if (limit === null || (next ?? this.until()) - start <= limit) return [];
      return [{ start, end: next ?? Number.POSITIVE_INFINITY }];
    });
  }

  /** Stopped or unknown time by the machine's signal: first by one signal, then by the other where it changes. */
  #stoppedBySignals(samples: LedgerEvent[], silences: Between[]): Stopped[] {
    const first = this.history[0]?.signal ?? "counts";
    const times: { signal: Settings["signal"]; start: number; samples: LedgerEvent[] }[] = [
      { signal: first, start: this.commissionedAt, samples: [] },
    ];
    for (const sample of samples) {
      const { signal } = this.settingsAt(sample.at);
      if (times.at(-1)?.signal !== signal) times.push({ signal, start: sample.at, samples: [] });
      times.at(-1)?.samples.push(sample);
    }
    return times.flatMap(({ signal, start, samples }, i) => {
      const end = times[i + 1]?.start ?? Number.POSITIVE_INFINITY;
      return signal === "counts" ? this.#countGaps(samples, start, end) : this.#spells(samples, silences, start, end);
    });
  }

  #stopAfter(start: number): number {
    return (start === this.commissionedAt ? this.history[0] : this.settingsAt(start))?.stopAfterMs ?? 0;
  }

  #countGaps(samples: LedgerEvent[], start: number, end: number): Stopped[] {
    const points = [start, ...samples.filter(({ kind }) => kind === "count").map(({ at }) => at), end];
    const gaps = points.slice(0, -1).map((from, i) => ({ start: from, end: points[i + 1] ?? end }));
    return gaps
      .filter((gap) => Math.min(gap.end, this.until()) - gap.start > this.#stopAfter(gap.start))
      .map((gap) => ({ ...gap, kind: "stop", isProgrammed: false }));
  }

  /** Spells without running and without silence; each change between programmed and non-programmed begins another stop. */
  #spells(samples: LedgerEvent[], silences: Between[], start: number, end: number) {
    const states = samples.filter((event) => event.kind === "state");
    const edges = [...states.map(({ at }) => at), ...silences.flatMap((one) => [one.start, one.end])];
    const inside = edges.filter((at) => start < at && at < end);
    const instants = [...new Set([start, ...inside, end])].sort((a, b) => a - b);
    const parts = instants.slice(0, -1).map((from, i) => {
      const state = states.findLast(({ at }) => at <= from)?.state ?? "unavailable";
      const isSilent = silences.some((one) => one.start <= from && from < one.end);
      const isStill = !isSilent && state !== "running" && state !== "unavailable";
      const kind = isStill ? "stop" : state === "unavailable" ? "unknown" : "running";
      return { start: from, end: instants[i + 1] ?? end, kind, isProgrammed: state === "setup" || state === "maintenance" };
    });
    const stopped: typeof parts = [];
    for (let i = 0; i < parts.length; i++) {
      const spell: typeof parts = [];
      for (let part = parts[i]; part?.kind === "stop"; part = parts[++i]) spell.push(part);
      const [first] = spell;
      const last = spell.at(-1);
      if (first && last && Math.min(last.end, this.until()) - first.start > this.#stopAfter(first.start)) {
        for (const part of spell) {
          const before = stopped.at(-1);
          const isSame = part !== first && before?.isProgrammed === part.isProgrammed;
          if (before && isSame) before.end = part.end;
          else stopped.push({ ...part });
        }
      }
      const other = parts[i];
      if (other?.kind === "unknown") stopped.push(other);
    }
    return stopped;
  }

  #cutAndJoined(pieces: Piece[]): Piece[] {
    const joined: Piece[] = [];
    for (const piece of pieces) {
      const before = joined.at(-1);
      if (before?.stop && piece.stop && this.joins.includes(piece.start)) before.end = piece.end;
      else joined.push(piece);
    }
    return joined.flatMap((piece) => {
      const inside = this.cuts.filter((at) => piece.stop && piece.start < at && at < piece.end).sort((a, b) => a - b);
      const edges = [piece.start, ...inside, piece.end];
      return edges.slice(1).map((end, i) => ({ ...piece, start: edges[i] ?? 0, end, stop: piece.stop && { ...piece.stop } }));
    });
  }

  /** The time line with the marks of the known stops that begin there. */
  marked(): Piece[] {
    return this.pieces().map((piece) => {
      const known = this.stops.findLast((stop) => stop.start === piece.start);
      if (!piece.stop || !known) return piece;
      const { mark, seq } = known;
      const { generalCauseId = null, specificCauseId = null } = mark?.classification ?? {};
      const stop = {
        ...piece.stop,
        seq,
        isProgrammed: flagOf(mark, "isProgrammed") ?? piece.stop.isProgrammed,
        isIncludedInAvailability: flagOf(mark, "isIncludedInAvailability") ?? piece.stop.isIncludedInAvailability,
        isAnnotated: generalCauseId !== null || specificCauseId !== null,
      };
      return { ...piece, stop };
    });
  }

  // Stops

  /**
   * Numbers the stops: one that begins where a known one did gets its number, else that of the one that it overlaps most.
   * @param edit the number of the edit that a person makes just now, or of all of a bulk, or that one takes something back
   */
  computeRows(edit: Editing = null): void {
    this.computedAsOf = this.now;
    const floor = this.floor();
    const pieces = this.pieces().filter((piece) => {
      return piece.stop && piece.start >= floor && this.#isInShift(piece.start, piece.end);
    });
    const closed = this.stops.filter(({ start }) => start < floor);
    const left = this.stops.filter(({ start }) => start >= floor).toSorted((a, b) => a.start - b.start || a.seq - b.seq);
    const claimed = new Map<Piece, Stop>();
    const claim = (piece: Piece, stop: Stop | undefined) => {
      if (!stop) return;
      claimed.set(piece, stop);
      left.splice(left.indexOf(stop), 1);
    };
    for (const piece of pieces) {
      claim(
        piece,
        left.findLast((stop) => stop.start === piece.start),
      );
    }
    for (const piece of pieces) {
      if (claimed.has(piece)) continue;
      const common = left.map((stop) => overlap(piece, { start: stop.start, end: stop.end ?? piece.end }));
      const most = Math.max(0, ...common);
      if (most > 0) claim(piece, left[common.indexOf(most)]);
    }
    this.stops = pieces.map((piece) => {
      const stop = claimed.get(piece) ?? { seq: ++this.lastStop, version: 0, mark: null };
      return { ...stop, start: piece.start, end: piece.end > this.until() ? null : piece.end };
    });
    this.#say(pieces, edit);
    this.stops = [...closed, ...this.stops];
    this.#computeRecords();
    this.noteBegun();
  }

  /** Notes the orders for which something was produced by now. */
  noteBegun(): void {
    for (const run of this.runs()) if (run.correct > 0 || run.defects > 0) this.begun.add(run.workOrderId);
  }

  /**
   * What is said of each stop, by all that people ever said: it depends on the times of stops and edits alone. What counts nowhere is an orphan, unless
   * the person who edits now did that.
   */
  #say(pieces: readonly Piece[], now: Editing): void {
    const live = this.edits.filter(({ over }) => over === null);
    const words = live.filter(({ boundary }) => boundary === null);
    const aims = new Map(words.map((edit) => [edit, this.#aimsOf(edit, pieces)]));
    const counting = new Set<Edit>();
    for (const stop of this.stops) {
      const own = words.filter((edit) => aims.get(edit)?.includes(stop));
      own.sort((a, b) => common(a, stop) - common(b, stop) || a.n - b.n);
      const said: Partial<StopMark> = Object.assign({}, ...own.map((edit) => edit.said));
      const saying = Object.keys(said).map((member) => own.findLast((edit) => member in edit.said));
      for (const edit of own) if (saying.includes(edit) || Object.keys(edit.said).length === 0) counting.add(edit);
      const mark = markOf(said);
      if (wholeTextOf(mark) !== wholeTextOf(stop.mark)) Object.assign(stop, { mark, version: stop.version + 1 });
    }
    for (const edit of live.filter(({ start }) => start >= this.floor())) {
      const lost = (aims.get(edit) ?? []).length > 0 ? "displaced" : "no_stop";
      const reason = edit.boundary ? this.#undoneAt(edit.boundary) : counting.has(edit) ? null : lost;
      this.#note(edit, reason, now);
    }
  }

  /** Notes why an edit does not count, or whose edit took its place. */
  #note(edit: Edit, reason: string | null, now: Editing): void {
    const isOver = (n: number) => overlap(this.edits[n - 1] ?? edit, edit) > 0;
    const by = typeof now === "object" ? (now?.find(isOver) ?? null) : now;
    if (reason !== null && edit.orphan === null && by !== null) edit.over = by === "taken back" ? "undone" : { by };
    else edit.orphan = reason;
    // Edits whose place was taken by one that is taken back count again.
    if (edit.over === "undone") this.#release(edit.n);
  }

  /** The stops of which an edit is said. */
  #aimsOf(edit: Edit, pieces: readonly Piece[]): Stop[] {
    const near = this.stops.filter((stop, i) => pieces[i]?.stop?.isManual === edit.isManual && common(edit, stop) > 0);
    const own = near.filter((stop) => {
      const isNow = edit.start <= edit.at && edit.at < edit.end && stop.start <= edit.at && edit.at < lastOf(stop);
      return isNow || common(edit, stop) * 2 >= lastOf(stop) - stop.start;
    });
    const [most] = near.toSorted((a, b) => common(edit, b) - common(edit, a));
    return own.length > 0 || !most ? own : [most];
  }

  /** Why a split or a merge does nothing now; null: it does something. */
  #undoneAt({ at, kind }: NonNullable<Edit["boundary"]>): string | null {
    if (kind === "join") return this.stops.some((stop) => stop.start < at && at < lastOf(stop)) ? null : "merges_nothing";
    const isThere = this.stops.some(({ start }) => start === at) && this.stops.some(({ end }) => end === at);
    return isThere ? null : "splits_nothing";
  }

  /** Lets the edits whose place one took count again. */
  #release(n: number): void {
    const over = this.edits.find((one) => one.n === n)?.over ?? null;
    const isPassedOn = over !== null && over !== "undone";
    for (const one of this.edits) {
      if (one.over !== null && one.over !== "undone" && one.over.by === n) one.over = isPassedOn ? over : null;
    }
  }

  #keep(stop: Between, said: Partial<StopMark>, more: Partial<Edit> = {}): number {
    const n = this.edits.length + 1;
    const isManual = this.manual.some((one) => one.start <= stop.start && stop.start < one.end);
    const { start, end } = stop;
    const edit = { n, at: this.now, start, end, isManual, said, boundary: null, over: null, orphan: null };
    this.edits.push({ ...edit, isRecord: false, bulkId: null, ...more });
    return n;
  }

  #computeRecords(): void {
    for (const { start } of this.begunShifts()) {
      if (!this.records.has(start)) this.records.set(start, { seq: this.records.size + 1 });
    }
  }

  /** Applies an edit. Returns the numbers of the resulting stops, or the reason why it is refused. */
  edit(edit: StopEdit | OrphanEdit): number[] | "not_found" | "conflict" | "invalid" | "no_stop" {
    this.computeRows();
    if (edit.action === "drop") return this.#drop(edit.n);
    const named = edit.action === "record" ? [] : edit.action === "merge" ? edit.seqs : [edit.seq];
    const before = named.map((seq) => this.audited(seq));
    this.saysWhatIsSo = false;
    const kept = this.edits.length;
    const seqs = this.#apply(edit);
    if (typeof seqs === "string" || this.saysWhatIsSo) return seqs;
    const now = this.edits.length > kept ? kept + 1 : "taken back";
    // What was taken back with a stop may have had the place of others, which are looked at in turn.
    const live = () => this.edits.filter(({ over }) => over === null);
    let seen: Edit[];
    do {
      seen = live();
      this.computeRows(now);
    } while (live().some((one) => !seen.includes(one)));
    const after = seqs.map((seq) => this.audited(seq));
    this.audit.push({
      action: `stop.${edit.action === "attach" ? "change" : edit.action}`,
      seq: seqs[0] ?? named[0] ?? 0,
      before: before.length > 1 ? before : (before[0] ?? null),
      after: after.length > 1 ? after : (after[0] ?? null),
    });
    return seqs;
  }

  #drop(n: number): ReturnType<Model["edit"]> {
    const orphan = this.edits.find((one) => one.n === n && one.over === null && one.orphan !== null);
    if (!orphan) return "not_found";
    this.saysWhatIsSo = false;
    orphan.over = "undone";
    this.#release(n);
    this.computeRows();
    return [];
  }

  /** Says of a stop what was said of one that is gone. */
  #attach(stop: Stop, n: number): ReturnType<Model["edit"]> {
    const orphan = this.edits.find((one) => one.n === n && one.over === null && one.orphan !== null);
    if (!orphan) return "not_found";
    if (Object.keys(orphan.said).length === 0) return "conflict";
    Object.assign(stop, { mark: markOf({ ...stop.mark, ...orphan.said }), version: stop.version + 1 });
    const isRecord = orphan.isRecord;
    const kept = this.#keep({ start: stop.start, end: stop.end ?? this.end() }, orphan.said, { isRecord });
    orphan.over = { by: kept };
    return [stop.seq];
  }

  #apply(edit: Exclude<StopEdit | OrphanEdit, { action: "drop" }>): ReturnType<Model["edit"]> {
    const named = edit.action === "merge" ? edit.seqs : edit.action === "record" ? [] : [edit.seq];
    const starts = this.stops.filter(({ seq }) => named.includes(seq)).map(({ start }) => start);
    if ((edit.action === "record" ? [edit.start] : starts).some((start) => start < this.floor())) return "conflict";
    if (edit.action === "record") return this.#record(edit);
    if (edit.action === "merge") return this.#merge(edit.seqs);
    const stop = this.stops.find(({ seq }) => seq === edit.seq);
    if (!stop) return edit.action === "attach" ? "no_stop" : "not_found";
    if (edit.version !== null && edit.version !== stop.version) return "conflict";
    switch (edit.action) {
      case "classify":
        return this.#classify(stop, edit);
      case "change":
        return this.#mark(stop, { ...ownFlags(edit.flags, stop.mark), ...(edit.name !== undefined && { name: edit.name }) });
      case "split":
        return this.#split(stop, edit.at);
      case "delete":
        return this.#delete(stop);
      case "attach":
        return this.#attach(stop, edit.n);
    }
  }

  #classify(stop: Stop, { causes, flags }: StopEdit & { action: "classify" }): number[] {
    if (causes === null) return this.#mark(stop, { ...signalled, ...flags, classification: null });
    return this.#mark(stop, this.#saidOfCauses(stop.mark?.classification ?? null, causes, flags, false));
  }

  #saidOfCauses(
    old: Classification | null,
    causes: Omit<Classification, "classifiedAt" | "reclassifiedAt" | "flags">,
    flags: NonNullable<Classification["flags"]>,
    isCauseKept: boolean,
  ): Partial<StopMark> {
    const has = (of: { generalCauseId: number | null; specificCauseId: number | null } | null) =>
      of !== null && (of.generalCauseId !== null || of.specificCauseId !== null);
    // The flags that a cause sets replace those of people, and are removed with it.
    const replaced = isCauseKept ? {} : Object.fromEntries(Object.keys(flags).map((flag) => [flag, null]));
    const stamps = { classifiedAt: old?.classifiedAt ?? this.now, reclassifiedAt: this.now };
    const classification = { ...causes, ...stamps, ...(Object.keys(flags).length > 0 && { flags }) };
    return { ...(has(old) && !has(causes) ? signalled : replaced), classification };
  }

  /**
   * Gives many stops the same causes, as they are named. Returns what became of each.
   * @param causes all causes of the company, by their ids
   */
  classifyMany(
    bulkId: string,
    stops: readonly { seq: number; version: number }[],
    named: NamedCauses,
    causes: ReadonlyMap<number, Cause>,
  ): string[] {
    this.computeRows();
    const kept = this.edits.length;
    const results = stops.map(({ seq, version }) => {
      const stop = this.stops.find((one) => one.seq === seq);
      if (!stop) return "gone";
      if (stop.start < this.floor()) return "closed";
      if (version !== stop.version) return "changed";
      const edited = this.edits.length;
      this.#classifyInPart(stop, named, causes, bulkId);
      return this.edits.length > edited ? "classified" : "unchanged";
    });
    const made = this.edits.slice(kept).map(({ n }) => n);
    if (made.length > 0) this.computeRows(made);
    return results;
  }

  #classifyInPart(stop: Stop, named: NamedCauses, causes: ReadonlyMap<number, Cause>, bulkId: string): void {
    const old = stop.mark?.classification ?? null;
    const nothing = { generalCauseId: null, specificCauseId: null, componentId: null, description: null };
    const { generalCauseId, specificCauseId, componentId, description } = { ...nothing, ...old, ...named };
    const next = { generalCauseId, specificCauseId, componentId, description };
    const aboveOf = (id: number | null) => (id === null ? null : (causes.get(id)?.above ?? null));
    const isGeneralNamed = named.generalCauseId !== undefined;
    const isSpecificNamed = named.specificCauseId !== undefined;
    // Of two causes that contradict each other, the one that is named stays.
    if (isGeneralNamed && !isSpecificNamed && aboveOf(specificCauseId) !== generalCauseId) next.specificCauseId = null;
    if (isSpecificNamed && !isGeneralNamed && specificCauseId !== null && generalCauseId !== null)
      next.generalCauseId = aboveOf(specificCauseId);
    const isCauseKept = !isGeneralNamed && !isSpecificNamed;
    const ofCause = causes.get(next.specificCauseId ?? next.generalCauseId ?? 0)?.flags ?? {};
    const flags = isCauseKept ? (old?.flags ?? {}) : ofCause;
    this.#mark(stop, this.#saidOfCauses(old, next, flags, isCauseKept), { bulkId });
  }

  /** Takes a bulk classification back, apart from stops that somebody changed afterwards. */
  undoMany(bulkId: string): { undone: number; kept: number } {
    this.computeRows();
    const all = this.edits.filter((one) => one.bulkId === bulkId && one.over !== "undone");
    const open = all.filter(({ start }) => start >= this.floor());
    const undone = open.filter(({ over }) => over === null).length;
    for (const one of open) {
      this.#release(one.n);
      one.over = "undone";
    }
    this.computeRows();
    return { undone, kept: all.length - undone };
  }

  /** An edit that changes nothing has no effect. */
  #mark(stop: Stop, said: Partial<StopMark>, more: Partial<Edit> = {}): number[] {
    const before = stop.mark ?? noMark;
    const next = { ...before, ...said };
    this.saysWhatIsSo = textOf(before) === textOf(next);
    if (!this.saysWhatIsSo) {
      Object.assign(stop, { mark: markOf(next), version: stop.version + 1 });
      this.#keep({ start: stop.start, end: stop.end ?? this.end() }, said, more);
    }
    return [stop.seq];
  }

  #split(stop: Stop, at: number): ReturnType<Model["edit"]> {
    const end = stop.end ?? this.end();
    if (at <= stop.start || end <= at) return "invalid";
    if (!this.#isInShift(stop.start, at) || !this.#isInShift(at, end)) return "invalid";
    this.joins = this.joins.filter((one) => one !== at);
    this.cuts = [...new Set([...this.cuts, at])];
    this.#keep({ start: stop.start, end }, {}, { boundary: { at, kind: "cut" } });
    if (stop.mark) this.#keep({ start: stop.start, end }, stop.mark);
    const second = { ...stop, seq: ++this.lastStop, start: at, version: 1 };
    Object.assign(stop, { end: at, version: stop.version + 1 });
    this.stops.push(second);
    return [stop.seq, second.seq];
  }

  #delete(stop: Stop): ReturnType<Model["edit"]> {
    const { start } = stop;
    const end = stop.end ?? this.end();
    const piece = this.pieces().find((one) => one.start === start);
    if (!piece?.stop?.isManual) return "conflict";
    this.manual = this.manual.flatMap((one) => {
      if (overlap(one, { start, end }) === 0) return [one];
      const rest = [
        { start: one.start, end: start },
        { start: end, end: one.end },
      ];
      return rest.filter((part) => part.start < part.end);
    });
    this.#forgetBoundaries(start, end);
    this.stops = this.stops.filter((one) => one !== stop);
    for (const one of this.edits) if (one.isRecord && one.over === null && overlap(one, { start, end }) > 0) this.#release(one.n);
    return [];
  }

  #record({ start, end, name, causes, flags }: StopEdit & { action: "record" }): ReturnType<Model["edit"]> {
    if (start < this.commissionedAt || end > this.until() || !this.#isInShift(start, end)) return "invalid";
    if (this.manual.some((one) => overlap(one, { start, end }) > 0)) return "conflict";
    const classification = causes && { ...causes, classifiedAt: this.now, reclassifiedAt: this.now };
    const said = { ...flags, name, classification };
    const stop = { seq: ++this.lastStop, start, end, version: 1, mark: markOf(said) };
    this.manual.push({ start, end });
    this.#keep({ start, end }, said, { isRecord: true });
    this.#forgetBoundaries(start, end);
    this.stops.push(stop);
    return [stop.seq];
  }

  #merge(seqs: number[]): ReturnType<Model["edit"]> {
    const stops = this.stops.filter(({ seq }) => seqs.includes(seq)).sort((a, b) => a.start - b.start);
    const [first, ...others] = stops;
    if (!first || stops.length < seqs.length) return "not_found";
    if (others.some((stop, i) => stop.start !== stops[i]?.end)) return "conflict";
    for (const { start } of others) {
      this.cuts = this.cuts.filter((at) => at !== start);
      this.joins.push(start);
    }
    const mark = stops.find((stop) => stop.mark !== null)?.mark ?? null;
    const whole = { start: first.start, end: stops.at(-1)?.end ?? this.end() };
    for (const { start } of others) this.#keep(whole, {}, { boundary: { at: start, kind: "join" } });
    if (mark) this.#keep(whole, mark);
    Object.assign(first, { end: stops.at(-1)?.end ?? null, version: first.version + 1, mark });
    return [first.seq];
  }

  #isInShift(start: number, end: number): boolean {
    return this.shifts().some((shift) => overlap(shift, { start, end }) > 0);
  }

  #forgetBoundaries(start: number, end: number): void {
    this.cuts = this.cuts.filter((at) => at < start || end < at);
    this.joins = this.joins.filter((at) => at < start || end < at);
  }

  /** A stop as in the audit, with its number as the id; null if it does not exist. */
  audited(seq: number) {
    const stop = this.stops.find((one) => one.seq === seq);
    const facts = this.marked().find(({ start }) => start === stop?.start)?.stop;
    if (!stop || !facts) return null;
    const { classification = null, name = null } = stop.mark ?? {};
    const text = (id: number | null | undefined) => (typeof id === "number" ? String(id) : null);
    return {
      seq,
      startTime: new Date(stop.start).toISOString(),
      endTime: stop.end === null ? null : new Date(stop.end).toISOString(),
      name,
      isManual: facts.isManual,
      isProgrammed: facts.isProgrammed,
      isIncludedInStops: flagOf(stop.mark, "isIncludedInStops") ?? true,
      isIncludedInAvailability: facts.isIncludedInAvailability,
      generalCauseId: text(classification?.generalCauseId),
      specificCauseId: text(classification?.specificCauseId),
      componentId: text(classification?.componentId),
      description: classification?.description ?? null,
      version: stop.version,
    };
  }

  // Production

  skuId(at = this.now): string | null {
    const changes = this.#events().filter((event) => event.kind === "sku");
    return changes.findLast((change) => change.at <= at)?.skuId ?? null;
  }

  #standard({ skuStandardsMs, standardCycleMs }: Settings, skuId: string | null): number | null {
    return new Map(Object.entries(skuStandardsMs)).get(skuId ?? "") ?? standardCycleMs;
  }

  /** Each count with the SKU in work and the operators present at its time. */
  counts() {
    type Count = {
      event: LedgerEvent & { kind: "count" };
      skuId: string | null;
      workOrderId: string | null;
      run: number | null;
      who: number[];
      hasTime: boolean;
    };
    const timeless = this.#withoutTime();
    const result: Count[] = [];
    const work = this.#work();
    const events = this.#events();
    const signs = events.filter((event) => event.kind === "operator");
    for (const event of events) {
      if (event.kind === "count") {
        const inWork = work.findLast(({ start }) => start <= event.at);
        result.push({
          event,
          skuId: inWork?.skuId ?? null,
          workOrderId: inWork?.workOrderId ?? null,
          run: inWork?.start ?? null,
          who: this.#present(event.at, signs),
          hasTime: !timeless.has(event),
        });
      }
    }
    return result;
  }

  /** The counts that came first after a silence, and are more than the machine makes in the usual time between two counts. */
  #withoutTime(): Set<LedgerEvent> {
    const found = new Set<LedgerEvent>();
    const firsts = new Set<number>();
    const events = this.#events();
    const ended = this.#silences(events.filter(({ kind }) => kind === "count" || kind === "sample" || kind === "state"));
    let skuId: string | null = null;
    let last = Number.NEGATIVE_INFINITY;
    for (const event of events) {
      if (event.kind === "sku") skuId = event.skuId;
      if (event.kind !== "count") continue;
      const { at, cycles } = event;
      if (ended.some(({ end }) => last < end && end <= at)) firsts.add(at);
      last = at;
      const settings = this.settingsAt(at);
      const standard = this.#standard(settings, skuId);
      const isUsual = cycles === 1 || (cycles > 0 && standard !== null && cycles * standard <= settings.stopAfterMs);
      if (firsts.has(at) && !isUsual) found.add(event);
    }
    return found;
  }

  /** The counts of one shift, per SKU in order of appearance. */
  skus(shift: Shift, counts = this.counts()) {
    type Sku = Record<"cycles" | "total" | "defects" | "notGood" | "idealMs" | "cyclesWithStandard", number>;
    type Extra = { withoutTime?: WithoutTime; late?: { units: number; standardMs: number } };
    const skus = new Map<string | null, Sku & Extra>();
    for (const { event, skuId, hasTime } of counts) {
      if (event.at < shift.start || shift.end <= event.at) continue;
      const sku: Sku & Extra = this.#added(skus.get(skuId), event, skuId);
      if (!hasTime) sku.withoutTime = this.#addedWithoutTime(sku.withoutTime, event, skuId);
      skus.set(skuId, sku);
    }
    for (const { at, skuId, of, cyclesPerUnit } of lateRejects(this.#events(), shift)) {
      const sku = skus.get(skuId);
      if (!sku) continue;
      const { units, standardMs } = sku.late ?? { units: 0, standardMs: 0 };
      const cost = (this.#standard(this.settingsAt(at), of) ?? 0) * cyclesPerUnit;
      sku.late = { units: units + 1, standardMs: standardMs + cost };
    }
    return [...skus].map(([skuId, sums]) => ({ skuId, ...sums }));
  }

  #addedWithoutTime(sums: WithoutTime | undefined, event: LedgerEvent & { kind: "count" }, skuId: string | null): WithoutTime {
    const { units, idealMs, cyclesWithStandard } = sums ?? { units: 0, idealMs: 0, cyclesWithStandard: 0 };
    const standard = this.#standard(this.settingsAt(event.at), skuId);
    return {
      units: units + event.total,
      idealMs: idealMs + event.cycles * (standard ?? 0),
      cyclesWithStandard: cyclesWithStandard + (standard === null ? 0 : event.cycles),
    };
  }

  #added(sums: object | undefined, event: (LedgerEvent & { kind: "count" }) | null, skuId: string | null) {
    const nothing = { cycles: 0, total: 0, defects: 0, notGood: 0, idealMs: 0, cyclesWithStandard: 0 };
    const sku = { ...nothing, ...sums };
    if (!event) return sku;
    const standard = this.#standard(this.settingsAt(event.at), skuId);
    sku.cycles += event.cycles;
    sku.total += event.total;
    if (event.good === null) sku.defects += event.defects;
    else sku.notGood += event.total - event.good;
    sku.idealMs += event.cycles * (standard ?? 0);
    if (standard !== null) sku.cyclesWithStandard += event.cycles;
    return sku;
  }

  /** What was in work, in order: each begins with a SKU event, or with a cut of what was in work. */
  #work(switches: readonly Sku[] = this.#events().filter((event) => event.kind === "sku")): Work[] {
    // An order that was replaced at once was never in work.
    const switched = switches.filter(({ at }, i) => switches[i + 1]?.at !== at);
    return switched.flatMap(({ at, workOrderId, skuId, isAmended, isSent }, i) => {
      const next = Math.min(switched[i + 1]?.at ?? Number.POSITIVE_INFINITY, this.now + 1);
      const sent = isSent && this.#sentWork(at);
      let work: Work = { start: at, skuId, workOrderId, closedOrderId: null, ...sent };
      const all = [work];
      // An amendment says for which order something was made, whether that was closed or not.
      const cuts = this.orderCuts.filter(({ order }) => !isAmended || order === undefined);
      for (const cut of cuts.filter((one) => at <= one.at && one.at < next)) {
        const { order } = cut;
        const ofOrder = order === "reopened" ? work.closedOrderId : work.workOrderId;
        if (ofOrder !== cut.workOrderId || (order === undefined && work.start === cut.at)) continue;
        const isClosed = order === "closed";
        work = { start: cut.at, skuId, workOrderId: isClosed ? null : ofOrder, closedOrderId: isClosed ? ofOrder : null };
        all.push(work);
      }
      return all.filter(({ start }, n) => all[n + 1]?.start !== start);
    });
  }

  /** The order that would be in work at an instant by the events before it alone, or was closed. */
  #sentWork(at: number): Pick<Work, "workOrderId" | "closedOrderId"> {
    const sent = this.counting().flatMap(({ event }) => (event.kind === "sku" ? [event] : []));
    const { workOrderId = null, closedOrderId = null } = this.#work(sent).findLast(({ start }) => start < at) ?? {};
    return { workOrderId, closedOrderId };
  }

  /** What was in work in a shift, in order: of the time before the first SKU event, nothing. */
  #workIn(shift: Shift) {
    const nothing = { start: Number.NEGATIVE_INFINITY, skuId: null, workOrderId: null, closedOrderId: null };
    const [from, to] = [Math.max(shift.start, this.commissionedAt), Math.min(shift.end, this.end())];
    const all = [nothing, ...this.#work()];
    return all.filter(({ start }, i) => start < to && (all[i + 1]?.start ?? Number.POSITIVE_INFINITY) > from);
  }

  /** The work that a correction concerns; undefined: there was none such in the shift. */
  #workOf({ at, skuId, workOrderId }: Omit<Corrected, "seq" | "isUndone">, shift: Shift) {
    const all = this.#workIn(shift);
    const isMeant = (one: (typeof all)[number]) =>
      (skuId === null || one.skuId === skuId) && (workOrderId === null || one.workOrderId === workOrderId);
    const current = all.findLast(({ start }) => start <= at) ?? all[0];
    if (current && isMeant(current)) return current;
    return all.findLast((one) => one.start <= at && isMeant(one)) ?? all.find(isMeant);
  }

  /** What each correction of a shift changes: no total gets below 0. */
  corrected(shift: Shift, all: ReturnType<Model["counts"]> | null = null) {
    if (!this.hasCorrections(shift)) return [];
    const counts = all ?? this.counts();
    const left = new Map<string, number>();
    const keyOf = (one: { skuId: string | null; workOrderId: string | null }) => JSON.stringify([one.skuId, one.workOrderId]);
    for (const one of counts) {
      const { at, total } = one.event;
      if (shift.start <= at && at < shift.end) left.set(keyOf(one), (left.get(keyOf(one)) ?? 0) + total);
    }
    return this.corrections.flatMap((one) => {
      if (one.isUndone || one.at < shift.start || shift.end <= one.at) return [];
      const work = this.#workOf(one, shift);
      if (!work) return [];
      const there = left.get(keyOf(work)) ?? 0;
      const total = Math.max(one.total, -there);
      left.set(keyOf(work), there + total);
      return [{ ...one, ...work, total }];
    });
  }

  /** Whether a correction must be refused, and why; null: it may be, if good units would get below 0. */
  refusalOf(sent: Omit<Corrected, "seq" | "isUndone">): string | null {
    const end = this.history.at(-1)?.decommissionedAt ?? Number.POSITIVE_INFINITY;
    if (sent.at < this.floor()) return "conflict";
    if (sent.at < this.commissionedAt) return "before_commissioning";
    if (sent.at >= end) return "after_decommissioning";
    const shift = this.shiftAt(sent.at);
    if (!shift) return "no_shift";
    const work = this.#workOf(sent, shift);
    if (!work) return "not_made";
    const isOf = (one: { skuId: string | null; workOrderId: string | null }) =>
      one.skuId === work.skuId && one.workOrderId === work.workOrderId;
    const counted = this.counts().filter((one) => isOf(one) && shift.start <= one.event.at && one.event.at < shift.end);
    const total = counted.reduce((sum, { event }) => sum + event.total, 0);
    const before = this.corrected(shift).filter(isOf);
    return total + before.reduce((sum, one) => sum + one.total, 0) + sent.total < 0 ? "below_zero" : null;
  }

  hasCorrections(shift: Shift): boolean {
    return this.corrections.some(({ at, isUndone }) => !isUndone && shift.start <= at && at < shift.end);
  }

  /** The production for orders, per time in which one was in work without a cut. */
  runs(): Run[] {
    const { runs: closed = [], at: floor = 0 } = this.closings.at(-1) ?? {};
    return [...closed, ...this.#madeInRuns().filter(({ endAt }) => endAt === null || endAt >= floor)];
  }

  #madeInRuns(): Run[] {
    const counts = Map.groupBy(this.counts(), ({ run }) => run);
    const work = this.#work();
    const corrected = this.shifts().flatMap((shift) => this.corrected(shift));
    const runs = work.map(({ start: startAt, workOrderId, skuId }, i) => {
      let [sums, outside] = [this.#added(undefined, null, skuId), this.#added(undefined, null, skuId)];
      for (const { event } of counts.get(startAt) ?? []) {
        sums = this.#added(sums, event, skuId);
        if (!this.shiftAt(event.at)) outside = this.#added(outside, event, skuId);
      }
      return { startAt, endAt: work[i + 1]?.start ?? null, workOrderId, skuId, sums, outside };
    });
    return runs.flatMap(({ startAt, endAt, workOrderId, skuId, sums, outside }, i) => {
      const [settled = 0] = settledBy([sums.notGood, runs[i + 1]?.sums.notGood ?? 0]);
      const defects = sums.defects + Math.max(0, sums.notGood) - settled;
      const correctOutsideShifts = outside.total - outside.defects - Math.max(0, outside.notGood);
      const own = corrected.filter((one) => one.start === startAt);
      const [more, worse] = [own.reduce((sum, one) => sum + one.total, 0), own.reduce((sum, one) => sum + one.defects, 0)];
      const made = { correct: sums.total - defects + more - worse, defects: defects + worse };
      return workOrderId === null ? [] : [{ startAt, workOrderId, skuId, ...made, correctOutsideShifts, endAt }];
    });
  }

  /** The good units outside every shift by local hour, of hours in which there were any. The zones of the model have whole hours. */
  outsideHours() {
    const hours = new Map<number, number>();
    for (const { event } of this.counts()) {
      if (this.shiftAt(event.at)) continue;
      const start = Math.floor(event.at / HOUR) * HOUR;
      hours.set(start, (hours.get(start) ?? 0) + (event.good ?? event.total - event.defects));
    }
    return [...hours]
      .filter(([, units]) => units !== 0)
      .sort(([a], [b]) => a - b)
      .map(([startAt, units]) => ({ startAt, units }));
  }

  /** The line's production for an order from an instant on, including defects. */
  madeSince(workOrderId: string, since: number): number {
    const own = this.counts().filter((count) => count.workOrderId === workOrderId && count.event.at >= since);
    return own.reduce((sum, { event }) => sum + event.total, 0);
  }

  // Shift records

  /** Everything published about a shift, as of now. */
  record(shift: Shift, pieces = this.marked(), counts = this.counts()) {
    const asOf = Math.min(shift.end, this.until());
    const segments = pieces.flatMap((piece) => {
      const [start, end] = [Math.max(piece.start, shift.start), Math.min(piece.end, asOf)];
      return start < end ? [{ start, end, bucket: bucketOf(piece), piece, isAnnotated: piece.stop?.isAnnotated ?? false }] : [];
    });
    const isOpen = shift.end > this.now && this.isInService();
    const open = isOpen ? pieces.find((piece) => piece.start <= asOf && asOf < piece.end) : undefined;
    const lengthOf = (which: (segment: (typeof segments)[number]) => boolean) =>
      segments.filter(which).reduce((sum, { start, end }) => sum + end - start, 0);
    const isNonProgrammed = (segment: (typeof segments)[number]) => segment.bucket === "nonProgrammed";
    const running = segments.filter(({ bucket }) => bucket === "available");
    const [first, last] = [running[0], running.at(-1)];
    const sums = {
      asOf,
      openBucket: open ? bucketOf(open) : null,
      openIsAnnotated: open?.stop?.isAnnotated ?? false,
      availableMs: lengthOf(({ bucket }) => bucket === "available"),
      noDataMs: lengthOf(({ bucket }) => bucket === "noData"),
      programmedMs: lengthOf(({ bucket }) => bucket === "programmed"),
      nonProgrammedMs: lengthOf(isNonProgrammed),
      otherMs: lengthOf(({ bucket }) => bucket === "other"),
      lateStartMs: lengthOf((one) => isNonProgrammed(one) && (!first || one.start < first.start)),
      nonProgrammedSinceAvailableMs: lengthOf((one) => isNonProgrammed(one) && last !== undefined && one.start > last.start),
      annotatedMs: lengthOf(({ isAnnotated, bucket }) => isAnnotated && (bucket === "programmed" || bucket === "nonProgrammed")),
    };
    const skus = this.skus(shift, counts);
    const add = (of: (sku: (typeof skus)[number]) => number) => skus.reduce((sum, sku) => sum + of(sku), 0);
    const settled = settledBy(skus.map(({ notGood }) => notGood));
    const rejected = new Map(skus.map((sku, i) => [sku, sku.defects + Math.max(0, sku.notGood) - (settled[i] ?? 0)]));
    const defects = (sku: (typeof skus)[number]) => rejected.get(sku) ?? 0;
    const made = {
      cycles: add((sku) => sku.cycles),
      totalUnits: add((sku) => sku.total),
      defectUnits: add(defects),
      unitsWithoutTime: add((sku) => sku.withoutTime?.units ?? 0),
      idealMs: add((sku) => sku.idealMs - (sku.withoutTime?.idealMs ?? 0)),
      cyclesWithStandard: add((sku) => sku.cyclesWithStandard - (sku.withoutTime?.cyclesWithStandard ?? 0)),
      lostByDefectsMs: add((sku) => {
        const { units, standardMs } = sku.late ?? { units: 0, standardMs: 0 };
        return (sku.total === 0 ? 0 : ((defects(sku) - units) * sku.idealMs) / sku.total) + standardMs;
      }),
      standardCycleMs: this.#standardOf(shift),
      ...this.#recent(running, counts),
    };
    for (const one of this.corrected(shift, counts)) {
      made.totalUnits += one.total;
      made.defectUnits += one.defects;
    }
    return { segments: segments.map(({ piece: { stop }, ...segment }) => ({ ...segment, stop })), sums, made, skus };
  }

  /** The standard of the SKU in work now, or just before the shift ended. */
  #standardOf({ end }: Shift): number | null {
    if (end > this.now && this.isInService()) return this.#standard(this.settingsAt(this.now), this.skuId());
    const last = Math.min(end, this.until()) - 1;
    return this.#standard(this.settingsAt(last), this.skuId(last));
  }

  /** Units and length of the last ten minutes of running. */
  #recent(running: Between[], counts: ReturnType<Model["counts"]>) {
    let [recentMs, recentUnits] = [0, 0];
    for (const { start, end } of running.toReversed()) {
      const from = Math.max(start, end - (600_000 - recentMs));
      if (from >= end) break;
      recentMs += end - from;
      for (const { event, hasTime } of counts) if (hasTime && from <= event.at && event.at < end) recentUnits += event.total;
    }
    return { recentUnits, recentMs };
  }

  // Operators

  signedIn(events = this.#events(), at = this.now): { operatorId: number; since: number }[] {
    let since = new Map<number, number>();
    /** Those who would be signed in by the events, while an amendment says who is there. */
    let sent: Map<number, number> | null = null;
    for (const event of events) {
      if (event.kind !== "operator" || event.at > at) continue;
      const { present, isReplaced, action, operatorId } = event as Sign;
      const staying = (all: Map<number, number>) => new Map([...all].filter(([, from]) => event.at < this.#leavesAt(from)));
      since = staying(since);
      sent = sent && staying(sent);
      if (present !== undefined) {
        const there: Iterable<number> = present ?? sent?.keys() ?? since.keys();
        const before = since;
        sent = present && (sent ?? since);
        since = new Map([...there].map((id) => [id, before.get(id) ?? event.at]));
        continue;
      }
      const all: Map<number, number> = isReplaced && sent ? sent : since;
      if (action === "out") all.delete(operatorId);
      else if (!all.has(operatorId)) all.set(operatorId, event.at);
    }
    return [...since]
      .filter(([, from]) => at < this.#leavesAt(from))
      .map(([operatorId, from]) => ({ operatorId, since: from }))
      .sort((a, b) => a.operatorId - b.operatorId);
  }

  /** The day for which a whole shift counts, in days since 1970-01-01; null: each of its hours counts for its calendar day. */
  dayOf({ start, end }: Shift): number | null {
    const { productionDay, timezone } = this.settingsAt(start);
    if (productionDay === undefined || productionDay === "calendarDay") return null;
    const date = new Intl.DateTimeFormat("en-CA", { timeZone: timezone }).format(
      productionDay === "shiftStart" ? start : end - 1,
    );
    return Date.parse(date) / 86_400_000;
  }

  /** When an operator who signed in at an instant is signed out automatically: at the end of the first shift that signs people out. */
  #leavesAt(since: number): number {
    const isLeft = ({ end }: Shift) => end > since && this.settingsAt(end - 1).signOutAtShiftEnd;
    return this.shifts().find(isLeft)?.end ?? Number.POSITIVE_INFINITY;
  }

  /** The operators at the machine: those signed in, else those planned. */
  #present(at: number, events: LedgerEvent[]): number[] {
    const signedIn = this.signedIn(events, at).map(({ operatorId }) => operatorId);
    const shift = this.shiftAt(at);
    if (signedIn.length > 0 || !shift) return signedIn;
    const planned = this.settingsAt(at).plan.filter((p) => p.shiftId === shift.shiftId && p.since <= at && at < p.until);
    return [...new Set(planned.map(({ operatorId }) => operatorId))];
  }

  /** The operators with a share in the running shift; null outside shifts. */
  operators() {
    this.noteEvents();
    const shift = this.shiftAt(this.now);
    if (!shift || !this.isInService()) return null;
    return { shiftId: shift.shiftId, shiftStart: shift.start, shares: this.shares(shift) };
  }

  /** The operators with a share in a shift, by id. */
  shares(shift: Shift, pieces = this.marked(), counts = this.counts()) {
    const isRunning = shift.end > this.now && this.isInService();
    const to = isRunning ? this.now : Math.min(shift.end, this.until());
    const signs = this.#events().filter((event) => event.kind === "operator");
    const rows = new Map<number, { operatorId: number; uptimeMs: number; downtimeMs: number }>();
    // The clock may have been set back to before the commissioning.
    const from = Math.min(Math.max(shift.start, this.commissionedAt), to);
    const changes = [...pieces.map(({ start }) => start), ...signs.map(({ at }) => at)];
    for (const { since, plan } of this.history) changes.push(since, ...plan.flatMap((p) => [p.since, p.until]));
    const inside = changes.filter((at) => from < at && at < to);
    const instants = [...new Set([from, ...inside, to, ...(isRunning ? [to + 1] : [])])].sort((a, b) => a - b);
    for (const [i, at] of instants.slice(0, -1).entries()) {
      const piece = pieces.find(({ start, end }) => start <= at && at < end);
      const bucket = piece && bucketOf(piece);
      for (const operatorId of this.#present(at, signs)) {
        const row = rows.get(operatorId) ?? { operatorId, uptimeMs: 0, downtimeMs: 0 };
        rows.set(operatorId, row);
        if (at === to) continue;
        const length = (instants[i + 1] ?? at) - at;
        if (bucket === "available") row.uptimeMs += length;
        if (bucket === "programmed" || bucket === "nonProgrammed") row.downtimeMs += length;
      }
    }
    const corrected = this.corrected(shift, counts);
    const shares = [...rows.values()].map((row) => {
      const own = counts.filter(({ event, who }) => {
        return event.total > 0 && shift.start <= event.at && event.at < shift.end && who.includes(row.operatorId);
      });
      const units = own.reduce((sum, { event }) => sum + event.total, 0);
      const credited = corrected.filter(({ at, total }) => total !== 0 && this.#present(at, signs).includes(row.operatorId));
      return { ...row, ...withCorrections({ units, skuId: own.at(-1)?.skuId ?? null }, credited) };
    });
    return shares.sort((a, b) => a.operatorId - b.operatorId);
  }

  // The present moment

  state() {
    const isInService = this.isInService();
    const isCommissioned = this.now >= this.commissionedAt;
    const shift = isInService && isCommissioned ? this.shiftAt(this.now) : null;
    const piece = shift ? this.marked().at(-1) : undefined;
    const lastShift = this.shifts().findLast(({ start, end }) => start < this.now && end > this.now - 14 * DAY);
    const lastEnd = isCommissioned ? (lastShift?.end ?? null) : null;
    const workOrderId = this.#work().at(-1)?.workOrderId ?? null;
    return {
      bucket: piece ? bucketOf(piece) : null,
      since:
        piece && shift ? (piece.stop ? piece.start : Math.max(piece.start, shift.start)) : isInService ? lastEnd : this.until(),
      stopSeq: piece?.stop?.seq ?? null,
      shift,
      skuId: this.skuId(),
      workOrderId,
      signedIn: this.signedIn(),
      heardAt: this.newestAt(),
    };
  }
}

/** The end of a stop: one that lasts has none. */
function lastOf({ end }: Stop): number {
  return end ?? Number.POSITIVE_INFINITY;
}

function common(edit: Edit, stop: Stop): number {
  return overlap(edit, { start: stop.start, end: lastOf(stop) });
}

/** A stop's mark; null if nothing is said of it. */
function markOf(said: Partial<StopMark>): StopMark | null {
  const mark = { ...noMark, ...said };
  return Object.values(mark).every((value) => value === null) ? null : mark;
}

/** A flag that a person set, or the cause. */
export function flagOf(
  mark: StopMark | null,
  flag: "isProgrammed" | "isIncludedInStops" | "isIncludedInAvailability",
): boolean | null {
  return mark?.[flag] ?? mark?.classification?.flags?.[flag] ?? null;
}

/** The flags that a person sets. What the cause says anyway is not the person's. */
function ownFlags(flags: object, mark: StopMark | null): Partial<StopMark> {
  const ofCause: Record<string, unknown> = { ...mark?.classification?.flags };
  return Object.fromEntries(Object.entries(flags).map(([flag, value]) => [flag, ofCause[flag] === value ? null : value]));
}

function wholeTextOf(mark: StopMark | null): string {
  const { classifiedAt = 0, reclassifiedAt = 0 } = mark?.classification ?? {};
  return mark ? `${textOf(mark)} ${classifiedAt} ${reclassifiedAt}` : "nothing";
}

/** The content of a mark, whenever it was set. */
/** What an operator is credited with, with the corrections of times at which the operator was there. */
function withCorrections(
  { units, skuId }: { units: number; skuId: string | null },
  credited: readonly { total: number; skuId: string | null }[],
) {
  const sum = credited.reduce((all, { total }) => Math.max(0, all + total), units);
  return { units: sum, skuId: skuId ?? credited.findLast(({ total }) => total > 0)?.skuId ?? null };
}

function textOf({ classification, ...rest }: StopMark): string {
  const { classifiedAt: _, reclassifiedAt: __, flags = {}, ...causes } = classification ?? { classifiedAt: 0, reclassifiedAt: 0 };
  const inOrder = (members: object) => Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([classification === null, inOrder(rest), inOrder(causes), inOrder(flags)]);
}

/** For runs in order, how many missing good units of each turned up in later ones, in which more were good than made. */
function settledBy(notGood: readonly number[]): number[] {
  const settled = notGood.map(() => 0);
  for (const [later, missing] of notGood.entries()) {
    let surplus = Math.max(0, -missing);
    for (let i = later - 1; i >= 0 && surplus > 0; i--) {
      const open = Math.max(0, notGood[i] ?? 0) - (settled[i] ?? 0);
      const taken = Math.min(open, surplus);
      settled[i] = (settled[i] ?? 0) + taken;
      surplus -= taken;
    }
  }
  return settled;
}

/** Where shifts overlap, the one that starts later applies from its start; of two with the same start, the one with the lower id. */
function withoutOverlap(shifts: DayShift[]): DayShift[] {
  const inOrder = shifts.toSorted((a, b) => a.start - b.start || a.shiftId - b.shiftId);
  const distinct = inOrder.filter((shift, i) => inOrder[i - 1]?.start !== shift.start);
  return distinct.flatMap((shift, i) => clipped(shift, shift.start, distinct[i + 1]?.start ?? shift.end));
}

/** The part of a shift between two instants. */
function clipped(shift: DayShift, from: number, to: number): DayShift[] {
  const inside = <T extends Between>(one: T) => ({ ...one, start: Math.max(one.start, from), end: Math.min(one.end, to) });
  const breaks = shift.breaks.map(inside).filter((one) => one.start < one.end);
  const part = { ...inside(shift), breaks };
  return part.start < part.end ? [part] : [];
}

/** The state at an instant: a recorded stop, else silence, else the state by the signals and then the breaks. */
function whatIs(
  recorded: Between | undefined,
  silence: Between | undefined,
  stopped: Stopped | undefined,
  breaks: Break[],
  at: number,
) {
  const stop = (of: string, facts: Partial<Facts>) => {
    return { kind: "stop" as const, of, stop: { ...plain, ...facts, isAnnotated: false, seq: null } };
  };
  if (recorded) return stop(`manual ${recorded.start}`, { isManual: true });
  if (silence || stopped?.kind === "unknown") return { kind: "noData" as const, of: "noData", stop: null };
  if (!stopped) return { kind: "available" as const, of: "available", stop: null };
  // Of overlapping breaks, the one that began first.
  const [planned] = breaks.filter((one) => one.start <= at && at < one.end).sort((a, b) => a.start - b.start);
  if (!planned) return stop(`${stopped.start}`, { isProgrammed: stopped.isProgrammed });
  const { name, isIncludedInAvailability } = planned;
  return stop(`${stopped.start} ${name} ${planned.start}`, { isProgrammed: true, isIncludedInAvailability, breakName: name });
}

/** What a counter made by the time that it shows these values, of which the order is not known. */
function madeSince(last: Shown, values: readonly number[], { at, wraps }: ReadingEvent, standard: number | null): number {
  const top = Math.max(last.value, ...values);
  const below = values.filter((value) => value < last.value);
  if (below.length === 0) return top - last.value;
  const bottom = Math.max(...below);
  if (wraps && top < wraps.at) {
    const made = wraps.at - last.value + bottom;
    const pulseMs = standard === null ? null : standard / wraps.pulsesPerCycle;
    if (made <= (pulseMs === null ? wraps.at / 2 : 20 * Math.max(1, (at - last.at) / pulseMs))) return made;
  }
  return top - last.value + bottom;
}

/** Finds which of several times (in order, without overlap) contains an instant; instants must be passed in ascending order. */
function walkOver<T extends Between>(times: readonly T[]): (at: number) => T | undefined {
  let i = 0;
  return (at) => {
    while ((times[i]?.end ?? Number.POSITIVE_INFINITY) <= at) i++;
    const next = times[i];
    return next && next.start <= at ? next : undefined;
  };
}

export function bucketOf({ kind, stop }: Piece) {
  if (!stop || kind !== "stop") return kind === "noData" ? "noData" : "available";
  if (!stop.isIncludedInAvailability) return "other";
  return stop.isProgrammed ? "programmed" : "nonProgrammed";
}

/** Whether a filter names an event. Held counts are heartbeats for as long as they are held. */
function isNamed({ from, to, kinds, minValue, ids }: EventFilter, { id, event, pulses }: Heard): boolean {
  const kindsOf: Record<string, EventFilter["kinds"]> = { sample: ["heartbeat"], reading: [], cut: [] };
  const kindOf = kindsOf[event.kind] ?? [event.kind as "count" | "state" | "sku" | "operator"];
  const [kind] = pulses === undefined ? kindOf : ["count" as const];
  const isOfKind = kind !== undefined && (kinds ?? (ids ? [kind] : ["count", "heartbeat", "state"])).includes(kind);
  const value = pulses ?? (event.kind === "count" ? event.total : null);
  const isHigh = minValue === null || (value !== null && value >= minValue);
  return from <= event.at && event.at < to && isOfKind && isHigh && (ids === null || (id !== null && ids.includes(id)));
}

/** An event's id or, without one, its content: identifies repeated events. */
function identityOf({ id, content, event }: IncomingEvent): string {
  return id === null ? `=${event.at} ${rank[event.kind]} ${content}` : `#${id}`;
}

function orderOf({ id, content, event }: IncomingEvent): string {
  return `${String(event.at).padStart(15, "0")} ${rank[event.kind]} ${id === null ? `=${content}` : `#${id}`}`;
}

function overlap(a: Between, b: Between): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}

/** One occurrence of a shift: wall-clock times that are not later than the previous one belong to the next day. */
function runOf(shift: OwnDay["shifts"][number], timezone: string, day: number): Shift {
  const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
  const after = (clock: string, before: number) => (minutes(clock) > before ? minutes(clock) : minutes(clock) + 1440);
  const first = minutes(shift.start);
  const start = localTime(timezone, day, first);
  const end = localTime(timezone, day, after(shift.end, first));
  const breaks = shift.breaks.map(({ name, isIncludedInAvailability, ...planned }) => {
    const from = minutes(planned.start) < first ? minutes(planned.start) + 1440 : minutes(planned.start);
    const to = minutes(planned.end) + 1440 * Math.max(0, Math.ceil((from + 1 - minutes(planned.end)) / 1440));
    const [breakStart, breakEnd] = [localTime(timezone, day, from), localTime(timezone, day, to)];
    return { name, isIncludedInAvailability, start: Math.max(start, breakStart), end: Math.min(end, breakEnd) };
  });
  const inside = breaks.filter((one) => one.start < one.end).sort((a, b) => a.start - b.start);
  return { shiftId: shift.id, start, end, breaks: inside };
}
