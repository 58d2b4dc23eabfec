import { DurableObject } from "cloudflare:workers";
import { RetriedAlarm } from "../core/retried-alarm.ts";
import { migrate } from "../core/storage-steps.ts";
import type { AuditRow } from "../db/audit-row.ts";
import { OBJECT_MS, within } from "../limits/load.ts";
import {
  type Amended,
  type AmendRefusal,
  type BooksClosed,
  type BulkClassified,
  type BulkEdit,
  type CorrectionRefusal,
  type CorrectionState,
  type CurrentOperators,
  type DryRunAnswer,
  type EditedBy,
  type EventFilter,
  type EventResult,
  type HeldCount,
  type HeldDecided,
  type HeldDecision,
  type HeldRefusal,
  type HistoryAdded,
  type HistoryPiece,
  type HubReport,
  type IncomingEvent,
  type Ingested,
  isPulses,
  type KeyedRequest,
  type MachineNow,
  type MachineObject,
  type MachineOverview,
  type MatchingEvents,
  type NewCorrection,
  type OrphanDecided,
  type OrphanEdit,
  type Past,
  type Reported,
  type RunCut,
  type SentEvent,
  type SentEventsPage,
  type SentEventsQuery,
  type ShiftExplanation,
  type StopEdit,
  type StopsEdited,
  type WithdrawalRefusal,
  type WithdrawalState,
} from "../objects/machine-protocol.ts";
import { completedSetUp, type OrderState, type PassedSetUp, readOrders, readSetUp } from "../objects/set-up.ts";
import { type Health, healthObject } from "../objects/watchdog.ts";
import type { Amendment } from "../oee/amendments.ts";
import { append, minOf } from "../oee/extremes.ts";
import { startLedger } from "../oee/machine.ts";
import type { CountedReading } from "../oee/readings.ts";
import { settingsAt } from "../oee/settings.ts";
import { ShiftCalendar } from "../oee/shifts.ts";
import { nextThreshold } from "../oee/signal.ts";
import { HOUR_MS, type Interval, MINUTE_MS } from "../oee/time.ts";
import { FLUSH_EVERY_MS, nextAlarm } from "./alarms.ts";
import { amend, pastOf, undoAmendment } from "./edits/amend.ts";
import { classifyStops, undoClassification } from "./edits/classify-stops.ts";
import { correct, undoCorrection } from "./edits/correct.ts";
import { cutRun } from "./edits/cut-run.ts";
import { decideHeld, dropOldHeld } from "./edits/decide-held.ts";
import { editOnce } from "./edits/edit-once.ts";
import { reportOnce } from "./edits/report-once.ts";
import { matchingEvents, restoreEvents, withdrawEvents } from "./edits/withdraw-events.ts";
import { withdrawHistory } from "./edits/withdraw-history.ts";
import { addHistory, beginHistory, endHistory, historyAdded } from "./inputs/add-history.ts";
import { acceptEvents, advanceTo, ofFewDays } from "./inputs/input-log.ts";
import { positionOf, startOf } from "./inputs/ledger-position.ts";
import { countingDisabled, warningsOf } from "./inputs/warnings.ts";
import { askedFor, askFor, isAskedNew } from "./ledger/asked-recalculations.ts";
import { closeBooks, reopenBooks } from "./ledger/close-books.ts";
import { DryRun } from "./ledger/dry-run.ts";
import { LedgerReader } from "./ledger/ledger-reader.ts";
import { degradedOverview, type KeptOverview, withoutNumbers } from "./ledger/overview.ts";
import { computedAsOf, computedUntil, markUrgent, progressOf } from "./ledger/progress.ts";
import { computeChangedShifts } from "./ledger/publish-shifts.ts";
import { awaitsFlush, recalculate, recalculationDueAt } from "./ledger/recalculate.ts";
import { isLarge, recalculationOf, requestRecalculation, stepBounds } from "./ledger/recalculation.ts";
import type { Roster } from "./ledger/shift-roster.ts";
import { alertsDueAt, awaitsCounts, watchAlerts } from "./publish/alert-watch.ts";
import { beginFlush, type Flush, sendFlush } from "./publish/flush.ts";
import { HubLink } from "./publish/hub-link.ts";
import { enqueueAll, isHistoryKept, isTroubleNew, lastFlush, nextFlushAt, sentState } from "./publish/outbox.ts";
import { putAudit } from "./publish/projection.ts";
import { isRecalculating, isRecalculationNew } from "./publish/recalculating.ts";
import { RecalculationSlot } from "./publish/recalculation-slot.ts";
import { isPlanDue, planWindow, settingsChangedAt, takeOver } from "./settings/apply-settings.ts";
import type { Configuration } from "./settings/configuration.ts";
import { type Channels, otherMachine } from "./settings/count-channels.ts";
import { followOrders, ordersAtHand, withoutOrder } from "./settings/follow-orders.ts";
import { signedInIds, signOutDeleted } from "./settings/sign-out-deleted.ts";
import type { Head } from "./storage/ledger-rows.ts";
import { MachineStorage } from "./storage/machine-storage.ts";
import { archiveDays, forgottenTo, recalculableFrom, settingsNeededFrom } from "./storage/retention.ts";
import { sentEvents } from "./storage/sent-events.ts";
import { migrations } from "./storage/steps.ts";
import { Watchdog } from "./watchdog.ts";

/** If the platform's clock jumps back by more than this, it was wrong before and is right now. */
const CLOCK_SLACK_MS = HOUR_MS;
/** The pause between two tries to read plans that were too far ahead. */
const PLAN_PAUSE_MS = 10 * MINUTE_MS;
/** Whoever does not ask for a dry run for so long has left it. */
const DRY_RUN_LEFT_MS = MINUTE_MS;

/**
 * One machine: its events, its ledger, and the rows that D1 should contain. Storage is the truth: every answer comes from what is stored,
 * and a restarted object continues as if nothing had happened.
 */
