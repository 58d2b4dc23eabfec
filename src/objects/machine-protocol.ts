import type { Warning } from "../core/warnings.ts";
import type { AuditRow } from "../db/audit-row.ts";
import type { corrections, eventWithdrawals } from "../db/schema.ts";
import type { Stop } from "../db/slim-rows.ts";
import type { KeptCauses, WithdrawalFilter } from "../db/values.ts";
import type { Amendment, NumberedAmendment } from "../oee/amendments.ts";
import type { CountEvent, MachineEvent, ReadingEvent } from "../oee/events.ts";
import type { SkuTally } from "../oee/production.ts";
import type { Bucket, Segment, ShiftSums } from "../oee/shift-ledger.ts";
import type { ShiftRecord } from "../oee/shift-record.ts";
import type { ShiftOccurrence } from "../oee/shifts.ts";
import { HOUR_MS, type Interval } from "../oee/time.ts";
import type { PassedSetUp } from "./set-up.ts";

/** Pulses of a channel as they were sent, and as they are kept. What they count depends on the machine's channels at their time. */
export interface SentPulses {
  /** `pulses`: `value` is the number since the last count. `total`: it is the running total of the channel's counter. */
  kind: "pulses" | "total";
  at: number;
  /** Start of the time in which they were counted; absent: not said. */
  since?: number;
  nodeId: number;
  channel: number;
  value: number;
  /** The machine cannot have made what they count. They count nothing unless an admin accepts them. */
  isHeld?: true;
}

/** An event on its way into a machine's object, with its identity. */
export interface IncomingEvent {
  /** The sender's id; null: the content is the identity. */
  id: string | null;
  /** Its content in canonical form, without time and kind. */
  content: string;
  event: MachineEvent;
}

/** A count as its gateway sent it. Its meaning depends on the machine's channels. */
export interface Pulses {
  /** The sender's id; null: the content is the identity. */
  id: string | null;
  at: number;
  /** Start of the time in which they were counted; absent: not said. */
  since?: number;
  nodeId: number;
  channel: number;
  /** Exactly one of the two is there: the pulses since the last count, or the running total. */
  value?: number;
  reading?: number;
  /**
   * The sender named the machine by its ref, and perhaps the channel by its type, which were read by this version of the set-up. By a newer one they
   * may be another machine's or another channel. Absent: node and channel were sent, or have just been read.
   */
  seenVersion?: number;
}

/** An event as it is sent to a machine's object. */
export type SentEvent = IncomingEvent | Pulses;

export function isPulses(sent: SentEvent): sent is Pulses {
  return "channel" in sent;
}

export type EventResult =
  | "accepted"
  | "duplicate"
  | {
      code: "too_late" | "before_commissioning" | "after_decommissioning" | "other_machine" | "conflict" | "too_many_held";
      message: string;
      /** Of one that is `too_late` because the books of its time are closed: up to when. */
      closedTo?: number;
    };

/** The operators, SKU and work order at a machine, as of the report. */
export interface FloorNow {
  skuId: string | null;
  workOrderId: string | null;
  /** Ordered by operator; `since` in epoch ms. */
  signedIn: { operatorId: number; since: number }[];
}

/** The result of a report by a person at the machine: the state after it, or why it was refused. */
export type Reported = (FloorNow & { isChanged: boolean }) | Exclude<EventResult, string>;

/** An operator's share in a shift of a machine. */
export interface OperatorShare {
  operatorId: number;
  uptimeMs: number;
  downtimeMs: number;
  units: number;
  /** The SKU of the operator's latest units; null without any. */
  skuId: string | null;
}

interface StopClassification {
  description: string | null;
  generalCauseId: number | null;
  specificCauseId: number | null;
  componentId: number | null;
  classifiedAt: number;
  reclassifiedAt: number;
  /** What its cause said of the stop then. Missing: nothing. */
  flags?: Partial<StopFlags>;
}

/**
 * What people said of a stop. Null members keep the value from the signals, the shift or the default; null flags keep those of the cause, if it says
 * something.
 */
export interface StopMark {
  name: string | null;
  isProgrammed: boolean | null;
  isIncludedInStops: boolean | null;
  isIncludedInAvailability: boolean | null;
  classification: StopClassification | null;
}

