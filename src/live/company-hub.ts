import { DurableObject } from "cloudflare:workers";
import { closeCodes, type LiveMessage } from "../client/live-protocol.ts";
import { RetriedAlarm } from "../core/retried-alarm.ts";
import type { GatewayCondition, GatewayStatus, HeardGateway } from "../objects/gateways.ts";
import {
  epochFor,
  type HubAnswer,
  type HubObject,
  type Selection,
  WATCHER_HEADER,
  type WatchedData,
  type Watcher,
} from "../objects/hubs.ts";
import type { HubReport } from "../objects/machine-protocol.ts";
import { callMachines } from "../objects/machines.ts";
import type { HeardSignal, RefusedChannel, SignalSource } from "../objects/signals.ts";
import { countKept } from "./count-kept.ts";
import { findIgnored } from "./find-ignored.ts";
import { Gateways } from "./gateways.ts";
import { HubState } from "./hub-state.ts";
import { Plant } from "./plant.ts";
import { findRightsOf } from "./rights.ts";
import { Signals } from "./signals.ts";
import { Views } from "./views.ts";
import { close, type Socket, Watchers } from "./watchers.ts";

/** How long machines have to answer when somebody begins to watch. Those that do not answer are called again. */
const ANSWER_WITHIN_MS = 3000;
const ASK_AGAIN_MS = 5000;
/** Changes within this time go into one message; a longer one with many watchers, because each message is sent to all of them. */
const GATHER_MS = 20;
const GATHER_FOR_MANY_MS = 250;
const MANY_WATCHERS = 100;
/** Tokens are checked before anything is sent, unless they were checked within this time; likewise the set-up is read before a change is applied. */
const CHECK_EVERY_MS = 25_000;
const READ_EVERY_MS = 60_000;
const READ_PAUSE_MS = 250;
/** While somebody watches, the hub checks its sockets and the set-up at least this often. */
const LOOK_EVERY_MS = 10 * 60_000;
/** Kept counts whose machine failed, or whose channel changed meanwhile, are tried again after this, which doubles. */
const COUNT_AGAIN_MS = 5000;
/** Machines keep reporting this long after the last watcher left (who may come back), and after a snapshot was requested. */
const LINGER_MS = 60_000;

/**
 * What watchers see of a company: the last view of each machine. While anybody watches, the machines report their changes to it. It sleeps
 * between changes, and its WebSockets stay open meanwhile.
 *
 * Views are in memory only, because storing them would cost more than everything else about watching. A hub that has slept has none: it passes
 * on what machines report, and calls all machines only when somebody needs a full picture (`#begin`).
 */
export class CompanyHub extends DurableObject<Env> implements HubObject {
  readonly #state: HubState;
  readonly #signals: Signals;
  readonly #gateways: Gateways;
  readonly #views = new Views();
  readonly #watchers: Watchers;
  readonly #plant: Plant;
  readonly #alarm: RetriedAlarm;
  /** Whether the hub has a view of each machine. After sleeping it only has those of machines that have reported since. */
  #isComplete = false;
  /** All changes up to this number were sent. Machines report unsent changes again. */
  #sentSeq = 0;
  #checkedAt = 0;
  /** Selections that somebody wanted to see lately: as JSON, with the time (epoch ms) until which their machines are kept up to date. */
  readonly #wanted = new Map<string, { selection: Selection; until: number }>();
  /** How many times in a row some machine did not answer. */
  #failedAsks = 0;
  /** How many times in a row some kept counts could not be counted. */
  #failedCounts = 0;
  #beginning: Promise<void> | null = null;
  #refreshing: Promise<void> | null = null;
  #sending: Promise<void> | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#state = new HubState(ctx.storage);
    this.#signals = new Signals(ctx.storage);
    this.#gateways = new Gateways(ctx.storage);
    this.#watchers = new Watchers(ctx, () => this.#linger());
    this.#plant = new Plant(env, Number(ctx.id.name));
    this.#alarm = new RetriedAlarm(ctx.storage, { object: "hub", companyId: Number(ctx.id.name) });
    ctx.blockConcurrencyWhile(() => this.#alarm.load());
  }

