import { DurableObject } from "cloudflare:workers";
import { callMachines } from "../machine/stub.ts";
import {
  type HubAnswer,
  type HubObject,
  type LookedAt,
  type Selection,
  type ToldView,
  WATCHER_HEADER,
  type Watcher,
} from "./hub-object.ts";
import { HubState } from "./hub-state.ts";
import { Plant } from "./plant.ts";
import { closeCodes, type LiveMessage } from "./protocol.ts";
import { judgeOf } from "./rights.ts";
import { Views } from "./views.ts";
import { close, type Socket, Watchers } from "./watchers.ts";

/** How long machines have to answer when somebody begins to watch. Those that do not are asked again. */
const ANSWER_WITHIN_MS = 3000;
const ASK_AGAIN_MS = 5000;
/** Changes of this time go into one message. */
const GATHER_MS = 20;
/** Tokens are checked before anything is sent, unless that was done less than this ago; the set-up is read before a change is taken over. */
const CHECK_EVERY_MS = 25_000;
const READ_EVERY_MS = 60_000;
const READ_PAUSE_MS = 250;
/** Even if nothing happens, the hub looks at its sockets and the set-up this often, while somebody watches. */
const LOOK_EVERY_MS = 10 * 60_000;
/** Machines go on telling this long after the last watcher, who may come back, and after somebody asked for a snapshot. */
const LINGER_MS = 60_000;

/**
 * What watchers see of a company: the last view of each machine. While anybody watches, its machines tell it what changes. It sleeps
 * between changes, and its WebSockets stay open meanwhile.
 *
 * Views are in memory only, because storing each would cost more than all the rest of watching. A hub that has slept knows none. It passes
 * on what a machine tells, and asks all machines only when somebody needs a full picture (`#begin`).
 */