/** The present state of a machine. */
export interface MachineNow {
  /** Null: outside shifts or out of service. */
  bucket: Bucket | null;
  /** Start of the current state: a stop's own start, otherwise not before the shift's start. Null if it is unknown. */
  since: number | null;
  stopSeq: number | null;
  shift: ShiftOccurrence | null;
  skuId: string | null;
  workOrderId: string | null;
  signedIn: { operatorId: number; since: number }[];
  /** Time of the newest event; null before the first. */
  heardAt: number | null;
  /** Whether the machine's alarm fails, or rows of its object cannot be read. Undefined: it was not asked, or the object is of a version before November 2026. */
  isDegraded?: boolean;
  /** How many of its counts are held. Undefined: as for `isDegraded`. */
  heldCounts?: number;
  /** Whether it makes numbers of the past again, and that takes more than a moment. Undefined: as for `isDegraded`. */
  isRecalculating?: boolean;
}

interface StopNow extends Pick<StopMark, "name" | "classification"> {
  /** The planned break that made it a separate stop; null: none did. */
  breakName: string | null;
  /** The end of that break, while it runs; null without one. */
  plannedUntil: number | null;
}

/** The numbers of a running shift so far. */
export interface ShiftNumbers {
  sums: ShiftSums;
  /** Without `recentUnits` and `recentMs`: their ten-minute window moves even when nothing happens. */
  made: Omit<ShiftRecord["made"], "recentUnits" | "recentMs">;
  /** Units that the standards require in the scheduled (available and non-programmed) time so far; 0 without a standard. */
  targetUnits: number;
  /** How much `targetUnits` grows per millisecond at present. */
  targetPerMs: number;
  /** See `shortStops` and `isSlow` in oee/speed.ts. */
  shortStops: number;
  isSlow: boolean;
}

/** The present state of a machine, with its stop and the numbers of its running shift. */
export interface MachineOverview extends MachineNow {
  /** The instant of the overview, by the machine's clock. */
  asOf: number;
  /** The details of the stop that it is in; null without one. */
  stop: StopNow | null;
  /** Null outside shifts. */
  numbers: ShiftNumbers | null;
}

/** Everything behind the numbers of one shift. */
export interface ShiftExplanation extends Omit<ShiftRecord, "segments"> {
  occurrence: ShiftOccurrence;
  /** In order. A stopped segment has its stop: the number (null: not numbered yet) and the name of the planned break that made it, if any. */
  segments: (Segment & { stop: { seq: number | null; breakName: string | null } | null })[];
  /** What was counted of each SKU, without corrections. */
  skus: SkuTally[];
  /** The corrections that count, in the order in which they were entered. Undefined: the object is of a version before they existed. */
  corrections?: ExplainedCorrection[];
}

/** A correction behind the numbers of a shift: the units that were entered, and those by which it changes the sums. */
interface ExplainedCorrection {
  seq: number;
  at: number;
  skuId: string | null;
  workOrderId: string | null;
  total: number;
  defects: number;
  appliedTotal: number;
  appliedDefects: number;
}

/** A correction that a person enters. Null: not said. */
export interface NewCorrection {
  at: number;
  skuId: string | null;
  workOrderId: string | null;
  total: number;
  /** Without those to rework. */
  defects: number;
  rework: number;
  reasonId: number | null;
  comment: string | null;
}

/** Why a correction was refused, with the code of the fault; `member` is the member that is wrong. */
export type CorrectionRefusal =
  | PlainRefusal
  | {
      refused: "before_commissioning" | "after_decommissioning" | "no_shift" | "settled" | "not_made" | "below_zero";
      member: keyof NewCorrection;
      message: string;
    };

/** The events of a time that match all that is not null. Times are epoch ms, `to` excluded. */
export interface EventFilter extends WithdrawalFilter {
  from: number;
  to: number;
}

/** How many events match, and when the first and the last of them were (epoch ms). */
export interface MatchingEvents {
  events: number;
  firstAt: number | null;
  lastAt: number | null;
}

/** Why a withdrawal was refused, with the code of the fault; `member` is the member that is wrong, or empty. */
export type WithdrawalRefusal =
  | PlainRefusal
  | { refused: "too_late" | "no_match" | "too_many_withdrawals"; member: "" | keyof EventFilter; message: string };

/** A withdrawal's row as it is in D1. */
export type WithdrawalState = Omit<typeof eventWithdrawals.$inferSelect, "revision" | "updatedAt">;

/** A correction's row as it is in D1. */
export type CorrectionState = Omit<typeof corrections.$inferSelect, "revision" | "updatedAt">;