  /** Called by the Worker, which has checked the caller: opens a WebSocket or an event stream. */
  override async fetch(request: Request): Promise<Response> {
    const watcher = JSON.parse(request.headers.get(WATCHER_HEADER) ?? "") as Watcher;
    const isSocket = request.headers.get("upgrade") === "websocket";
    if (!(await this.#ensureViewsOf(watcher.selection))) return new Response(null, { status: 400 });
    this.#watchers.isAnybodyThere(Date.now());
    if (!this.#watchers.hasRoom(isSocket, watcher.pass)) return new Response(null, { status: 503 });
    // Nothing is awaited from here on, so that the changes after the first message neither leave a gap nor repeat anything.
    this.#send();
    const first = this.#firstFor(watcher);
    const subprotocol = request.headers.get("sec-websocket-protocol");
    const response = isSocket
      ? this.#watchers.openSocket(watcher, first, subprotocol)
      : this.#watchers.openStream(watcher, first);
    await this.#setAlarm();
    return response;
  }

  /** Called by the Worker: returns all rows of a selection; null if it has too many machines. The caller counts as a watcher for a while. */
  async snapshot(selection: Selection): Promise<{ epoch: string; seq: number; rows: unknown[] } | null> {
    if (!(await this.#ensureViewsOf(selection))) return null;
    this.#linger();
    const { epoch, seq } = this.#views;
    return { epoch, seq, rows: this.#rowsOf(selection) };
  }

  /** Called by a machine: takes its present view. When this ends, the view was sent to the watchers. */
  async tell(machineId: number, { revision, overview }: HubReport): Promise<HubAnswer> {
    await this.#beginning?.catch(() => undefined);
    const { watch } = this.#state.values;
    if (!this.#isWatched()) return { isWatched: false, watch, newer: null };
    if (!this.#plant.has(machineId) || Date.now() - this.#plant.readAt > READ_EVERY_MS) await this.#refresh();
    await this.#plant.learn([overview]);
    // Meanwhile other machines may have reported, and somebody else may have begun to watch.
    const known = this.#views.get(machineId);
    if (known && known.revision > revision) return { isWatched: true, watch, newer: known.revision };
    if (!this.#plant.has(machineId)) return { isWatched: false, watch, newer: null };
    this.#views.put(machineId, { revision, overview, row: this.#plant.rowOf(machineId, overview) });
    await this.#sendSoon();
    return { isWatched: true, watch, newer: null };
  }

  /** Called by the Worker: something changed that watchers see, or that decides whether they may watch. */
  async lookAgain(what: WatchedData): Promise<void> {
    if (!this.#isWatched()) return;
    if (what === "access") return await this.#check();
    await this.#ensureComplete();
    // The change may be newer than what was read for that.
    await this.#refresh();
  }

  /** Called by the Worker: counts were refused. */
  async hear(source: SignalSource, channels: readonly RefusedChannel[]): Promise<void> {
    this.#state.open();
    const now = Date.now();
    this.#signals.hear(source, channels, now);
    await this.#setSignalAlarm(now);
  }

  /** Called by the Worker: returns what was refused lately. */
  async signals(areIgnored = false): Promise<HeardSignal[]> {
    this.#state.open();
    return this.#signals.heard(Date.now(), areIgnored);
  }

  /** Called by the Worker: other channels are ignored from now on. */
  async ignore(): Promise<void> {
    this.#state.open();
    this.#signals.ignore(await findIgnored(this.env, Number(this.ctx.id.name)));
  }

  /** Called by the Worker: the count sensors changed. The alarm counts, so that it is done even if the hub stops meanwhile. */
  async countKept(): Promise<void> {
    this.#state.open();
    if (this.#signals.kept().length > 0) await this.#alarm.set(Date.now());
  }

  /** Called by the Worker: a gateway reported. */
  async hearGateway(gatewayTokenId: number, status: GatewayStatus): Promise<void> {
    this.#state.open();
    this.#gateways.hear(gatewayTokenId, status, Date.now());
  }

  /** Called by the Worker: returns the last reports of some gateways. */
  async gateways(gatewayTokenIds: readonly number[]): Promise<HeardGateway[]> {
    this.#state.open();
    return this.#gateways.heard(gatewayTokenIds);
  }

  /** Called by the job that watches gateways. */
  async gatewayConditions(): Promise<GatewayCondition[]> {
    this.#state.open();
    return this.#gateways.conditions();
  }

  override webSocketMessage(socket: Socket): void {
    // A `ping` is answered without waking the hub.
    close(socket, closeCodes.badMessage);
  }

  override webSocketClose(socket: Socket): void {
    this.#watchers.leave(socket);
    this.#linger();
  }

  override webSocketError(socket: Socket): void {
    this.#watchers.leave(socket);
    this.#linger();
  }

  override async alarm(): Promise<void> {
    await this.#alarm.run(async () => {
      try {
        await this.#lookAfterSignals();
      } finally {
        await this.#lookAtAll();
      }
    });
  }

  /** Forgets old signals, and counts what has a channel now. */
  async #lookAfterSignals(): Promise<void> {
    this.#state.open();
    this.#signals.forget(Date.now());
    if (this.#signals.kept().length > 0) await this.ignore();
    // A machine that fails is no failure of the alarm, which then would come too late for the watchers.
    const isSettled = await countKept(this.env, Number(this.ctx.id.name), this.#signals);
    this.#failedCounts = isSettled ? 0 : this.#failedCounts + 1;
    const now = Date.now();
    if (!isSettled) await this.#alarm.set(now + Math.min(COUNT_AGAIN_MS * 2 ** (this.#failedCounts - 1), LOOK_EVERY_MS));
    await this.#setSignalAlarm(now);
  }

  async #setSignalAlarm(now: number): Promise<void> {
    const at = this.#signals.dueAt(now);
    if (at !== null) await this.#alarm.set(at);
  }

  /** Checks the tokens, reads the set-up, and calls the machines that did not answer. Nothing is sent before the tokens were checked. */
  async #lookAtAll(): Promise<void> {
    if (!this.#watchers.isAnybodyThere(Date.now())) return;
    await this.#check();
    if (this.#isComplete) await this.#refresh();
    else await this.#ensureComplete();
    const isOutOfReach = (machineId: number) => this.#views.get(machineId)?.row?.isReachable === false;
    await this.#ask(this.#plant.machineIds.filter(isOutOfReach));
    await this.#sendSoon();
    await this.#setAlarm();
  }

  /** Whether machines have to keep reporting. If not, they have to be called when somebody watches again. */
  #isWatched(): boolean {
    const { isWatching, watchedUntil } = this.#state.values;
    if (!isWatching) return false;
    const now = Date.now();
    if (this.#watchers.isAnybodyThere(now) || now < watchedUntil) return true;
    this.#state.save({ isWatching: false });
    return false;
  }

  /** Makes sure that there is a view of each machine of a selection, and that they report their changes. Returns false if there are too many. */
  async #ensureViewsOf(selection: Selection): Promise<boolean> {
    const key = JSON.stringify(selection);
    this.#wanted.set(key, { selection, until: Date.now() + LINGER_MS });
    await this.#ensureComplete();
    if (!this.#plant.covers(selection)) await this.#refresh();
    if (this.#plant.covers(selection)) return true;
    this.#wanted.delete(key);
    return false;
  }

  /** Reads the machines that somebody watches, or watched a moment ago, and closes the connections of those for whom there have become too many. */
  async #readPlant(): Promise<void> {
    const now = Date.now();
    for (const [key, { until }] of this.#wanted) if (until < now) this.#wanted.delete(key);
    const wanted = [...this.#wanted.values()].map(({ selection }) => selection);
    await this.#plant.read([...this.#watchers.selections(), ...wanted]);
    this.#watchers.closeTooLarge((selection) => !this.#plant.covers(selection));
  }

  /** Makes sure that there is a view of each machine, and that all machines report their changes. */
  async #ensureComplete(): Promise<void> {
    if (!this.#beginning && this.#isComplete && this.#isWatched()) return;
    this.#beginning ??= this.#begin().finally(() => {
      this.#beginning = null;
    });
    await this.#beginning;
  }

  /** Gets the view of every machine, and makes them report their changes from now on. */
  async #begin(): Promise<void> {
    const isNew = !this.#isWatched();
    if (isNew) {
      this.#isComplete = false;
      this.#views.begin();
      this.#sentSeq = 0;
      this.#state.save({ watch: this.#state.values.watch + 1 });
    }
    await this.#readPlant();
    await this.#ask(this.#plant.machineIds);
    if (isNew) this.#state.save({ isWatching: true, watchedUntil: Date.now() + LINGER_MS });
    await this.#checkIfDue();
    // In one turn: machines may have reported something meanwhile that was sent in the previous epoch.
    this.#views.renew((machineId) => this.#plant.has(machineId));
    this.#isComplete = true;
    // Watchers from before the hub slept continue in the new epoch.
    this.#sendAll();
  }

  /** Sends each watcher everything. */
  #sendAll(): void {
    this.#sentSeq = this.#views.seq;
    this.#watchers.send((selection) => this.#snapshotOf(selection));
  }

  /** Gets the views of machines. A machine that does not answer has a row that says so, and is called again. */
  async #ask(machineIds: readonly number[]): Promise<void> {
    const { watch } = this.#state.values;
    const answers = await callMachines(this.env, machineIds, ANSWER_WITHIN_MS, (machine) => machine.watch(watch));
    await this.#plant.learn([...answers.values()].map((answer) => answer?.overview ?? null));
    for (const machineId of machineIds) {
      const known = this.#views.get(machineId);
      const answer = answers.get(machineId);
      // Null: it was deleted meanwhile.
      if (answer === null || (known?.row && (!answer || known.revision > answer.revision))) continue;
      const { revision, overview } = answer ?? { revision: 0, overview: null };
      this.#views.put(machineId, { revision, overview, row: this.#plant.rowOf(machineId, overview) });
    }
    if (machineIds.length > 0) this.#failedAsks = answers.size < machineIds.length ? this.#failedAsks + 1 : 0;
  }

  /** Reads the set-up again and sends the resulting changes, one read at a time: callers during a read wait for another one. */
  async #refresh(): Promise<void> {
    const before = this.#refreshing;
    if (before) {
      await before.catch(() => undefined);
      // The first caller that waited has begun the next read for all of them.
      if (this.#refreshing !== null && this.#refreshing !== before) return await this.#refreshing;
    }
    const own = this.#readSetUp();
    this.#refreshing = own;
    try {
      await own;
    } finally {
      if (this.#refreshing === own) this.#refreshing = null;
    }
  }

  async #readSetUp(): Promise<void> {
    // Many changes in a row are read together. If the clock was set back, the wait is no longer than the pause.
    await scheduler.wait(Math.min(READ_PAUSE_MS, Math.max(0, this.#plant.readAt + READ_PAUSE_MS - Date.now())));
    await this.#readPlant();
    const views = this.#views.all().filter(({ row }) => row !== null);
    await this.#plant.learn(views.map(({ overview }) => overview));
    for (const { machineId } of views) {
      const view = this.#views.get(machineId);
      if (!view) continue;
      const row = this.#plant.rowOf(machineId, view.overview);
      if (JSON.stringify(row) !== JSON.stringify(view.row)) this.#views.put(machineId, { ...view, row });
    }
    if (this.#isComplete) await this.#ask(this.#plant.machineIds.filter((machineId) => !this.#views.get(machineId)?.row));
    await this.#sendSoon();
    await this.#setAlarm();
  }

  /** Checks the tokens if the last check is too old. Call this before anything is sent. */
  async #checkIfDue(): Promise<void> {
    if (Date.now() - this.#checkedAt > CHECK_EVERY_MS) await this.#check();
  }

  /** Closes the connections whose tokens are no longer valid. If some see operators' names from now on, or do not any more, all are sent everything. */
  async #check(): Promise<void> {
    const startedAt = Date.now();
    const passes = this.#watchers.passes();
    const isAnyChanged = passes.length > 0 && this.#watchers.apply(await findRightsOf(this.env, passes));
    this.#checkedAt = startedAt;
    if (!isAnyChanged) return;
    if (this.#isComplete) this.#sendAll();
    // Calling all machines ends with that. Whoever reports now does not wait for it, and if it fails, the alarm does it again.
    else void this.#ensureComplete().catch(() => undefined);
  }

  /** Sends what changed, together with other changes of the next moment. Fails if the watchers' tokens could not be checked. */
  #sendSoon(): Promise<void> {
    this.#sending ??= this.#gatherAndSend();
    return this.#sending;
  }

  async #gatherAndSend(): Promise<void> {
    try {
      await scheduler.wait(this.#watchers.count < MANY_WATCHERS ? GATHER_MS : GATHER_FOR_MANY_MS);
      await this.#checkIfDue();
    } finally {
      this.#sending = null;
    }
    // In the same turn, so that no change comes in between and waits for a message that is already sent.
    this.#send();
  }

  /** Sends what changed since the last time. */
  #send(): void {
    const since = this.#sentSeq;
    this.#sentSeq = this.#views.seq;
    if (this.#sentSeq === since) return;
    this.#watchers.send((selection) => {
      const { rows, removed } = this.#views.changesSince(since, selection);
      if (rows.length + removed.length === 0) return null;
      return this.#message({ type: "changes", rows, removed });
    });
  }

  /** The changes that a watcher has missed if its number is of this epoch; otherwise everything. */
  #firstFor({ selection, resume, pass }: Watcher): LiveMessage {
    const { epoch, seq } = this.#views;
    if (resume?.epoch !== epochFor(pass, epoch) || resume.since > seq) return this.#snapshotOf(selection);
    return this.#message({ type: "changes", ...this.#views.changesSince(resume.since, selection) });
  }

  #snapshotOf(selection: Selection): LiveMessage {
    return this.#message({ type: "snapshot", rows: this.#rowsOf(selection) });
  }

  #message(content: { type: "snapshot"; rows: unknown[] } | { type: "changes"; rows: unknown[]; removed: number[] }) {
    const { epoch, seq } = this.#views;
    return { epoch, seq, at: new Date().toISOString(), ...content } as LiveMessage;
  }

  /** The rows of a selection, in the order of the plant. */
  #rowsOf(selection: Selection) {
    const place = new Map(this.#plant.machineIds.map((machineId, i) => [machineId, i]));
    const placeOf = (id: number) => place.get(id) ?? place.size;
    return this.#views.rows(selection).sort((a, b) => placeOf(a.machine.id) - placeOf(b.machine.id));
  }

  /** Keeps machines reporting for a while without any watcher. */
  #linger(): void {
    const until = Date.now() + LINGER_MS;
    // Saved now and then, not with each poll.
    if (this.#state.values.watchedUntil < until - LINGER_MS / 2) this.#state.save({ watchedUntil: until });
  }

  /** Sets the alarm for the next token that ends, for machines that did not answer, and for the regular check. */
  async #setAlarm(): Promise<void> {
    const now = Date.now();
    const isAnyUnknown = this.#views.all().some(({ row }) => row?.isReachable === false);
    const askAgainMs = isAnyUnknown ? ASK_AGAIN_MS * 2 ** this.#failedAsks : LOOK_EVERY_MS;
    const at = Math.min(this.#watchers.nextEnd() ?? Number.POSITIVE_INFINITY, now + Math.min(askAgainMs, LOOK_EVERY_MS));
    await this.#alarm.set(at);
  }
}
