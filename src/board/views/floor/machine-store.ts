import { batch, computed, effect, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import { type ApiSchema, api, Refusal } from "../../api.ts";
import { serverNow } from "../../clock.ts";
import { follow, type Live, type Row } from "../../live.ts";
import type { Action, ActionRequest } from "../../model/action-queue.ts";
import {
  allChoices,
  type Cause,
  type CauseChoice,
  type CauseGroup,
  causeTree,
  favouriteChoices,
} from "../../model/cause-choices.ts";
import { append } from "../../model/extremes.ts";
import {
  choiceOf,
  type FloorStop,
  type LiveNow,
  lastChoice,
  markOf,
  type StopMark,
  stopsNow,
  wantsCause,
} from "../../model/floor-stops.ts";
import type { ProducedHour } from "../../model/shift-hours.ts";
import { formats } from "../../plant.ts";
import { companyQuery } from "../../session.ts";
import { reasonOf } from "../../texts/common.ts";
import { floor } from "../../texts/floor.ts";
import { type Outbox, openOutbox, type Told } from "./outbox.ts";
import * as requests from "./requests.ts";
import { stopText } from "./stop-text.ts";

export type Operator = Pick<ApiSchema<"Operator">, "id" | "code" | "name">;
export type Stretch = ApiSchema<"TimelineStretch">;

/** The changes of one choice, while it can be undone. */
export interface Undoable {
  /** The name of the cause. */
  name: string;
  until: number;
  stops: { key: string; before: FloorStop }[];
}

const UNDO_MS = 10_000;
const REFRESH_MS = 30_000;
/** The time after which the lists also have a change in the live row. */
const SETTLED_MS = 12_000;
const ROW_WITHIN_MS = 4000;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The state of a terminal's machine, and the actions of people there. */
export class MachineStore {
  readonly machineId: number;
  readonly live: Live;
  readonly outbox: Outbox;
  readonly tree: Signal<CauseGroup[] | null> = signal(null);
  readonly favourites: Signal<CauseChoice[]> = signal([]);
  readonly hours: Signal<ProducedHour[] | null> = signal(null);
  readonly stretches: Signal<Stretch[] | null> = signal(null);
  /** The definition of the running or last shift; null before one was read. */
  readonly plan: Signal<ApiSchema<"Shift"> | null> = signal(null);
  readonly operators: Signal<Operator[]> = signal([]);
  /** The reason why the last read failed; null: it did not. */
  readonly fault: Signal<string | null> = signal(null);
  /** The stop that a person has picked instead of the first one; null: none. */
  readonly picked: Signal<number | null> = signal(null);
  readonly undoable: Signal<Undoable | null> = signal(null);
  /** The newest result, announced as a status message. */
  readonly told: Signal<string> = signal("");
  readonly stops: ReadonlySignal<FloorStop[] | null>;
  /** The stops without a cause, newest first, so an open one is the first. */
  readonly open: ReadonlySignal<FloorStop[]>;
  /** The stop whose cause is asked for; null: none. */
  readonly asked: ReadonlySignal<FloorStop | null>;
  readonly last: ReadonlySignal<CauseChoice | null>;
  readonly #read: Signal<FloorStop[] | null> = signal(null);
  readonly #ends: (() => void)[] = [];
  #settled: number | undefined;
  #isReading = false;
  #isStale = false;
  #confirmations = 0;

  constructor(machineId: number, userId: number) {
    this.machineId = machineId;
    this.live = follow({ machineIds: [machineId] });
    this.outbox = openOutbox(userId, (action, answer) => this.#confirmed(action, answer));
    const now = computed(() => liveNow(this.live.row(machineId).value));
    const marks = computed(() => this.#marks());
    this.stops = computed(() => this.#read.value && stopsNow(this.#read.value, now.value, marks.value));
    this.open = computed(() => (this.stops.value ?? []).filter(wantsCause));
    this.asked = computed(() => {
      const picked = this.stops.value?.find(({ id }) => id === this.picked.value);
      return picked ?? this.open.value[0] ?? null;
    });
    this.last = computed(() => lastChoice(this.stops.value ?? [], allChoices(this.tree.value ?? [])));
    // A change of state in the row is soon in the lists too. Counts alone are not worth a read.
    const began = computed(() => {
      const row = this.live.row(machineId).value;
      return row && [row.status, row.stop?.id, row.stop?.name, row.shift?.startTime].join();
    });
    this.#ends.push(
      effect(() => {
        if (began.value === undefined) return;
        untracked(() => this.refresh());
        clearTimeout(this.#settled);
        this.#settled = window.setTimeout(() => this.refresh(), SETTLED_MS);
      }),
    );
    // The row names the shift. Without a row, whatever can be read is better than nothing.
    const first = setTimeout(() => this.refresh(), ROW_WITHIN_MS);
    this.#ends.push(() => clearTimeout(first));
    const timer = setInterval(() => this.refresh(), REFRESH_MS);
    this.#ends.push(() => clearInterval(timer));
    void this.#loadSetUp();
  }

  /** The machine's newest row; undefined before the first. */
  get row(): Row | undefined {
    return this.live.row(this.machineId).value;
  }

  close(): void {
    for (const end of this.#ends) end();
    clearTimeout(this.#settled);
    this.live.close();
    this.outbox.close();
  }

  /** Reads stops, hours and timeline of the shift. A call during a read causes another read afterwards. */
  refresh(): void {
    if (this.#isReading) {
      this.#isStale = true;
      return;
    }
    this.#isReading = true;
    this.#readShift()
      .then(
        () => {
          this.fault.value = null;
        },
        (error) => {
          this.fault.value = reasonOf(error);
        },
      )
      .finally(() => {
        this.#isReading = false;
        if (this.#isStale) {
          this.#isStale = false;
          this.refresh();
        }
      });
  }

  /** Gives stops a cause. This can be undone for ten seconds. */
  classify(stops: readonly FloorStop[], choice: CauseChoice): void {
    const done = floor.given(choice.name, stops.length);
    const given = stops.map((stop) => {
      const label = floor.told.classify(choice.name, stopText(stop));
      const key = this.#add(`stop ${stop.id}`, requests.classify(stop, choice), label, done, stop.id, markOf(choice));
      return { key, before: stop };
    });
    this.#offerUndo(choice.name, given);
  }

  /** Removes the cause of a stop, which can be undone likewise. */
  declassify(stop: FloorStop): void {
    const label = floor.told.declassify(stopText(stop));
    const mark = { classification: null, name: floor.noCause, isProgrammed: false };
    const key = this.#add(`stop ${stop.id}`, requests.restore(stop, null), label, floor.given(floor.noCause, 1), stop.id, mark);
    this.#offerUndo(floor.noCause, [{ key, before: stop }]);
  }

  /** Undoes the last choice: actions that were not sent yet are dropped, all other stops get their former cause. */
  undo(): void {
    const undoable = this.undoable.value;
    if (!undoable) return;
    for (const { key, before } of undoable.stops) {
      if (this.outbox.takeBack(key)) continue;
      // The version after the choice, if it is known by now.
      const known = this.#read.peek()?.find(({ id }) => id === before.id);
      const isDone = !this.outbox.queue.peek().some((action) => action.key === key);
      const seen = { id: before.id, version: isDone ? (known?.version ?? null) : null };
      const { classification, name, isProgrammed } = before;
      const label = classification ? floor.told.classify(name, stopText(before)) : floor.told.declassify(stopText(before));
      const mark = { classification, name, isProgrammed };
      this.#add(`stop ${before.id}`, requests.restore(seen, classification), label, floor.undone, before.id, mark);
    }
    this.undoable.value = null;
  }

  split(stop: FloorStop, at: number): void {
    const label = floor.told.split(stopText(stop), formats().time(at));
    this.#add(`stop ${stop.id}`, requests.split(stop, at), label, floor.splitDone, stop.id);
  }

  sign(way: "in" | "out", operator: { id: number; name: string | null }): void {
    const name = operator.name ?? String(operator.id);
    const done = way === "in" ? floor.signedIn(name) : floor.signedOut(name);
    this.#add("operators", requests.sign(way, this.machineId, operator.id), floor.told[way](name), done);
  }

  run(skuId: string, workOrderId: string | null, what: string): void {
    this.#add("run", requests.run(this.machineId, skuId, workOrderId), floor.told.run(what), floor.runSet(what));
  }

  report(kind: "scrap" | "good", order: { id: string; code: string }, skuId: string, units: number): void {
    const made = kind === "scrap" ? { defects: units } : { correct: units };
    const label = floor.told[kind](formats().number(units), order.code);
    const request = requests.progress(order.id, this.machineId, skuId, made);
    this.#add(`order ${order.id}`, request, label, floor.reported(label));
  }

  callForHelp(message: string | null): void {
    const label = floor.told.help(message ?? floor.noMessage);
    this.#add("help", requests.callForHelp(this.machineId, message), label, floor.helpCalled);
  }

  answerHelp(id: number): void {
    this.#add("help", requests.answerHelp(id), floor.told.answer, floor.helpAnswered);
  }

  /** The operator of a code or badge; null: there is none. @throws NoAnswer, Refusal */
  async operatorOf(code: string): Promise<Operator | null> {
    const known = this.operators.value.find((one) => one.code === code);
    if (known) return known;
    return (await api("get", "/v1/operators", { query: { ...companyQuery(), code } })).data[0] ?? null;
  }

  /** Returns the action's key. */
  #add(about: string, request: ActionRequest, label: string, done: string, stopId?: number, mark?: StopMark): string {
    const ofStop = { ...(stopId !== undefined && { stopId }), ...(mark && { mark }) };
    const key = this.outbox.add(about, request, { machineId: this.machineId, label, done, ...ofStop });
    if (this.outbox.isStuck.peek() || !navigator.onLine) this.told.value = floor.givenLater(label);
    return key;
  }

  #offerUndo(name: string, stops: Undoable["stops"]): void {
    const until = serverNow() + UNDO_MS;
    batch(() => {
      this.picked.value = null;
      this.undoable.value = { name, until, stops };
    });
    setTimeout(() => {
      if (this.undoable.value?.until === until) this.undoable.value = null;
    }, UNDO_MS);
  }

  #marks(): Map<number, StopMark> {
    const marks = new Map<number, StopMark>();
    for (const { told, refusal } of this.outbox.queue.value) {
      if (told.stopId !== undefined && told.mark && !refusal) marks.set(told.stopId, told.mark);
    }
    return marks;
  }

  /** Applies the service's answer, so that nothing flickers until the lists are read again. */
  #confirmed({ told }: Action<Told>, answer: unknown): void {
    this.told.value = told.done;
    if (told.machineId !== this.machineId) return;
    this.#confirmations++;
    if (told.stopId !== undefined) {
      const stop = answer as ApiSchema<"Stop"> | { data: ApiSchema<"Stop">[] };
      const answered = "data" in stop ? stop.data : [stop];
      const others = (this.#read.peek() ?? []).filter(({ id }) => !answered.some((one) => one.id === id));
      this.#read.value = [...answered, ...others];
    }
    this.refresh();
  }

  async #readShift(): Promise<void> {
    const row = this.live.row(this.machineId).peek();
    const now = serverNow();
    const start = row?.shift ? Date.parse(row.shift.startTime) : now - 8 * HOUR_MS;
    const query = { ...companyQuery(), machineIds: [this.machineId] };
    const plan = this.plan.peek();
    const confirmations = this.#confirmations;
    const [stops, hours, timeline, shift] = await Promise.all([
      // Stops are listed by their start, which may be in the shift before.
      api("get", "/v1/stops", { query: { ...query, from: iso(start - 12 * HOUR_MS), limit: 500 } }),
      row?.shift
        ? api("get", "/v1/production", {
            query: { ...query, interval: "hour", from: iso(start), to: iso(Math.max(now, start + 1)) },
          })
        : null,
      api("get", "/v1/timeline", { query: { ...query, from: iso(start), to: iso(Math.max(now, start + 1)) } }),
      row?.shift && row.shift.id !== plan?.id ? this.#readPlan(row.shift.id) : plan,
    ]);
    // A change that was confirmed during this reading may be missing from it. The next reading follows at once and has it.
    if (confirmations !== this.#confirmations) return;
    batch(() => {
      this.#read.value = stops.data.filter(({ endTime }) => endTime === null || Date.parse(endTime) > start);
      this.hours.value = hours?.data ?? [];
      this.stretches.value = timeline.data;
      this.plan.value = shift;
    });
  }

  /** A shift's definition; null if it was deleted, which does not end the running shift. */
  async #readPlan(id: number): Promise<ApiSchema<"Shift"> | null> {
    try {
      return await api("get", "/v1/shifts/{id}", { path: { id } });
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return null;
      throw error;
    }
  }

  /** Reads the data that do not change with the shift, and retries until this succeeds. */
  async #loadSetUp(): Promise<void> {
    try {
      const query = companyQuery();
      const from = iso(serverNow() - 14 * DAY_MS);
      const [causes, used, operators] = await Promise.all([
        allPages((cursor) => api("get", "/v1/stop-causes", { query: { ...query, limit: 500, ...cursor } })),
        api("get", "/v1/summary", { query: { ...query, groupBy: ["cause"], machineIds: [this.machineId], from } }),
        api("get", "/v1/operators", { query: { ...query, limit: 500 } }),
      ]);
      const tree = causeTree(causes as Cause[]);
      const uses = used.data.map(({ generalCause, specificCause, stopCount }) => ({
        ...{ generalCauseId: generalCause?.id ?? null, specificCauseId: specificCause?.id ?? null, stops: stopCount ?? 0 },
      }));
      batch(() => {
        this.tree.value = tree;
        this.favourites.value = favouriteChoices(tree, uses);
        this.operators.value = operators.data;
      });
    } catch (error) {
      this.fault.value = reasonOf(error);
      const timer = setTimeout(() => void this.#loadSetUp(), 5000);
      this.#ends.push(() => clearTimeout(timer));
    }
  }
}

/** The choice of a stop, if it is one of the company's causes. */
export function choiceIn(store: MachineStore, stop: FloorStop): CauseChoice | null {
  return choiceOf(stop, allChoices(store.tree.value ?? []));
}

async function allPages<T>(read: (cursor: { cursor?: string }) => Promise<{ data: T[]; cursor: string | null }>): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const page: { data: T[]; cursor: string | null } = await read(cursor === null ? {} : { cursor });
    append(items, page.data);
    cursor = page.cursor;
  } while (cursor !== null);
  return items;
}

function liveNow(row: Row | undefined): LiveNow | null {
  if (!row?.isReachable) return null;
  return { since: row.since, isProgrammed: row.status === "P" || row.status === "O", stop: row.stop };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