export class CompanyHub extends DurableObject<Env> implements HubObject {
  readonly #state: HubState;
  readonly #views = new Views();
  readonly #watchers: Watchers;
  readonly #plant: Plant;
  /** Whether the hub has a view of each machine. After sleeping it has only those of machines that have told something since. */
  #isComplete = false;
  /** Everything up to this number was sent. A machine tells again what was not. */
  #sentSeq = 0;
  #checkedAt = 0;
  /** How often in a row machines did not answer. */
  #failedAsks = 0;
  #alarmAt: number | null = null;
  #beginning: Promise<void> | null = null;
  #refreshing: Promise<void> | null = null;
  #sending: Promise<void> | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#state = new HubState(ctx.storage);
    this.#watchers = new Watchers(ctx, () => this.#linger());
    this.#plant = new Plant(env, Number(ctx.id.name));
    ctx.blockConcurrencyWhile(async () => {
      this.#alarmAt = await ctx.storage.getAlarm();
    });
  }

  /** Of the Worker, which has checked who asks: opens a WebSocket, or a stream of events. */
  override async fetch(request: Request): Promise<Response> {
    const watcher = JSON.parse(request.headers.get(WATCHER_HEADER) ?? "") as Watcher;
    const isSocket = request.headers.get("upgrade") === "websocket";
    await this.#ensureComplete();
    this.#watchers.isAnybodyThere(Date.now());
    if (!this.#watchers.hasRoom(isSocket)) return new Response(null, { status: 503 });
    // Nothing is awaited from here on: the first message and the changes after it leave no gap, and overlap in nothing.
    this.#send();
    const first = this.#firstFor(watcher);
    const subprotocol = request.headers.get("sec-websocket-protocol");
    const response = isSocket
      ? this.#watchers.openSocket(watcher, first, subprotocol)
      : this.#watchers.openStream(watcher, first);
    await this.#setAlarm();
    return response;
  }

  /** Of the Worker: all rows of a selection. Whoever asks counts as a watcher for a while. */
  async snapshot(selection: Selection): Promise<{ epoch: string; seq: number; rows: unknown[] }> {
    await this.#ensureComplete();
    this.#linger();
    const { epoch, seq } = this.#views;
    return { epoch, seq, rows: this.#rowsOf(selection) };
  }

  /** Of a machine: what it does now. Once this has ended, watchers have been sent it. */
  async tell(machineId: number, { revision, overview }: ToldView): Promise<HubAnswer> {
    await this.#beginning?.catch(() => undefined);
    const { watch } = this.#state.values;
    if (!this.#isWatched()) return { isWatched: false, watch, newer: null };
    if (!this.#plant.has(machineId) || Date.now() - this.#plant.readAt > READ_EVERY_MS) await this.#refresh();
    await this.#plant.learn([overview]);
    // Others may have told meanwhile, and somebody else may have begun to watch.
    const known = this.#views.get(machineId);
    if (known && known.revision > revision) return { isWatched: true, watch, newer: known.revision };
    if (!this.#plant.has(machineId)) return { isWatched: false, watch, newer: null };
    this.#views.put(machineId, { revision, overview, row: this.#plant.rowOf(machineId, overview) });
    await this.#sendSoon();
    return { isWatched: true, watch, newer: null };
  }

  /** Of the Worker: something was changed that watchers see, or that decides whether they may watch. */
  async lookAgain(at: LookedAt): Promise<void> {
    if (!this.#isWatched()) return;
    if (at === "access") return await this.#check();
    await this.#ensureComplete();
    // What was changed may be newer than what was read for that.
    await this.#refresh();
  }

  override webSocketMessage(socket: Socket): void {
    // A `ping` is answered without waking the hub.
    close(socket, closeCodes.badMessage);
  }

  override webSocketClose(): void {
    this.#linger();
  }

  override webSocketError(): void {
    this.#linger();
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = null;
    if (!this.#watchers.isAnybodyThere(Date.now())) return;
    try {
      await this.#check();
      if (this.#isComplete) await this.#refresh();
      else await this.#ensureComplete();
      const isOutOfReach = (machineId: number) => this.#views.get(machineId)?.row?.isReachable === false;
      await this.#ask(this.#plant.machineIds.filter(isOutOfReach));
      await this.#sendSoon();
    } catch {
      // D1 does not answer. The next alarm tries again, and nothing is sent before tokens were checked.
    }
    await this.#setAlarm();
  }

  /** Whether machines have to go on telling. If not, they have to be asked when somebody watches again. */
  #isWatched(): boolean {
    const { isWatching, watchedUntil } = this.#state.values;
    if (!isWatching) return false;
    const now = Date.now();
    if (this.#watchers.isAnybodyThere(now) || now < watchedUntil) return true;
    this.#state.save({ isWatching: false });
    return false;
  }

  /** Makes sure that there is a view of each machine, and that all of them tell what changes. */
  async #ensureComplete(): Promise<void> {
    if (!this.#beginning && this.#isComplete && this.#isWatched()) return;
    this.#beginning ??= this.#begin().finally(() => {
      this.#beginning = null;
    });
    await this.#beginning;
  }

  /** Asks all machines what they do, and to tell from now on what changes. */
  async #begin(): Promise<void> {
    const isNew = !this.#isWatched();
    if (isNew) {
      this.#isComplete = false;
      this.#views.begin();
      this.#sentSeq = 0;
      this.#state.save({ watch: this.#state.values.watch + 1 });
    }
    await this.#plant.read();
    await this.#ask(this.#plant.machineIds);
    if (isNew) this.#state.save({ isWatching: true, watchedUntil: Date.now() + LINGER_MS });
    await this.#checkIfDue();
    // In one turn: machines may have told something meanwhile, which was sent in the epoch before.
    this.#views.renew((machineId) => this.#plant.has(machineId));
    this.#isComplete = true;
    this.#sentSeq = this.#views.seq;
    // Whoever watched while the hub slept goes on in the new epoch.
    this.#watchers.send((selection) => this.#snapshotOf(selection));
  }

  /** Asks machines what they do. One that does not answer has a row that says so, and is asked again. */
  async #ask(machineIds: readonly number[]): Promise<void> {
    const { watch } = this.#state.values;
    const answers = await callMachines(this.env, machineIds, ANSWER_WITHIN_MS, (machine) => machine.watch(watch));
    await this.#plant.learn([...answers.values()].map((answer) => answer?.overview ?? null));
    for (const machineId of machineIds) {
      const known = this.#views.get(machineId);
      const answer = answers.get(machineId);
      // Null: it was deleted meanwhile.
      if (answer === null || (known && (!answer || known.revision > answer.revision))) continue;
      const { revision, overview } = answer ?? { revision: 0, overview: null };
      this.#views.put(machineId, { revision, overview, row: this.#plant.rowOf(machineId, overview) });
    }
    if (machineIds.length > 0) this.#failedAsks = answers.size < machineIds.length ? this.#failedAsks + 1 : 0;
  }

  /** Reads the set-up again and sends what that changes. One at a time: who comes while one is under way waits for another one. */
  async #refresh(): Promise<void> {
    const before = this.#refreshing;
    if (before) {
      await before.catch(() => undefined);
      // The first one that waited has begun the next one for all.
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
    // Many changes in a row are read together. A clock that was set back makes nobody wait for longer.
    await scheduler.wait(Math.min(READ_PAUSE_MS, Math.max(0, this.#plant.readAt + READ_PAUSE_MS - Date.now())));
    await this.#plant.read();
    const views = this.#views.all().filter(({ row }) => row !== null);
    await this.#plant.learn(views.map(({ overview }) => overview));
    for (const { machineId } of views) {
      const view = this.#views.get(machineId);
      if (!view) continue;
      const row = this.#plant.rowOf(machineId, view.overview);
      if (JSON.stringify(row) !== JSON.stringify(view.row)) this.#views.put(machineId, { ...view, row });
    }
    if (this.#isComplete) await this.#ask(this.#plant.machineIds.filter((machineId) => !this.#views.get(machineId)));
    await this.#sendSoon();
    await this.#setAlarm();
  }

  /** Before anything is sent. */
  async #checkIfDue(): Promise<void> {
    if (Date.now() - this.#checkedAt > CHECK_EVERY_MS) await this.#check();
  }

  /** Closes those whose tokens are not good any more. */
  async #check(): Promise<void> {
    const startedAt = Date.now();
    const passes = this.#watchers.passes();
    if (passes.length > 0) this.#watchers.closeRefused(await judgeOf(this.env, passes));
    this.#checkedAt = startedAt;
  }

  /** Sends what changed, together with what else changes in a moment. Fails when it could not be checked who may see it. */
  #sendSoon(): Promise<void> {
    this.#sending ??= this.#gatherAndSend();
    return this.#sending;
  }

  async #gatherAndSend(): Promise<void> {
    try {
      await scheduler.wait(GATHER_MS);
      await this.#checkIfDue();
    } finally {
      this.#sending = null;
    }
    // In the same turn, so that nothing comes in between that waits for a message which is sent already.
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

  /** What a watcher lacks, if its number is one of this epoch; otherwise everything. */
  #firstFor({ selection, resume }: Watcher): LiveMessage {
    const { epoch, seq } = this.#views;
    if (resume?.epoch !== epoch || resume.since > seq) return this.#snapshotOf(selection);
    return this.#message({ type: "changes", ...this.#views.changesSince(resume.since, selection) });
  }

  #snapshotOf(selection: Selection): LiveMessage {
    return this.#message({ type: "snapshot", rows: this.#rowsOf(selection) });
  }

  #message(content: { type: "snapshot"; rows: unknown[] } | { type: "changes"; rows: unknown[]; removed: number[] }) {
    const { epoch, seq } = this.#views;
    return { epoch, seq, at: new Date().toISOString(), ...content } as LiveMessage;
  }

  /** In the order of the plant. */
  #rowsOf(selection: Selection) {
    const place = new Map(this.#plant.machineIds.map((machineId, i) => [machineId, i]));
    const placeOf = (id: number) => place.get(id) ?? place.size;
    return this.#views.rows(selection).sort((a, b) => placeOf(a.machine.id) - placeOf(b.machine.id));
  }

  /** Has machines go on telling for a while without any watcher. */
  #linger(): void {
    const until = Date.now() + LINGER_MS;
    // Saved now and then, not with each poll.
    if (this.#state.values.watchedUntil < until - LINGER_MS / 2) this.#state.save({ watchedUntil: until });
  }

  /** Wakes the hub when the next token ends, to ask machines that did not answer, and now and then. */
  async #setAlarm(): Promise<void> {
    const now = Date.now();
    const isAnyUnknown = this.#views.all().some(({ row }) => row?.isReachable === false);
    const askAgainMs = isAnyUnknown ? ASK_AGAIN_MS * 2 ** this.#failedAsks : LOOK_EVERY_MS;
    const at = Math.min(this.#watchers.nextEnd() ?? Number.POSITIVE_INFINITY, now + Math.min(askAgainMs, LOOK_EVERY_MS));
    if (this.#alarmAt !== null && this.#alarmAt <= at && this.#alarmAt > now) return;
    this.#alarmAt = at;
    await this.ctx.storage.setAlarm(at);
  }
}