/** Why a machine refuses what a person asked for. `closedTo`: it would change closed books, and those are closed up to then. */
export interface PlainRefusal {
  refused: "not_found" | "conflict";
  message: string;
  closedTo?: number;
}

export interface StopFlags {
  isProgrammed: boolean;
  isIncludedInStops: boolean;
  isIncludedInAvailability: boolean;
}

export type Causes = Omit<StopClassification, "classifiedAt" | "reclassifiedAt" | "flags">;

/**
 * An edit of a machine's stops. `version`: the version of the stop that the person saw; null: any. `versions`: those of `seqs`; left out: any. The flags
 * of a classification are those of its cause. `isCauseKept`: the stop keeps its cause, and so also the flags that people set. Those of a recorded stop are
 * what it counts as, `causeFlags` those among them that its cause says.
 */
export type StopEdit =
  | {
      action: "classify";
      seq: number;
      version: number | null;
      causes: Causes | null;
      flags: Partial<StopFlags>;
      isCauseKept?: true;
    }
  | { action: "change"; seq: number; version: number | null; name?: string | null; flags: Partial<StopFlags> }
  | {
      action: "record";
      start: number;
      end: number;
      name: string | null;
      causes: Causes | null;
      flags: Partial<StopFlags>;
      causeFlags?: Partial<StopFlags>;
    }
  | { action: "split"; seq: number; version: number | null; at: number }
  | { action: "merge"; seqs: number[]; versions?: number[] }
  | { action: "delete"; seq: number; version: number | null };

/** What becomes of an orphaned edit, by its number: it is put on a stop, or forgotten. */
export type OrphanEdit = { action: "attach"; seq: number; version: null; n: number } | { action: "drop"; n: number };

/** The same classification for several stops of a machine: a part of a bulk classification, which has a key of its own. */
export interface BulkEdit {
  key: string;
  /** The id of the bulk classification, by which it can be undone. */
  bulkId?: string;
  /** `version`: the version of the stop that was seen. */
  stops: { seq: number; version: number }[];
  causes: Causes;
  flags: Partial<StopFlags>;
  /** What each stop keeps of its own; left out: nothing. */
  kept?: KeptCauses;
}

/** What became of a stop in a bulk classification. `changed`: somebody changed it since it was seen. `closed`: its books are closed. */
export type StopResult = "classified" | "unchanged" | "changed" | "gone" | "closed";

/** The results of a bulk edit in the order of its stops. */
export interface BulkOutcome {
  results: StopResult[];
}

/** The same, and the bookmark at which D1 shows it; null: D1 gets it with a later alarm. */
export type BulkClassified = BulkOutcome & { bookmark: string | null };

/** How many stops of a bulk classification are as they were before, and how many were changed by a person afterwards, and are left as they are. */
export interface BulkUndone {
  undone: number;
  kept: number;
}

/** What was made in an interval, as far as is known: `end` null: it is made now. */
export interface PastRun {
  start: number;
  end: number | null;
  skuId: string | null;
  workOrderId: string | null;
}

/** What was made, or who was there (`end` null: is there now), in an interval, and the amendments that hold in it, the latest first. */
export interface Past {
  runs: PastRun[];
  presences: { operatorId: number; start: number; end: number | null }[];
  amendments: (NumberedAmendment & { madeAt: number; by: EditedBy; reason: string })[];
  /** Whether these are all: otherwise the first ones. */
  isComplete: boolean;
  /** Whether numbers of the machine are being made again: then they are those of before. */
  isRecalculating: boolean;
}

/** The number of an amendment, and the bookmark at which D1 has what follows from it; null: D1 gets it later. */
export type Amended = { n: number; bookmark: string | null } | AmendRefusal;

/** Why an amendment is refused. `too_late`: its events are not kept. */
export type AmendRefusal =
  | PlainRefusal
  | { refused: "too_late"; message: string }
  | { refused: "invalid"; member: "from" | "to"; code: "in_future" | "out_of_range"; message: string };

/** The author of an edit, and the request that contained it. */
export interface EditedBy {
  userId: number;
  /** At a paired terminal: the name of whoever acted there. */
  userName?: string | null;
  /** Null: not by an API token. */
  apiTokenId: number | null;
  requestId: string;
}

/** The reason why an edit was refused. For an invalid edit, `member` is the member that is wrong. */
export type EditRefusal = PlainRefusal | { refused: "invalid"; member: "startTime" | "endTime" | "at"; message: string };

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  operation: string;
  key: string;
  /** Differs for different bodies. */
  requestHash: string;
  /** The hashes that the same body had with other keys. Missing: none. */
  earlierHashes?: readonly string[];
}

