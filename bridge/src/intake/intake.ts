import type { Clock } from "../clock.ts";
import { type SignalConfig, signalMembers } from "../config/signal.ts";
import { StorageError } from "../queue/database.ts";
import type { Queue } from "../queue/queue.ts";
import { productOf, readSignal, unavailableState } from "../readings/read-signal.ts";
import type { Reading, SourceContext } from "../sources/source.ts";
import type { SourceConfig } from "../sources/types.ts";
import { emptyPlan, type Plan, type SignalInWork, type SourceInWork } from "./plan.ts";
import { draftText, type ReadValue, type SourceView } from "./views.ts";

// From readings to events on the disk: what sources give is read by the rules of readings/, and stored with the states of the signals and the
// sources' cursors in one transaction.

/** How long readings wait for others, so that one write to the disk stores many. */
const GROUP_MS = 5;
const GROUP_READINGS = 500;
/** A machine that is heard sends at least a heartbeat so often. */
const HEARTBEAT_MS = 60_000;
/** How many values of each signal, and losses of each source, the page shows. */
const MOST_SHOWN = 50;

export interface IntakeOptions {
  /** Null: nothing is stored, for the preview. */
  queue: Queue | null;
  clock: Clock;
  log(message: string): void;
  /** Called when events are on the disk. */
  onStored?(): void;
  /** Called for each value that was read. */
  onRead?(source: string, signal: SignalConfig, value: ReadValue): void;
  /** Called when the state of a source has changed. */
  onState?(): void;
}

interface Waiting {
  size: number;
  add(plan: Plan): void;
  resolve(): void;
  reject(error: StorageError): void;
}