export class MachineState extends DurableObject<Env> implements MachineObject {
  readonly #storage: MachineStorage;
  readonly #hub: HubLink;
  readonly #watchdog: Watchdog;
  readonly #slot: RecalculationSlot;
  readonly #alarm: RetriedAlarm;
  /** Whether the storage has all steps, and the set-up was read from it. */
  #isOpen = false;
  #configuration: Configuration | null = null;
  /** The roster as it was last computed; null once anything was written. */
  #roster: Roster | null = null;
  /** The overview as it was last computed; null once anything was written. */
  #overview: KeptOverview | null = null;
  /** When plans that were too far ahead were last read, or tried to be (epoch ms). */
  #planAskedAt = 0;
  /** When the rows were last computed for a reader (epoch ms): the times of operators who are signed in grow without an event. */
  #rosterAt = 0;
  /** The flush that is under way; null: none. */
  #flushing: Promise<unknown> | null = null;
  /** The dry run that is under way, and when it was last asked for (epoch ms); null: none. */
  #dryRun: { token: string; run: DryRun; askedAt: number } | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#storage = new MachineStorage(ctx.storage);
    this.#watchdog = new Watchdog(ctx.storage.kv);
    this.#hub = new HubLink(this.#storage, env);
    this.#slot = new RecalculationSlot(env);
    this.#alarm = new RetriedAlarm(ctx.storage, { object: "machine", machineId: this.#machineId() });
    ctx.blockConcurrencyWhile(async () => {
      await this.#alarm.load();
      try {
        this.#open();
      } catch (error) {
        // Every call tries again, and so does the alarm. If this threw, the platform would give the alarm up.
        if (!this.#alarm.isFailing) await this.#alarm.fail(error);
      }
    });
  }