/** A stop's row as it is in D1. */
export type StopSlice = Omit<Stop, "revision">;

/** Why events are held. The numbers of entries depend on the order: only add to it. */
export const holdReasons = ["implausible", "closedBooks"] as const;

export type HoldReason = (typeof holdReasons)[number];

/** An event that is held until a person accepts it. The journal has a sample in the place of a count that is implausible. */
export interface HeldCount {
  /** Its number among those that the machine ever held. */
  seq: number;
  /** The number of its entry. */
  entry: number;
  /** Its place in the journal. */
  pos: string;
  /** The sender's id; null: it had none. */
  id: string | null;
  nodeId: number;
  channel: number;
  pulses: number;
  /** What it would count, as far as was known when it arrived. */
  event: CountEvent;
  /** The running total that was sent; null: it was pulses. */
  reading: ReadingEvent | null;
  /** What was sent. Absent: version 0.1.0 stored it. */
  sent?: SentPulses;
  /** The event as it would have been taken, if the books of its time are closed; absent: they are not. */
  taken?: IncomingEvent & { source?: { sent: SentPulses; fedSince: number } };
  /** When it arrived (epoch ms). */
  heldAt: number;
  /** The number of the import that it came with; absent: it was sent by itself. */
  importId?: number;
}

/** What a person decides about held counts. */
export interface HeldDecision {
  action: "accept" | "drop";
  /** The number of the entry. */
  entry: number;
  /** The numbers of counts; null: all of the entry. */
  seqs: readonly number[] | null;
}

/** What was decided: how many counts, and how many of the entry are still held. */
export interface HeldDecided {
  decided: number;
  units: number;
  left: number;
}

export type HeldRefusal = PlainRefusal;

/** Where a page of sent events ended: at a part of an archived day (its key) or in the journal (null), after an event. */
export interface SentEventsCursor {
  key: number | null;
  pos: string;
}

/** What is asked of the events of [start, end): those after a cursor (null: all), and, up to `countTo`, how many there are (0: not asked). */
export interface SentEventsQuery extends Interval {
  after: SentEventsCursor | null;
  limit: number;
  countTo: number;
}

/** An event as it was sent, or a part of a day that is damaged: its UTC day (days since 1970), its number, and how many events it had. */
export type SentEventItem = { event: KeptEvent } | { damaged: { day: number; part: number; events: number } };

/** An event with its sender's id (null: it had none) and the time of its arrival (epoch ms; absent: not known). */
export interface KeptEvent {
  id: string | null;
  event: MachineEvent | SentPulses;
  receivedAt?: number;
  /** The number of the import that it came with; absent: none. */
  importId?: number;
  /** Whether it counts for nothing. */
  isWithdrawn?: boolean;
}

/** A page of sent events. `completeFrom`: all events since then are kept (epoch ms; 0: always). */
export interface SentEventsPage {
  items: (SentEventItem & { cursor: SentEventsCursor })[];
  isEnd: boolean;
  completeFrom: number;
  /** How many items there are on all pages, if that was asked. */
  count?: number;
}

/** The result of each event, in order, and warnings about gaps in the machine's set-up. */
export interface Ingested {
  results: EventResult[];
  warnings: Warning[];
}

/** The events of a piece of an import that are for one machine. */
export interface HistoryPiece {
  importId: number;
  /** When the import was made (epoch ms): then its events arrived. */
  receivedAt: number;
  /** Where the piece begins in the file. The pieces of an import come in order, each as often as needed, always with the same events. */
  offset: number;
  events: SentEvent[];
}

/**
 * The results of the events of a piece, in their order: 1: accepted, 2: stored before, 3: accepted and held, and from 10 on refused, for the reason
 * with the number without these 10.
 */
export interface HistoryAdded {
  results: Uint8Array;
  refusals: { code: string; message: string }[];
}

/** The operators' shares in a machine's running shift, as of the call. */
export interface CurrentOperators {
  shiftId: number;
  shiftStart: number;
  shares: OperatorShare[];
}

/**
 * The result of a cut, and the bookmark at which D1 shows it (null: there is nothing new to show). `cut`: the order's run ends at the instant, and
 * another one begins there. `none`: there was no run to split. `settled`: a run of the order spans the instant, but its books are closed (up to
 * `closedTo`), or events of that time are not kept any more. `unpublished`: the cut is made, but D1 does not have it yet.
 */