export function createIntake({ queue, clock, log, onStored, onRead, onState }: IntakeOptions) {
  const sources: SourceInWork[] = [];
  /** When each machine gave its newest sample. */
  const samples = new Map<string, number>();
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | null = null;
  /** The file that has the states of the signals: another one has none of them. */
  let knownId = "";

  /** Stores everything that waits, in its order and at once. */
  function flush(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    const group = waiting;
    waiting = [];
    const plan = emptyPlan();
    const failure = failureOf(() => {
      for (const { add } of group) add(plan);
      if (queue && (plan.hasNews || plan.events.length > 0 || plan.cursors.size > 0)) store(queue, plan);
    });
    if (failure) {
      for (const { reject } of group) reject(failure);
      return;
    }
    settle(plan);
    for (const { resolve } of group) resolve();
    if (plan.events.length > 0) onStored?.();
  }

  function failureOf(work: () => void): StorageError | null {
    try {
      work();
      return null;
    } catch (error) {
      if (error instanceof StorageError) return error;
      log((error as Error).stack ?? String(error));
      return new StorageError(`readings cannot be stored: ${error}`);
    }
  }

  function store(queue: Queue, plan: Plan): void {
    queue.transact(() => {
      for (const { source, machine, draft, byBridge } of plan.events) queue.addEvent(source, machine, draft, byBridge);
      for (const { source, machine, kind, refused } of plan.refused) queue.addRefused(source, machine, kind, refused);
      for (const [source, cursor] of plan.cursors) queue.saveCursor(source, cursor);
      // A new file has none of the states yet.
      const isNewFile = queue.id() !== knownId;
      for (const source of sources) saveStates(queue, plan, source, isNewFile);
    });
    knownId = queue.id();
  }

  function saveStates(queue: Queue, plan: Plan, { view, signals }: SourceInWork, isNewFile: boolean): void {
    const changed = signals.filter((signal) => isNewFile || plan.signals.has(signal));
    for (const signal of changed) queue.saveState(view.config.id, signal.key, stateIn(plan, signal));
  }

  /** Takes over what is stored: the next readings are read after it. */
  function settle(plan: Plan): void {
    for (const [signal, state] of plan.signals) Object.assign(signal, { state, isRead: true });
    for (const [machine, at] of plan.samples) samples.set(machine, at);
    for (const { source, reading, at, made } of plan.shown) {
      const signal = source.view.signals[reading.signal];
      if (!signal) continue;
      const value = { at, raw: String(reading.value), made };
      signal.recent.push(value);
      if (signal.recent.length > MOST_SHOWN) signal.recent.shift();
      onRead?.(source.view.config.id, signal.config, value);
    }
  }

  function enqueue(size: number, add: (plan: Plan) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.push({ size, add, resolve, reject });
      if (waiting.reduce((sum, item) => sum + item.size, 0) >= GROUP_READINGS) flush();
      else timer ??= setTimeout(flush, GROUP_MS);
    });
  }

  function addReadings(plan: Plan, source: SourceInWork, readings: readonly Reading[]): void {
    const machines = new Map<string, { at: number; byBridge: boolean }>();
    const products = new Map<string, boolean>();
    for (const reading of readings) {
      const { signal, at, isNews } = addReading(plan, source, reading);
      const { machine, kind } = signal.config;
      const byBridge = reading.at === null;
      if (at >= (machines.get(machine)?.at ?? 0)) machines.set(machine, { at, byBridge });
      if (isNews && (kind === "sku" || kind === "order")) products.set(machine, byBridge);
    }
    // One event for SKU and order together: a new SKU with the order before it would be refused.
    for (const [machine, byBridge] of products) addProduct(plan, source, machine, byBridge);
    for (const [machine, { at, byBridge }] of machines) addHeartbeat(plan, source, machine, at, byBridge);
  }

  function addReading(plan: Plan, source: SourceInWork, reading: Reading) {
    const signal = source.signals[reading.signal];
    if (!signal) throw new Error(`the source ${source.view.config.id} has no signal ${reading.signal}`);
    const { machine, kind } = signal.config;
    const byBridge = reading.at === null;
    const at = reading.at ?? clock.now();
    signal.isUnavailable = false;
    const isFirst = !signal.isRead && !plan.signals.has(signal);
    const result = readSignal(signal.config, stateIn(plan, signal), { ...reading, at }, isFirst);
    if (!result) return { signal, at, isNews: false };
    const { state, event, refused, isNews } = result;
    const id = source.view.config.id;
    plan.signals.set(signal, state);
    if (isNews) plan.hasNews = true;
    if (event) addEvent(plan, id, machine, event, byBridge);
    if (refused)
      plan.refused.push({
        source: id,
        machine,
        kind: kind === "order" ? "sku" : kind,
        refused: { ...refused, at, byBridge },
      });
    const made = refused ? `not sent: ${refused.message}` : event ? draftText(event) : "";
    plan.shown.push({ source, reading, at, made });
    return { signal, at, isNews };
  }

  const stateIn = (plan: Plan, signal: SignalInWork) => plan.signals.get(signal) ?? signal.state;

  function addEvent(
    plan: Plan,
    source: string,
    machine: string,
    draft: Parameters<Queue["addEvent"]>[2],
    byBridge: boolean,
  ): void {
    plan.events.push({ source, machine, draft, byBridge });
    plan.samples.set(machine, Math.max(draft.at, newestSample(plan, machine)));
  }

  const newestSample = (plan: Plan, machine: string) =>
    plan.samples.get(machine) ?? samples.get(machine) ?? Number.NEGATIVE_INFINITY;

  function addProduct(plan: Plan, { view, signals }: SourceInWork, machine: string, byBridge: boolean): void {
    const stateOf = (kind: string) => {
      const signal = signals.find(({ config }) => config.machine === machine && config.kind === kind);
      return signal ? stateIn(plan, signal) : null;
    };
    const draft = productOf(stateOf("sku") ?? {}, stateOf("order"));
    if (draft) addEvent(plan, view.config.id, machine, draft, byBridge);
  }

  /** A sample of a machine that is heard, if it gave no event for a while. */
  function addHeartbeat(plan: Plan, source: SourceInWork, machine: string, at: number, byBridge: boolean): void {
    if (at - newestSample(plan, machine) < HEARTBEAT_MS) return;
    addEvent(plan, source.view.config.id, machine, { kind: "heartbeat", at, since: null }, byBridge);
  }

  /** The machines of a source whose signals have values. */
  const heardMachines = ({ signals }: SourceInWork) =>
    new Set(signals.filter(({ isUnavailable }) => !isUnavailable).map(({ config }) => config.machine));

  function heard(source: SourceInWork): void {
    const now = clock.now();
    source.view.lastAt = now;
    const due = [...heardMachines(source)].filter((machine) => now - (samples.get(machine) ?? 0) >= HEARTBEAT_MS);
    if (due.length === 0) return;
    // A heartbeat that cannot be stored is not missed: the next one says the same.
    enqueue(0, (plan) => {
      for (const machine of due) addHeartbeat(plan, source, machine, now, true);
    }).catch(() => undefined);
  }

  function unavailable(source: SourceInWork, index: number, at: number | null): Promise<void> {
    const signal = source.signals[index];
    if (!signal) return Promise.resolve();
    return enqueue(1, (plan) => {
      signal.isUnavailable = true;
      const { machine, kind } = signal.config;
      const when = at ?? clock.now();
      if (kind !== "state" || stateIn(plan, signal).text?.value === "") return;
      plan.signals.set(signal, unavailableState(when));
      addEvent(plan, source.view.config.id, machine, { kind: "state", state: "unavailable", at: when, since: null }, at === null);
    });
  }

  return {
    flush,
    views: (): readonly SourceView[] => sources.map(({ view }) => view),

    /**
     * Reads what was known of the signals, and where the sources were, when the bridge ran last: before they are started.
     * @throws StorageError if the queue cannot be read
     */
    load: (from: Queue): void => {
      for (const { view, signals, context } of sources) {
        const known = from.states(view.config.id);
        for (const signal of signals) signal.state = JSON.parse(known.get(signal.key) ?? "{}");
        if (context) context.cursor = from.cursor(view.config.id);
      }
      knownId = from.id();
    },

    /** What a source is given to run. */
    contextOf: (config: SourceConfig, abort: AbortSignal): SourceContext => {
      const source = inWork(config);
      sources.push(source);
      const { view } = source;
      const context: SourceContext = {
        signals: config.signal,
        cursor: null,
        abort,
        now: clock.now,
        store: (readings, cursor) => {
          view.lastAt = clock.now();
          return enqueue(readings.length, (plan) => {
            addReadings(plan, source, readings);
            if (cursor !== undefined) plan.cursors.set(config.id, cursor);
          }).then(() => {
            view.readings += readings.length;
          });
        },
        heard: () => heard(source),
        unavailable: (signal, at) => unavailable(source, signal, at),
        report: (state) => {
          const isChange = state.state !== view.state.state || state.error !== view.state.error;
          view.state = state;
          if (!isChange) return;
          log(`${config.id}: ${state.error ?? state.state}`);
          onState?.();
        },
        lost: (loss) => {
          const many = loss.events === null ? "an unknown number of values" : `${loss.events} values`;
          log(`${config.id}: ${many} never came (${loss.reason})`);
          view.losses.push(loss);
          if (view.losses.length > MOST_SHOWN) view.losses.shift();
          noteLoss(source, loss);
        },
        log: (message) => log(`${config.id}: ${message}`),
      };
      source.context = context;
      return context;
    },
  };

  /** What a source lost is reported as what the queue drops. */
  function noteLoss({ signals }: SourceInWork, { signal, events, from, to }: Parameters<SourceContext["lost"]>[0]): void {
    if (!queue || events === null) return;
    const machine = signal === null ? "" : (signals[signal]?.config.machine ?? "");
    try {
      queue.noteDrop({ machine, events, from, to });
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
    }
  }
}

function inWork(config: SourceConfig): SourceInWork {
  return {
    view: {
      config,
      state: { state: "starting", error: null },
      lastAt: null,
      readings: 0,
      losses: [],
      signals: config.signal.map((signal) => ({ config: signal, recent: [] })),
    },
    signals: config.signal.map((signal) => ({
      config: signal,
      key: keyOf(signal),
      state: {},
      isRead: false,
      isUnavailable: false,
    })),
    context: null,
  };
}

/** The machine, the kind, and where the value is read: what is known of a counter does not hold for another one. */
function keyOf(signal: SignalConfig): string {
  const address = Object.entries(signal).filter(([member]) => !(member in signalMembers));
  return JSON.stringify([signal.machine, signal.kind, signal.reading, Object.fromEntries(address)]);
}