  /**
   * Stores events, each once no matter how often it is sent, and brings the ledger up to date, in one transaction. Pulses of a channel
   * that did not feed the machine at their time are refused as `other_machine`.
   * @param configVersion the version of the machine's set-up that the caller saw
   * @param entry an audit entry that is stored if any of the events is
   * @returns null when there is no such machine
   */
  async ingest(sent: SentEvent[], configVersion: number, entry: AuditRow | null = null): Promise<Ingested | null> {
    const read = await this.#read(sent, configVersion);
    const configuration = this.#configuration;
    if (!read || !configuration) return null;
    const now = this.#now();
    const skuId = this.#storage.head()?.ledger.skuId ?? null;
    const events = read.flatMap((one) => one?.incoming ?? []);
    const readings = new Map<string, CountedReading>();
    const results: EventResult[] = [];
    for (const some of ofFewDays(events, forgottenTo(this.#storage))) {
      // Between two transactions the machine answers others.
      if (results.length > 0) await scheduler.wait(0);
      const isFirst = !results.includes("accepted");
      const part = this.#transaction(() => {
        const accepted = acceptEvents(this.#storage, configuration, some, now, readings);
        const { identity } = configuration;
        if (awaitsCounts(this.#storage)) markUrgent(this.#storage);
        if (entry && isFirst && accepted.includes("accepted")) putAudit({ storage: this.#storage, identity, now }, entry);
        return accepted;
      });
      append(results, part);
      await this.#changed(now, part.includes("accepted"));
    }
    const held = this.#storage.held.at(events.map(positionOf));
    const warnings = warningsOf(configuration, events, results, { readings, skuId, held });
    const own = results.values();
    const all = read.map((one) => (one ? (own.next().value ?? otherMachine) : otherMachine));
    const isDisabled =
      read.some((one, i) => one?.isDisabled && typeof all[i] === "string") ||
      [...readings.values()].some(({ event, pulses }) => event.kind === "sample" && pulses > 0);
    return { results: all, warnings: isDisabled ? [...warnings, countingDisabled] : warnings };
  }

  /**
   * Reads what was sent by the set-up of a version, or a newer one: what each event means (null: it is another machine's), and whether it was counted
   * while counting was disabled. Returns null when there is no such machine.
   */
  async #read(sent: readonly SentEvent[], configVersion: number): Promise<ReturnType<Channels["read"]>[] | null> {
    await this.#configured(configVersion);
    // The object is not notified of its first channels, so it reads its set-up before it refuses pulses.
    if (sent.some((one) => isPulses(one) && !this.#storage.channels().has(one))) await this.#configured(Number.POSITIVE_INFINITY);
    const closed = await this.#closedOrders(sent, configVersion);
    if (!this.#configuration) return null;
    const channels = this.#storage.channels();
    const { configVersion: ownVersion } = this.#configuration.identity;
    return sent.map((one) => {
      if (!isPulses(one)) return { incoming: withoutOrder(one, closed), isDisabled: false };
      return (one.seenVersion ?? ownVersion) < ownVersion ? null : channels.read(one);
    });
  }

  /**
   * Takes a piece of an import, in transactions with a few days each. A piece that was interrupted continues, and one that is sent again has the same
   * results.
   * @param configVersion as in `ingest`
   * @returns null when there is no such machine; `over` if the import was withdrawn, or a later piece was taken
   */
  async addHistory(piece: HistoryPiece, configVersion: number): Promise<HistoryAdded | "over" | null> {
    const read = await this.#read(piece.events, configVersion);
    if (!read || !this.#configuration) return null;
    const configuration = this.#withPast(this.#configuration);
    const events = read.map((one) => one?.incoming ?? null);
    const groups = this.#transaction(() => beginHistory(this.#storage, configuration, piece, events, this.#now()));
    for (const group of groups ?? []) {
      // Between two transactions the machine answers others.
      await scheduler.wait(0);
      const now = this.#now();
      const isTaken = this.#transaction(() => addHistory(this.#storage, configuration, piece, group, now));
      await this.#changed(now, isTaken);
      if (!isTaken) return "over";
    }
    return (groups && historyAdded(this.#storage, piece)) ?? "over";
  }

  /** Has what an import changed computed: there are no more pieces. */
  async endHistory(importId: number): Promise<void> {
    if (!(await this.#configured(0))) return;
    const now = this.#now();
    this.#transaction(() => endHistory(this.#storage, importId, now));
    await this.#changed(now);
  }

  /** Has the events of an import count for nothing any more. */
  async withdrawHistory(importId: number): Promise<void> {
    const configuration = await this.#configured(0);
    if (!configuration) return;
    const now = this.#now();
    this.#transaction(() => withdrawHistory(this.#storage, configuration, importId, now));
    await this.#changed(now);
  }

  /**
   * Stores what a person at the machine reported, and returns the state after it. A report with an id is stored once.
   * @param configVersion as in `ingest`
   * @param entry the audit entry, stored if the report is new
   * @returns null when there is no such machine
   */
  async report(incoming: IncomingEvent, configVersion: number, entry: AuditRow): Promise<Reported | null> {
    await this.#configured(configVersion);
    const closed = await this.#closedOrders([incoming], configVersion);
    const configuration = this.#configuration;
    if (!configuration) return null;
    const now = this.#now();
    const taken = withoutOrder(incoming, closed);
    const reported = this.#transaction(() => reportOnce(this.#storage, configuration, taken, entry, now));
    await this.#changed(now);
    return reported;
  }

  /** The time of the first event of an import (epoch ms); null: the machine has none of it. */
  async historyFrom(importId: number): Promise<number | null> {
    this.#open();
    return this.#storage.imports.get(importId)?.from ?? null;
  }

  /**
   * Closes the machine's books up to an instant: what is before it stays as it is from then on, and late events of that time are held. Then D1 gets all rows.
   * May be repeated: whatever is not done the first time is done then.
   * @param configVersion as in `ingest`: a change of the set-up from before the closing counts
   * @returns null if the company has no such machine
   */
  async closeBooks(
    closing: { closingId: number; to: number },
    companyId: number,
    configVersion: number,
  ): Promise<BooksClosed | null> {
    const configuration = await this.#configured(configVersion);
    if (configuration?.identity.companyId !== companyId) return null;
    const now = this.#now();
    const isClosed = this.#transaction(() => {
      const head = advanceTo(this.#storage, configuration, now);
      computeChangedShifts(this.#storage, configuration, head, now);
      return closeBooks(this.#storage, this.#withPast(configuration), head, closing, now);
    });
    await this.#changed(now, isClosed);
    if (!isClosed) return { isClosed: false, waitsFor: "recalculation" };
    await this.#flushing?.catch(() => undefined);
    await this.#flushAll(configuration, now);
    await this.#setAlarm(this.#now());
    const isSent = !this.#storage.waiting.isAny() && this.#storage.countParked() === 0;
    return isSent ? { isClosed } : { isClosed: false, waitsFor: "database" };
  }

  /**
   * Takes a closing back. What it closed is computed again as if it had never been, and can change.
   * @returns null if the company has no such machine
   */
  async reopenBooks(closing: { closingId: number; to: number; isFailed: boolean }, companyId: number): Promise<boolean | null> {
    const configuration = await this.#configured(0);
    if (configuration?.identity.companyId !== companyId) return null;
    const now = this.#now();
    this.#transaction(() => reopenBooks(this.#storage, this.#withPast(configuration), closing, now));
    await this.#changed(now);
    return true;
  }

  /** Time of the newest event; null without any. */
  async heardAt(): Promise<number | null> {
    // Whoever asks decides by it: the object of a company that is out of reach must not say that the machine has no event.
    await this.#configured(0);
    return this.#storage.events.newestAt();
  }

  /** The instant from which its numbers can be made again (epoch ms); 0: all of them. */
  async recalculableFrom(): Promise<number> {
    this.#open();
    return recalculableFrom(this.#storage);
  }

  /** Only for the object that `/health` calls, which is the watchdog of all machines. It can answer only if its storage opens. */
  health(): Health {
    this.#open();
    return this.#watchdog.health();
  }

  /** Only for the watchdog: records how many parked rows a machine has. */
  noteParked(machineId: number, rows: number): void {
    this.#watchdog.note("parked", machineId, rows);
  }

  /** Only for the watchdog: records how many rows of a machine cannot be read. */
  noteUnreadable(machineId: number, rows: number): void {
    this.#watchdog.note("unreadable", machineId, rows);
  }

  /** Only for the watchdog: records whether the alarm of a machine fails. */
  noteDegraded(machineId: number, isDegraded: boolean): void {
    this.#watchdog.note("degraded", machineId, isDegraded ? 1 : 0);
  }

  /** Only for the watchdog: records how many machines D1 lately showed in a shift that had ended. */
  noteSilent(machines: number): void {
    this.#watchdog.note("silent", 0, machines);
  }

  /** Only for the watchdog: records how many machines of a part of all machines did not answer when they were called. */
  noteRollCall(part: number, unanswered: number): void {
    this.#watchdog.note("unanswered", part, unanswered);
  }

  /**
   * Takes over the machine's set-up and sets the alarm for its shifts. Returns false if there is no such machine.
   * @param setUp that of the version; if it is left out, the object reads its set-up from D1
   */
  async configure(configVersion: number, setUp?: PassedSetUp): Promise<boolean> {
    const configuration = await this.#configured(configVersion, setUp);
    if (!configuration) return false;
    await this.#changed(this.#now());
    return true;
  }

  /** The operators of the running shift; null outside shifts, and for a machine that does not exist. */
  async operators(): Promise<CurrentOperators | null> {
    const configuration = await this.#configured(0);
    if (!configuration) return null;
    const now = this.#now();
    if (!this.#roster?.holdsAt(now)) {
      const head = this.#transaction(() => advanceTo(this.#storage, configuration, now));
      this.#roster = new LedgerReader(this.#storage, configuration, head, now).roster();
    }
    if (!this.#roster) return null;
    const { shiftId, start } = this.#roster.occurrence;
    return { shiftId, shiftStart: start, shares: this.#roster.sharesAt(now) };
  }

  /** Everything behind the numbers of the shift that starts at an instant; null when there is none yet. */
  async explain(shiftStart: number): Promise<ShiftExplanation | null> {
    return (await this.#readerFrom(shiftStart))?.explain(shiftStart) ?? null;
  }

  /** The present state of the machine; null for one that does not exist. */
  async state(): Promise<MachineNow | null> {
    return withoutNumbers(await this.overview());
  }

  /** The present state of the machine, with the numbers of its running shift; null for one that does not exist. */
  async overview(): Promise<MachineOverview | null> {
    try {
      return await this.#computeOverview();
    } catch (error) {
      // What makes the alarm fail may make this fail, too: say so, instead of failing each time.
      if (this.#alarm.isFailing) return degradedOverview(Date.now());
      throw error;
    }
  }

  async #computeOverview(): Promise<MachineOverview | null> {
    const configuration = await this.#configured(0);
    if (!configuration) return null;
    const now = this.#now();
    if (!this.#overview?.holdsAt(now)) {
      this.#overview = this.#transaction(() => {
        const head = advanceTo(this.#storage, configuration, now);
        const reader = new LedgerReader(this.#storage, configuration, head, now);
        if (!reader.hasUnnumberedStop()) return reader.overview();
        computeChangedShifts(this.#storage, configuration, head, now);
        return new LedgerReader(this.#storage, configuration, head, now).overview();
      });
      await this.#setAlarm(now);
    }
    const isDegraded = this.#alarm.isFailing || this.#storage.unreadable.count > 0;
    const heldCounts = this.#storage.held.totals().count;
    return { ...this.#overview.at(now), isDegraded, heldCounts, isRecalculating: isRecalculating(this.#storage) };
  }

  /**
   * Applies a person's edit to stops of any age. Before this ends, D1 has the edit, the shifts and the audit entry.
   * @param companyId the company that has to own the machine; null: any
   * @param request an edit with a request is applied once, no matter how often it is sent
   * @param configVersion as in `ingest`
   * @returns the resulting stops and the bookmark at which D1 shows them (null: D1 failed and gets them with a later alarm), or why
   *   the edit was refused
   */
  async editStops(
    edit: StopEdit,
    companyId: number | null,
    by: EditedBy,
    request: KeyedRequest | null = null,
    configVersion = 0,
  ): Promise<StopsEdited> {
    // That the stop of an orphan is missing cannot be the answer.
    return (await this.#edit(edit, companyId, by, request, configVersion)) as StopsEdited;
  }

  /** Puts an orphaned edit on another stop, or forgets it, as `editStops` applies an edit. */
  decideOrphan(
    edit: OrphanEdit,
    companyId: number,
    by: EditedBy,
    request: KeyedRequest | null,
    configVersion: number,
  ): Promise<OrphanDecided> {
    return this.#edit(edit, companyId, by, request, configVersion);
  }

  async #edit(
    edit: StopEdit | OrphanEdit,
    companyId: number | null,
    by: EditedBy,
    request: KeyedRequest | null,
    configVersion: number,
  ): Promise<OrphanDecided> {
    const configuration = await this.#configured(configVersion);
    const { identity } = configuration ?? {};
    if (!configuration || !identity || (companyId !== null && identity.companyId !== companyId)) {
      return { refused: "not_found", message: "There is no such machine." };
    }
    const now = this.#now();
    const outcome = this.#transaction(() => {
      const head = advanceTo(this.#storage, configuration, now);
      computeChangedShifts(this.#storage, configuration, head, now);
      const edited = editOnce(this.#storage, this.#withPast(configuration), head, edit, by, request, now);
      watchAlerts(this.#storage, configuration, head, now);
      return edited;
    });
    this.#hub.note(!("refused" in outcome));
    await this.#changed(now);
    if ("refused" in outcome) return outcome;
    return { stops: outcome.stops, bookmark: await this.#flushAll(configuration, now) };
  }

  /**
   * Gives stops of any age the same classification. Before this ends, D1 has it and the shifts, or gets them with a later alarm.
   * @param edit a part of a bulk classification: repeating it changes nothing
   * @param configVersion as in `ingest`
   * @returns null if the company has no such machine
   */
  classifyStops(edit: BulkEdit, companyId: number, by: EditedBy, configVersion: number): Promise<BulkClassified | null> {
    return this.#editMany(companyId, configVersion, (configuration, head, now) =>
      classifyStops(this.#storage, configuration, head, edit, by, now),
    );
  }

  /** Takes a bulk classification back, as `classifyStops` makes it. */
  undoClassification(bulkId: string, companyId: number, by: EditedBy, configVersion: number) {
    return this.#editMany(companyId, configVersion, (configuration, head, now) =>
      undoClassification(this.#storage, configuration, head, bulkId, by, now),
    );
  }

  async #editMany<T>(
    companyId: number,
    configVersion: number,
    edit: (configuration: Configuration, head: Head, now: number) => T,
  ): Promise<(T & { bookmark: string | null }) | null> {
    const configuration = await this.#configured(configVersion);
    if (configuration?.identity.companyId !== companyId) return null;
    const now = this.#now();
    const outcome = this.#transaction(() => {
      const head = advanceTo(this.#storage, configuration, now);
      computeChangedShifts(this.#storage, configuration, head, now);
      const edited = edit(this.#withPast(configuration), head, now);
      watchAlerts(this.#storage, configuration, head, now);
      return edited;
    });
    this.#hub.note();
    await this.#changed(now);
    return { ...outcome, bookmark: await this.#flushAll(configuration, now) };
  }

  /** Applies an amendment in place of the events of its interval. When this returns, D1 has what follows from it, unless that is recalculated. */
  amend(
    amendment: Amendment,
    reason: string,
    companyId: number,
    by: EditedBy,
    entry: AuditRow,
    request: KeyedRequest | null,
    configVersion: number,
  ): Promise<Amended> {
    return this.#amend(companyId, configVersion, (configuration, now) =>
      amend(this.#storage, configuration, amendment, reason, { by, request, entry, now }),
    );
  }

  /** Undoes an amendment. */
  undoAmendment(
    kind: Amendment["kind"],
    n: number,
    companyId: number,
    by: EditedBy,
    entry: AuditRow,
    request: KeyedRequest | null,
  ): Promise<Amended> {
    return this.#amend(companyId, 0, (configuration, now) =>
      undoAmendment(this.#storage, configuration, kind, n, { by, request, entry, now }),
    );
  }

  async #amend(
    companyId: number,
    configVersion: number,
    work: (configuration: Configuration, now: number) => { n: number } | AmendRefusal,
  ): Promise<Amended> {
    const configuration = await this.#configured(configVersion);
    if (configuration?.identity.companyId !== companyId) return { refused: "not_found", message: "There is no such machine." };
    const now = this.#now();
    const outcome = this.#transaction(() => {
      const amended = work(configuration, now);
      if (!("refused" in amended)) {
        const head = advanceTo(this.#storage, configuration, now);
        computeChangedShifts(this.#storage, configuration, head, now);
        watchAlerts(this.#storage, configuration, head, now);
      }
      return amended;
    });
    this.#hub.note(!("refused" in outcome));
    await this.#changed(now);
    return "refused" in outcome ? outcome : { ...outcome, bookmark: await this.#flushAll(configuration, now) };
  }

  /** What was made, or who was there, in an interval, and the amendments that hold in it. */
  async past(kind: Amendment["kind"], interval: Interval): Promise<Past | null> {
    const configuration = await this.#configured(0);
    if (!configuration) return null;
    const now = this.#now();
    const past = this.#transaction(() => pastOf(this.#storage, configuration, kind, interval, now));
    await this.#setAlarm(now);
    return past;
  }

  /**
   * Splits the run of a work order at an instant, so that what the machine made before and after it is counted separately. D1 has the cut
   * before this ends. Repeating it changes nothing. A machine that does not exist, or had no such run, is left alone.
   * @param configVersion as in `ingest`
   */
  async cutRun(workOrderId: string, at: number, configVersion = 0): Promise<RunCut> {
    const configuration = await this.#configured(configVersion);
    if (!configuration) return { outcome: "none", bookmark: null };
    const now = this.#now();
    const done = this.#transaction(() => {
      const cut = cutRun(this.#storage, configuration, workOrderId, at, now);
      if (cut.outcome === "cut")
        computeChangedShifts(this.#storage, configuration, advanceTo(this.#storage, configuration, now), now);
      return cut;
    });
    await this.#changed(now);
    if (done.outcome !== "cut") return { ...done, bookmark: null };
    const bookmark = await this.#flushAll(configuration, now);
    return { outcome: this.#storage.waiting.isAny() ? "unpublished" : "cut", bookmark };
  }

  /** Events of an interval as they were sent, in order. */
  async sentEvents(query: SentEventsQuery): Promise<SentEventsPage> {
    this.#open();
    return sentEvents(this.#storage, query);
  }

  /** Held counts of an entry with greater numbers, in order. */
  async heldCounts(entry: number, after: number, limit: number): Promise<HeldCount[]> {
    this.#open();
    return this.#storage.held.of(entry, after, limit);
  }

  /**
   * Accepts or drops held counts. Before this ends, D1 has the result and the audit entry.
   * @param configVersion as in `ingest`
   * @returns the bookmark as in `editStops`
   */
  async decideHeld(
    decision: HeldDecision,
    by: EditedBy,
    request: KeyedRequest | null,
    configVersion: number,
  ): Promise<(HeldDecided & { bookmark: string | null }) | HeldRefusal> {
    const configuration = await this.#configured(configVersion);
    if (!configuration) return { refused: "not_found", message: "There is no such machine." };
    const now = this.#now();
    const outcome = this.#transaction(() => {
      const decided = decideHeld(this.#storage, configuration, decision, by, request, now);
      if (!("refused" in decided))
        computeChangedShifts(this.#storage, configuration, advanceTo(this.#storage, configuration, now), now);
      return decided;
    });
    this.#hub.note(!("refused" in outcome));
    await this.#changed(now);
    if ("refused" in outcome) return outcome;
    return { ...outcome, bookmark: await this.#flushAll(configuration, now) };
  }

  /**
   * Enters a correction. Before this ends, D1 has it, its shift and the audit entry.
   * @param configVersion as in `ingest`
   * @returns the bookmark as in `editStops`
   */
  correct(sent: NewCorrection, by: EditedBy, request: KeyedRequest | null, configVersion: number) {
    return this.#correct(configVersion, (configuration, now) =>
      correct(this.#storage, configuration, sent, { by, request, now }),
    );
  }

  /** Undoes a correction, as `correct` enters it. */
  undoCorrection(seq: number, by: EditedBy, request: KeyedRequest | null, configVersion: number) {
    return this.#correct(configVersion, (configuration, now) =>
      undoCorrection(this.#storage, configuration, seq, { by, request, now }),
    );
  }

  /** How many events match a filter. */
  async matchingEvents(filter: EventFilter): Promise<MatchingEvents | WithdrawalRefusal> {
    await this.#configured(0);
    return matchingEvents(this.#storage, filter);
  }

  /**
   * Has the events that match count for nothing. Before this ends, D1 has the withdrawal, the audit entry, and the shifts unless those are recalculated.
   * @param configVersion as in `ingest`
   * @returns the bookmark as in `editStops`
   */
  withdrawEvents(sent: EventFilter & { reason: string }, by: EditedBy, request: KeyedRequest | null, configVersion: number) {
    return this.#withdraw(configVersion, (configuration, now) =>
      withdrawEvents(this.#storage, configuration, sent, { by, request, now }),
    );
  }

  /** Restores the events of a withdrawal: they count again. */
  restoreEvents(seq: number, by: EditedBy, request: KeyedRequest | null, configVersion: number) {
    return this.#withdraw(configVersion, (configuration, now) =>
      restoreEvents(this.#storage, configuration, seq, { by, request, now }),
    );
  }

  async #withdraw(
    configVersion: number,
    work: (configuration: Configuration, now: number) => { withdrawal: WithdrawalState } | WithdrawalRefusal,
  ): Promise<{ withdrawal: WithdrawalState; bookmark: string | null } | WithdrawalRefusal> {
    const configuration = await this.#configured(configVersion);
    if (!configuration) return { refused: "not_found", message: "There is no such machine." };
    const now = this.#now();
    const outcome = this.#transaction(() => {
      const withdrawn = work(configuration, now);
      const head = advanceTo(this.#storage, configuration, now);
      if (!("refused" in withdrawn)) computeChangedShifts(this.#storage, configuration, head, now);
      watchAlerts(this.#storage, configuration, head, now);
      return withdrawn;
    });
    // Who watches sees at once what a person put right.
    this.#hub.note(!("refused" in outcome));
    await this.#changed(now);
    if ("refused" in outcome) return outcome;
    return { ...outcome, bookmark: await this.#flushAll(configuration, now) };
  }

  async #correct(
    configVersion: number,
    work: (configuration: Configuration, now: number) => { correction: CorrectionState } | CorrectionRefusal,
  ): Promise<{ correction: CorrectionState; bookmark: string | null } | CorrectionRefusal> {
    const configuration = await this.#configured(configVersion);
    if (!configuration) return { refused: "not_found", message: "There is no such machine." };
    const now = this.#now();
    const outcome = this.#transaction(() => {
      const corrected = work(this.#withPast(configuration), now);
      watchAlerts(this.#storage, configuration, advanceTo(this.#storage, configuration, now), now);
      return corrected;
    });
    this.#hub.note(!("refused" in outcome));
    await this.#changed(now);
    if ("refused" in outcome) return outcome;
    return { ...outcome, bookmark: await this.#flushAll(configuration, now) };
  }

  /** Called by the hub when somebody begins to watch for the `watch`-th time. Changes are reported from now on. Null as in `overview`. */
  async watch(watch: number): Promise<HubReport | null> {
    const configuration = await this.#configured(0);
    if (!configuration) return null;
    // First, so that no change in the meantime is missed.
    this.#hub.watch(watch);
    const overview = await this.overview();
    return overview && this.#hub.view(configuration, overview);
  }

  /**
   * Brings D1 up to date for a reader. Sends nothing if it is up to date already.
   * @param maxAgeMs how old the rows in D1 may be; 0: they must be as of now, and D1 is tried even if it failed just before
   * @returns the instant (epoch ms) as of which D1 is correct; null if D1 does not answer
   */
  async publish(maxAgeMs = FLUSH_EVERY_MS): Promise<number | null> {
    await this.#flushing?.catch(() => undefined);
    this.#open();
    const configuration = this.#configuration;
    const now = this.#now();
    // A machine whose set-up was never taken over has nothing of its own to send.
    if (!configuration) return now;
    const isBehind = this.#isBehind(configuration);
    if (!isBehind && !this.#hasRoster(configuration, now)) return now;
    // Where the times of operators do not grow, nothing is sent, and so the last flush would not bound the work of many readers.
    const isRosterRecent = this.#rosterAt <= now && now < this.#rosterAt + maxAgeMs;
    if (!isBehind && isRosterRecent) return this.#rosterAt;
    const { flushedAt, failures } = lastFlush(this.#storage);
    if (failures > 0 && maxAgeMs > 0 && now < nextFlushAt(this.#storage)) return null;
    // The clock may have been set back since.
    if (failures === 0 && now - maxAgeMs < flushedAt && flushedAt <= now) return flushedAt;
    const begun = this.#computeRows(configuration, now, { isForReader: true });
    const bookmark = await this.#flushAll(configuration, now, computedUntil(this.#storage), begun);
    await this.#setAlarm(this.#now());
    if (bookmark === null && this.#isBehind(configuration)) return null;
    this.#rosterAt = now;
    return now;
  }

  override async alarm(): Promise<void> {
    await this.#alarm.run(
      () => this.#catchUp(),
      (isFailing) => this.#reportAlarm(isFailing),
    );
  }

  /** Computes and sends what is due. */
  async #catchUp(): Promise<void> {
    const configuration = await this.#configured(0);
    if (!configuration) return;
    const wasRecalculating = isRecalculating(this.#storage);
    await this.#recalculate(configuration);
    const now = this.#now();
    // The time that the alarm was set for may have moved: that of a stop moves with each count.
    const dueAt = this.#dueAt(configuration, now);
    const isDue = dueAt !== null && dueAt <= now;
    const begun = isDue ? this.#computeRows(configuration, now, { isToSend: () => this.#isToSend(now) }) : null;
    // Neither waits for the other: watchers are not affected when D1 does not answer.
    const reporting = this.#hub.begins(configuration, now) ? this.#reportToHub(configuration) : null;
    if (isDue) await this.#flush(configuration, begun);
    await reporting;
    if (isRecalculating(this.#storage) !== wasRecalculating) this.#hub.note();
    await this.#setAlarm(this.#now());
  }

  /**
   * Does the steps of a recalculation that are due, as far as an alarm may. Between them the machine answers others. A large one is left for later while
   * its company has no slot for it.
   */
  async #recalculate(configuration: Configuration): Promise<void> {
    const { identity } = configuration;
    for (let step = 0; step < stepBounds.stepsPerAlarm; step++) {
      const now = this.#now();
      const dueAt = this.#recalculationDueAt(now);
      if (dueAt === null || dueAt > now || awaitsFlush(this.#storage)) break;
      if (this.#needsSlot() && !(await this.#slot.hold(identity, now))) break;
      this.#transaction(() => {
        const head = advanceTo(this.#storage, configuration, now);
        recalculate(this.#storage, this.#withPast(configuration), head, now);
      });
      await scheduler.wait(0);
    }
    if (!this.#needsSlot()) await this.#slot.release(identity);
  }

  #recalculationDueAt(now: number): number | null {
    const dueAt = recalculationDueAt(this.#storage, now);
    return dueAt !== null && this.#needsSlot() ? this.#slot.askedFrom(dueAt) : dueAt;
  }

  #needsSlot(): boolean {
    const state = recalculationOf(this.#storage);
    return state !== null && isLarge(state);
  }

  /**
   * Has the numbers of a past time made again from its events (epoch ms, both included). Returns false if there is no such machine, or it is another
   * company's.
   * @param id the number of the recalculation, if somebody asked for it: it is begun once, and D1 gets how far it has come
   */
  async recalculate(from: number, until: number, companyId: number | null, id: number | null = null): Promise<boolean> {
    const configuration = await this.#configured(0);
    if (!configuration || (companyId !== null && configuration.identity.companyId !== companyId)) return false;
    const now = this.#now();
    const touched = { from: Math.max(from, recalculableFrom(this.#storage)), until };
    if (id !== null) this.#transaction(() => askFor(this.#storage, id, touched, now));
    else if (touched.from <= until) this.#transaction(() => requestRecalculation(this.#storage, touched, now, 0, askedFor));
    await this.#changed(now);
    return true;
  }

  /**
   * Goes on with a dry run: what the machine's shifts would be with another set-up. Nothing is changed. A machine does one at a time. If the object was
   * evicted, it begins anew.
   * @param token names the dry run
   * @param passed the set-up, which has the version of the present one
   * @param mostShifts the most shifts that the answer lists
   * @returns null if the company has no such machine
   */
  async dryRun(token: string, passed: PassedSetUp, mostShifts: number): Promise<DryRunAnswer | null> {
    const { configVersion, companyId } = passed.identity;
    const present = await this.#configured(configVersion);
    if (present?.identity.companyId !== companyId) return null;
    const asked = { plans: planWindow(this.#storage, this.#now()), operatorIds: [], orderIds: [] };
    const setUp = await completedSetUp(this.env, passed, asked);
    const known = this.#dryRun;
    if (!setUp || (known && known.token !== token && Date.now() < known.askedAt + DRY_RUN_LEFT_MS)) return { state: "busy" };
    const { run } = known?.token === token ? known : { run: new DryRun(this.#storage, setUp, mostShifts) };
    for (let step = 0; step < stepBounds.stepsPerAlarm; step++) {
      // Between two steps the machine answers others.
      if (step > 0) await scheduler.wait(0);
      this.#dryRun = { token, run, askedAt: Date.now() };
      const configuration = this.#configuration;
      const isSame = configuration?.identity.configVersion === configVersion;
      const answer: DryRunAnswer = isSame ? run.step(configuration, this.#now()) : { state: "changed" };
      if (answer.state === "going" && step + 1 < stepBounds.stepsPerAlarm) continue;
      if (answer.state !== "going") {
        run.end();
        this.#dryRun = null;
      }
      return answer;
    }
    return { state: "busy" };
  }

  /** Reports to `/health` and to watchers whether the alarm fails. */
  async #reportAlarm(isFailing: boolean): Promise<void> {
    await within(OBJECT_MS, "the health object", healthObject(this.env).noteDegraded(this.#machineId(), isFailing));
    this.#hub.note(true);
    if (this.#configuration && this.#hub.isWatched) await this.#reportToHub(this.#configuration);
  }

  /** A reader of the ledger as of now, which reaches back to an instant, all stops numbered; null for a machine that does not exist. */
  async #readerFrom(from: number): Promise<LedgerReader | null> {
    const configuration = await this.#configured(0);
    if (!configuration) return null;
    const now = this.#now();
    const head = this.#transaction(() => {
      const advanced = advanceTo(this.#storage, configuration, now);
      computeChangedShifts(this.#storage, configuration, advanced, now);
      return advanced;
    });
    await this.#setAlarm(now);
    const isPast = from < settingsNeededFrom(this.#storage);
    return new LedgerReader(this.#storage, isPast ? this.#withPast(configuration) : configuration, head, now);
  }

  /** Sets the alarm after a write, in the same turn, and reports to the hub if somebody watches, without waiting for that. */
  async #changed(now: number, isChange = true): Promise<void> {
    if (isChange) this.#hub.note();
    const configuration = this.#configuration;
    const isDue = configuration !== null && this.#hub.begins(configuration, now);
    await this.#setAlarm(now);
    if (isDue) void this.#reportToHub(configuration);
  }

  async #reportToHub(configuration: Configuration): Promise<void> {
    await this.#hub.report(configuration, () => this.overview());
    await this.#setAlarm(this.#now());
  }

  /** Every write that may change the ledger goes through this: it drops the kept roster and overview. */
  #transaction<T>(work: () => T): T {
    this.#roster = null;
    this.#overview = null;
    return this.#storage.transaction(work);
  }

  /**
   * Computes the rows that D1 should have as of now, and the alerts. Returns the flush that begins with them; null if they are not to be
   * sent, which `isToSend` decides once they are computed.
   */
  #computeRows(
    configuration: Configuration,
    now: number,
    { isToSend = () => true, isForReader = false }: { isToSend?: () => boolean; isForReader?: boolean },
  ): Flush | null {
    return this.#transaction(() => {
      const head = advanceTo(this.#storage, configuration, now);
      computeChangedShifts(this.#storage, configuration, head, now, isForReader);
      watchAlerts(this.#storage, configuration, head, now);
      return isToSend() ? beginFlush(this.#storage, configuration.identity, now, computedUntil(this.#storage)) : null;
    });
  }

  /** Whether operators are at the machine in the running shift: their times grow, although nothing happens. */
  #hasRoster({ calendar }: Configuration, now: number): boolean {
    const shift = calendar.at(now);
    return shift !== null && this.#storage.projection.get("roster", startOf(shift.start)) !== null;
  }

  /** Whether rows have to be computed or sent. */
  #isBehind({ identity }: Configuration): boolean {
    const { dirtyFrom, settledAt } = progressOf(this.#storage);
    const isSentAll = sentState(this.#storage).configVersion === identity.configVersion;
    const isPastNew = isRecalculationNew(this.#storage) || isAskedNew(this.#storage) || !isHistoryKept(this.#storage);
    const isNews = !isSentAll || isTroubleNew(this.#storage) || isPastNew;
    return dirtyFrom !== null || settledAt === null || this.#storage.waiting.isAny() || isNews;
  }

  /** Whether rows that D1 does not have are to be sent now. Urgent ones are sent by any alarm. */
  #isToSend(now: number): boolean {
    return Boolean(progressOf(this.#storage).isUrgent) || nextFlushAt(this.#storage) <= now;
  }

  /**
   * Like `sendFlush`, and null when there is nothing to send; then archives the events of days that are over, and deletes data that is not needed any more. `publish` waits for a flush
   * that is under way.
   */
  async #flush(configuration: Configuration, begun: Flush | null): Promise<string | null> {
    const flushing = begun ? sendFlush(this.#storage, this.env, begun) : Promise.resolve(null);
    this.#flushing = flushing;
    try {
      return await flushing;
    } finally {
      if (this.#flushing === flushing) this.#flushing = null;
      this.#transaction(() => {
        archiveDays(this.#storage, configuration);
        dropOldHeld({ storage: this.#storage, identity: configuration.identity, now: this.#now() });
      });
    }
  }

  /**
   * Flushes until no row is left that covers times until `until`: what a person changed is sent even if the rows of later shifts are not computed
   * yet. Returns the result of the last `#flush`.
   */
  async #flushAll(
    configuration: Configuration,
    now: number,
    until = Number.POSITIVE_INFINITY,
    first = this.#beginFlush(configuration, now, until),
  ): Promise<string | null> {
    let bookmark = await this.#flush(configuration, first);
    while (bookmark !== null && this.#storage.waiting.isAny()) {
      const next = this.#beginFlush(configuration, now, until);
      if (!next) break;
      bookmark = await this.#flush(configuration, next);
    }
    return bookmark;
  }

  #beginFlush({ identity }: Configuration, now: number, until: number): Flush | null {
    return this.#storage.transaction(() => beginFlush(this.#storage, identity, now, until));
  }

  /**
   * Those of the orders in events that were closed after the caller read D1. An order that is closed raises the version of its machines' set-up, so
   * D1 is asked only if the caller's version is older.
   */
  async #closedOrders(sent: readonly SentEvent[], callersVersion: number): Promise<ReadonlySet<string>> {
    const orderIds = sent.flatMap((one) => (!isPulses(one) && one.event.kind === "sku" ? (one.event.workOrderId ?? []) : []));
    const version = () => this.#configuration?.identity.configVersion ?? 0;
    let closed: OrderState[] = [];
    // Until nothing was closed while D1 was asked.
    for (let asked = callersVersion; orderIds.length > 0 && asked < version(); ) {
      asked = version();
      closed = (await readOrders(this.env, orderIds)).filter(({ isClosed }) => isClosed);
    }
    return new Set(closed.map(({ workOrderId }) => workOrderId));
  }

  /**
   * The configuration, read from D1 if the caller knows of a newer version; null when there is no such machine.
   * @param passed the set-up of that version
   */
  async #configured(configVersion: number, passed?: PassedSetUp): Promise<Configuration | null> {
    this.#open();
    const known = this.#configuration;
    if (!known || known.identity.configVersion < configVersion) return await this.#configure(passed);
    if (!isPlanDue(this.#storage, this.#now()) || this.#now() < this.#planAskedAt + PLAN_PAUSE_MS) return known;
    this.#planAskedAt = this.#now();
    // The plans that are known last for days: a failure of D1 now harms nobody.
    return await this.#configure().catch(() => known);
  }

  /** Takes over the machine's set-up: the one that was passed, unless it lacks something, or else from D1. */
  async #configure(passed?: PassedSetUp): Promise<Configuration | null> {
    const known = this.#configuration;
    const machineId = known?.identity.machineId ?? this.#machineId();
    const asked = {
      plans: planWindow(this.#storage, this.#now()),
      operatorIds: signedInIds(this.#storage),
      orderIds: ordersAtHand(this.#storage),
    };
    const read = (passed && (await completedSetUp(this.env, passed, asked))) ?? (await readSetUp(this.env, machineId, asked));
    const newest = this.#configuration;
    // A call that began later may have read a newer set-up in the meantime.
    if (!read || (newest !== known && (newest?.identity.configVersion ?? 0) > read.identity.configVersion)) return newest;
    this.#transaction(() => {
      // Everything computed so far keeps the settings that it was computed with.
      const since = Math.max(this.#now(), computedAsOf(this.#storage) + 1);
      takeOver(this.#storage, read, since);
      signOutDeleted(this.#storage, read.deletedOperators, since);
      followOrders(this.#storage, read.orders, since);
      if (known?.identity.configVersion !== read.identity.configVersion) markUrgent(this.#storage);
      // `republish` raises the version to a time in seconds, which is greater than any object's number of flushes.
      if (read.isUnpublished) {
        enqueueAll(this.#storage, read.identity.configVersion);
        this.#storage.forgetUnreadable();
      }
    });
    this.#loadConfiguration();
    return this.#configuration;
  }

  /** The machine's clock. If the platform's clock is set back a little, this one stands still until that one has caught up. */
  #now(): number {
    const now = Date.now();
    const earliest = Math.max(
      computedAsOf(this.#storage),
      settingsChangedAt(this.#storage),
      this.#configuration?.history.at(-1)?.since ?? 0,
    );
    return now < earliest && earliest <= now + CLOCK_SLACK_MS ? earliest : now;
  }

  #machineId(): number {
    return Number(this.ctx.id.name);
  }

  /** Brings the storage to the last step, and reads the set-up from it, unless that is done. Throws if it is not possible. */
  #open(): void {
    if (this.#isOpen) return;
    migrate(this.ctx.storage, migrations);
    this.#loadConfiguration();
    // Those of a dry run, of which the rest was in memory.
    if (!recalculationOf(this.#storage) && !this.#storage.ledger.replaced() && this.#storage.recalculated.isAny())
      this.#storage.transaction(() => this.#storage.recalculated.deleteAll());
    this.#isOpen = true;
  }

  #loadConfiguration(): void {
    const identity = this.#storage.identity();
    const unreadable = this.#storage.unreadable.count;
    const history = this.#storage.settings.history(settingsNeededFrom(this.#storage));
    // Settings that cannot be read are read from D1 again.
    const isWhole = this.#storage.unreadable.count === unreadable;
    if (identity && history && isWhole) this.#configuration = { identity, history, calendar: new ShiftCalendar(history) };
  }

  /** The configuration with all settings of the past: what is in memory covers the shifts that can change without a person's edit. */
  #withPast(configuration: Configuration): Configuration {
    const history = this.#storage.settings.history(0);
    return history ? { ...configuration, history, calendar: new ShiftCalendar(history) } : configuration;
  }

  /** When the object next has to compute or send rows, because some are waiting or because time has passed; null: when it is called. */
  #dueAt(configuration: Configuration, now: number): number | null {
    const { calendar, history } = configuration;
    const { settledAt } = progressOf(this.#storage);
    const head = this.#storage.head();
    // Without any event the silence began with the commissioning.
    const { signal } = head?.ledger ?? startLedger(history);
    const since = settledAt ?? now;
    const next = nextAlarm({
      now,
      since,
      nextFlushAt: nextFlushAt(this.#storage),
      isBehind: this.#isBehind(configuration),
      silenceAt: nextThreshold(signal, since),
      edgeAt: this.#nextEdge(calendar, since),
      endAt: settingsAt(history, now).decommissionedAt,
      eventAt: this.#storage.events.nextAt(head?.pos ?? ""),
      alertAt: alertsDueAt(this.#storage),
      recalculationAt: this.#recalculationDueAt(now),
    });
    return next?.at ?? null;
  }

  /** The next start or end of a shift, a break or a stop that was recorded ahead. */
  #nextEdge(calendar: ShiftCalendar, since: number): number | null {
    const ahead = this.#storage.manualStops({ start: since, end: Number.MAX_SAFE_INTEGER });
    const edges = ahead.flatMap(({ start, end }) => [start, end]).filter((at) => at > since);
    const next = minOf([calendar.nextEdge(since) ?? Number.POSITIVE_INFINITY, ...edges]);
    return next === Number.POSITIVE_INFINITY ? null : next;
  }

  /** Call this in the same turn as the write, without awaiting anything in between, so that both are stored or neither is. */
  async #setAlarm(now: number): Promise<void> {
    const configuration = this.#configuration;
    if (!configuration) return;
    const ledgerAt = this.#dueAt(configuration, now);
    const hubAt = this.#hub.dueAt();
    const at = ledgerAt === null || hubAt === null ? (ledgerAt ?? hubAt) : Math.min(ledgerAt, hubAt);
    if (at === null || !this.#alarm.isEarlier(at)) return;
    await this.#alarm.set(at);
  }
}