export interface RunCut {
  outcome: "cut" | "none" | "settled" | "unpublished";
  bookmark: string | null;
  closedTo?: number;
}

/** The slices of each stop that resulted from an edit, and the bookmark at which D1 shows them; or why it was refused. */
export type StopsEdited = { stops: StopSlice[][]; bookmark: string | null } | EditRefusal;

/** The same for an orphaned edit. `no_stop`: the stop on which it is to be put is not there. */
export type OrphanDecided = StopsEdited | { refused: "no_stop"; message: string };
/** A shift that would differ, with the members that would; null: there is none. Times are epoch ms. */
export interface ShiftDifference {
  shiftId: number;
  start: number;
  end: number;
  before: Record<string, number | null> | null;
  after: Record<string, number | null> | null;
}

/** Sums over shifts. */
export interface SummedShifts {
  /** How many there are. */
  shifts: number;
  availableMs: number;
  programmedMs: number;
  nonProgrammedMs: number;
  otherMs: number;
  noDataMs: number;
  idealMs: number;
  totalUnits: number;
  defectUnits: number;
}

/** What a change of the set-up would do at a machine. `shifts` are the first of them, in order, and the sums are over all. */
export interface DryRunResult {
  count: number;
  shifts: ShiftDifference[];
  sums: { before: SummedShifts; after: SummedShifts };
}

/**
 * How far a dry run is. `busy`: something else goes before it. `changed`: the machine has a newer set-up than the one that was passed.
 */
export type DryRunAnswer =
  | ({ state: "done" } & DryRunResult)
  | { state: "going"; reachedAt: number | null }
  | { state: "busy" }
  | { state: "changed" };

/** Whether the machine has closed its books, and D1 has all rows of the time before. If not, why. */
export type BooksClosed = { isClosed: true } | { isClosed: false; waitsFor: "recalculation" | "database" };

/** How far behind the newest event of its machine an event may be. */
export const LATE_LIMIT_MS = 48 * HOUR_MS;

/**
 * The calls that a machine's object answers. Their names and parameters stay: during a gradual deployment, the Worker and objects of two
 * versions call each other. `machine/machine-object.ts` describes each. `configVersion` is the version of the machine's set-up that the caller
 * saw; null is answered for a machine that does not exist.
 */
export interface MachineObject {
  /** Stores events, each once. */
  ingest(sent: SentEvent[], configVersion: number, entry?: AuditRow | null): Promise<Ingested | null>;
  /** Stores what a person at the machine reported. */
  report(incoming: IncomingEvent, configVersion: number, entry: AuditRow): Promise<Reported | null>;
  /** Time of the newest event; null without any. */
  heardAt(): Promise<number | null>;
  /** The instant from which its numbers can be made again (epoch ms); 0: all of them. */
  recalculableFrom(): Promise<number>;
  /** Takes over the machine's set-up: `setUp`, if that is not older than the set-up that it has, or else from D1. */
  configure(configVersion: number, setUp?: PassedSetUp): Promise<boolean>;
  /** The operators of the running shift. */
  operators(): Promise<CurrentOperators | null>;
  /** Everything behind the numbers of the shift that starts at an instant. */
  explain(shiftStart: number): Promise<ShiftExplanation | null>;
  /** The present state. */
  state(): Promise<MachineNow | null>;
  /** The present state, with the numbers of the running shift. */
  overview(): Promise<MachineOverview | null>;
  /** Applies a person's edit to stops. */
  editStops(
    edit: StopEdit,
    companyId: number | null,
    by: EditedBy,
    request?: KeyedRequest | null,
    configVersion?: number,
  ): Promise<StopsEdited>;
  /** Puts an orphaned edit on another stop, or forgets it. */
  decideOrphan(
    edit: OrphanEdit,
    companyId: number,
    by: EditedBy,
    request: KeyedRequest | null,
    configVersion: number,
  ): Promise<OrphanDecided>;
  /** Applies an amendment in place of the events of its interval. */
  amend(
    amendment: Amendment,
    reason: string,
    companyId: number,
    by: EditedBy,
    entry: AuditRow,
    request: KeyedRequest | null,
    configVersion: number,
  ): Promise<Amended>;
  /** Takes an amendment back, by its number. */
  undoAmendment(
    kind: Amendment["kind"],
    n: number,
    companyId: number,
    by: EditedBy,
    entry: AuditRow,
    request: KeyedRequest | null,
  ): Promise<Amended>;
  /** What was made, or who was there, in an interval. */
  past(kind: Amendment["kind"], interval: Interval): Promise<Past | null>;
  /** Gives stops the same classification. Null: the company has no such machine. */
  classifyStops(edit: BulkEdit, companyId: number, by: EditedBy, configVersion: number): Promise<BulkClassified | null>;
  /** Takes a bulk classification back. Null: the company has no such machine. */
  undoClassification(
    bulkId: string,
    companyId: number,
    by: EditedBy,
    configVersion: number,
  ): Promise<(BulkUndone & { bookmark: string | null }) | null>;
  /** Splits the run of a work order at an instant. */
  cutRun(workOrderId: string, at: number, configVersion?: number): Promise<RunCut>;
  /** Events of an interval as they were sent, in order. */
  sentEvents(query: SentEventsQuery): Promise<SentEventsPage>;
  /** Held counts of an entry with greater numbers than `after`, in order. */
  heldCounts(entry: number, after: number, limit: number): Promise<HeldCount[]>;
  /** Accepts or drops held counts. */
  decideHeld(
    decision: HeldDecision,
    by: EditedBy,
    request: KeyedRequest | null,
    configVersion: number,
  ): Promise<(HeldDecided & { bookmark: string | null }) | HeldRefusal>;
  /** Enters a correction. */
  correct(
    sent: NewCorrection,
    by: EditedBy,
    request: KeyedRequest | null,
    configVersion: number,
  ): Promise<{ correction: CorrectionState; bookmark: string | null } | CorrectionRefusal>;
  /** Undoes a correction. */
  undoCorrection(
    seq: number,
    by: EditedBy,
    request: KeyedRequest | null,
    configVersion: number,
  ): Promise<{ correction: CorrectionState; bookmark: string | null } | CorrectionRefusal>;
  /** How many events match a filter. */
  matchingEvents(filter: EventFilter): Promise<MatchingEvents | WithdrawalRefusal>;
  /** Has the events that match count for nothing. */
  withdrawEvents(
    sent: EventFilter & { reason: string },
    by: EditedBy,
    request: KeyedRequest | null,
    configVersion: number,
  ): Promise<{ withdrawal: WithdrawalState; bookmark: string | null } | WithdrawalRefusal>;
  /** Restores the events of a withdrawal: they count again. */
  restoreEvents(
    seq: number,
    by: EditedBy,
    request: KeyedRequest | null,
    configVersion: number,
  ): Promise<{ withdrawal: WithdrawalState; bookmark: string | null } | WithdrawalRefusal>;
  /** Reports changes to the hub from now on. Called by the hub. */
  watch(watch: number): Promise<HubReport | null>;
  /** Takes a piece of an import. `over`: the import was withdrawn, or a later piece was taken. */
  addHistory(piece: HistoryPiece, configVersion: number): Promise<HistoryAdded | "over" | null>;
  /** Has what an import changed computed: there are no more pieces. */
  endHistory(importId: number): Promise<void>;
  /** Has the events of an import count for nothing any more. */
  withdrawHistory(importId: number): Promise<void>;
  /** Has the numbers of a past time made again from its events. Returns false if the company has no such machine. */
  recalculate(from: number, until: number, companyId: number | null, id?: number | null): Promise<boolean>;
  /** Goes on with a dry run of a set-up. Null: the company has no such machine. */
  dryRun(token: string, setUp: PassedSetUp, mostShifts: number): Promise<DryRunAnswer | null>;
  /**
   * Closes the books up to an instant, and brings D1 up to date. Returns whether both are done; if not, what it waits for, and it has to be called
   * again.
   */
  closeBooks(closing: { closingId: number; to: number }, companyId: number, configVersion: number): Promise<BooksClosed | null>;
  /** Takes a closing back: the books are closed up to `to`, as before. `isFailed`: it never ended. Null: there is no such machine. */
  reopenBooks(closing: { closingId: number; to: number; isFailed: boolean }, companyId: number): Promise<boolean | null>;
  /** The time of the first event of an import (epoch ms); null: the machine has none. */
  historyFrom(importId: number): Promise<number | null>;
  /** Brings D1 up to date for a reader. */
  publish(maxAgeMs?: number): Promise<number | null>;
}

/** What a machine reports about itself. Its revision grows: an older one never replaces a newer one. */
export interface HubReport {
  revision: number;
  overview: MachineOverview;
}
