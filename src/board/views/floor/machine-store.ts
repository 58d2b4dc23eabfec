import { batch, computed, effect, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import { serverNow } from "../../app/clock.ts";
import { companyQuery } from "../../app/session.ts";
import { recall, remember } from "../../app/store.ts";
import { type ApiSchema, api, Refusal } from "../../data/api.ts";
import { follow, type Live, type Row } from "../../data/live.ts";
import { may } from "../../data/may.ts";
import { allOf } from "../../data/pages.ts";
import type { Action, ActionRequest } from "../../domain/action-queue.ts";
import { type Announced, announcedStop, parsedAnnounced } from "../../domain/announced.ts";
import { waitAfter } from "../../domain/backoff.ts";
import { allChoices, type CauseChoice, type CauseGroup, causeTree, choiceOf, favouriteChoices } from "../../domain/causes.ts";
import {
  type FloorStop,
  type LiveNow,
  lastChoice,
  markOf,
  type StopMark,
  stopsNow,
  wantsCause,
} from "../../domain/floor-stops.ts";
import { type Pace, pacesOf } from "../../domain/pace.ts";
import { type ProducedHour, producedHour } from "../../domain/shift-hours.ts";
import { DAY_MS, HOUR_MS, iso } from "../../domain/time.ts";
import { reasonOf } from "../../texts/common.ts";
import { floor } from "../../texts/floor.ts";
import { type Display, type Outbox, openOutbox, stopsIn } from "./outbox.ts";
import * as requests from "./requests.ts";
import { say } from "./said.tsx";
import { stopText } from "./stop-text.ts";

export type Operator = Pick<ApiSchema<"Operator">, "id" | "code" | "name" | "hasPin">;
export type DefectReason = Pick<ApiSchema<"DefectReason">, "id" | "name">;
export type Stretch = ApiSchema<"TimelineStretch">;

/** The actions of one choice or report, while they can be undone. */
export interface Undoable {
  /** What was done, once it is confirmed: "Saved: Jam". */
  done: string;
  /** What waits to be done: "Jam". */
  name: string;
  until: number;
  /** Each with the way to undo it after it was, or may have been, carried out. `undoes`: its key, if it is not confirmed yet. */
  actions: { key: string; undo(undoes: string | undefined): void }[];
}

/** The answer to a change of stops. */
type StopsAnswer = Parameters<typeof stopsIn>[0];

const UNDO_MS = 10_000;
const REFRESH_MS = 30_000;
/** The time after which the lists also have a change in the live row. */
const SETTLED_MS = 12_000;
const ROW_WITHIN_MS = 4000;
/** A code that is entered again within this time is the same intention. */
const SAME_BADGE_MS = 3000;
/** An announcement of a planned stop that nobody needed holds no longer than a shift. */
const ANNOUNCED_MS = 8 * HOUR_MS;

/** The state of a terminal's machine, and the actions of people there. */
export class MachineStore {
  readonly machineId: number;
  readonly live: Live;
  readonly outbox: Outbox;
  readonly tree: Signal<CauseGroup[] | null> = signal(null);
  readonly favourites: Signal<CauseChoice[]> = signal([]);
  /** The planned causes, the most used first. */
  readonly planned: Signal<CauseChoice[]> = signal([]);
  readonly hours: Signal<ProducedHour[] | null> = signal(null);
  readonly stretches: Signal<Stretch[] | null> = signal(null);
  /** How fast the machine was in the last hour. */
  readonly paces: Signal<Pace[]> = signal([]);
  /** The stops before the shift that were read, newest first: those of twelve hours, or the last ones. Null before the first reading. */
  readonly before: ReadonlySignal<FloorStop[] | null>;
  readonly #readBefore: Signal<FloorStop[] | null> = signal(null);
  /** The planned stop that a person here has announced; null: none. */
  readonly announced: Signal<Announced | null>;
  /** How many actions were confirmed: what they change is read again. */
  readonly confirmations: Signal<number> = signal(0);
  /** The definition of the running or last shift; null before one was read. */
  readonly plan: Signal<ApiSchema<"Shift"> | null> = signal(null);
  readonly operators: Signal<Operator[]> = signal([]);
  readonly defectReasons: Signal<DefectReason[]> = signal([]);
  /** The reason why the last read failed; null: it did not. */
  readonly fault: Signal<string | null> = signal(null);
  /** The stop that a person has picked instead of the first one; null: none. */
  readonly picked: Signal<number | null> = signal(null);
  readonly undoable: Signal<Undoable | null> = signal(null);
  readonly stops: ReadonlySignal<FloorStop[] | null>;
  /** The stops without a cause, newest first, so an open one is the first. */
  readonly open: ReadonlySignal<FloorStop[]>;
  /** The stop whose cause is asked for; null: none. */
  readonly asked: ReadonlySignal<FloorStop | null>;
  readonly last: ReadonlySignal<CauseChoice | null>;
  readonly #read: Signal<FloorStop[] | null> = signal(null);
  /** The versions of stops that resulted from actions here, by the key of the action: a later one is somebody else's. */
  readonly #versions = new Map<string, number>();
  /** The corrections that resulted from actions here, by the key of the action. */
  readonly corrections = new Map<string, number>();
  /** What follows once an action is confirmed, by its key. */
  readonly afterwards = new Map<string, (answer: StopsAnswer) => void>();
  readonly #ends: (() => void)[] = [];
  #settled: number | undefined;
  #lastCode = { code: "", at: 0 };
  #isReading = false;
  #isStale = false;

  constructor(machineId: number, userId: number) {
    this.machineId = machineId;
    this.announced = signal(parsedAnnounced(recall(`announced.${machineId}`), serverNow() - ANNOUNCED_MS));
    this.live = follow({ machineIds: [machineId] });
    this.outbox = openOutbox(userId, (action, answer) => this.#confirmed(action, answer));
    const now = computed(() => liveNow(this.live.row(machineId).value));
    const marks = computed(() => this.#marks());
    this.stops = computed(() => this.#read.value && stopsNow(this.#read.value, now.value, marks.value));
    this.before = computed(() => this.#readBefore.value && stopsNow(this.#readBefore.value, null, marks.value));
    this.open = computed(() => (this.stops.value ?? []).filter(wantsCause));
    this.asked = computed(() => {
      const { value: id } = this.picked;
      const picked =
        id === null ? null : [...(this.stops.value ?? []), ...(this.before.value ?? [])].find((one) => one.id === id);
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
    this.#ends.push(
      effect(() => {
        const announced = this.announced.value;
        const stop = announced && announcedStop(this.stops.value ?? [], announced);
        const choice = announced && allChoices(this.tree.value ?? []).find(({ key }) => key === announced.key);
        if (!stop || !choice || !may("stops:write")) return;
        untracked(() => {
          this.announce(null);
          this.classify([stop], choice);
        });
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
    const actions = stops.map((stop) => {
      const label = floor.actionLabels.classify(choice.name, stopText(stop));
      return this.change(stop, requests.classify(stop, choice), markOf(choice, stop), label, done);
    });
    this.offerUndo(choice.name, done, actions);
  }

  /** Announces that the machine is going to be stopped on purpose: its next stop gets this cause. Null: it is not. */
  announce(choice: CauseChoice | null): void {
    const next = choice && { key: choice.key, at: serverNow() };
    this.announced.value = next;
    remember(`announced.${this.machineId}`, next && JSON.stringify(next));
  }

  /** Removes the cause of a stop, which can be undone likewise. */
  declassify(stop: FloorStop): void {
    const done = floor.given(floor.noCause, 1);
    const mark = { classification: requests.withoutCauses(stop.classification), name: floor.noCause, isProgrammed: false };
    const action = this.change(stop, requests.removeCauses(stop), mark, floor.actionLabels.declassify(stopText(stop)), done);
    this.offerUndo(floor.noCause, done, [action]);
  }

  /** Changes a stop. Undoing it restores the stop as it was, unless somebody has changed it since. */
  change(before: FloorStop, request: ActionRequest, mark: StopMark, label: string, done: string): Undoable["actions"][number] {
    const about = `stop ${before.id}`;
    const key = this.add(about, request, label, done, { stopId: before.id, mark });
    const undo = (undoes: string | undefined) => {
      const { classification, name, isProgrammed } = before;
      const said = classification
        ? floor.actionLabels.classify(name, stopText(before))
        : floor.actionLabels.declassify(stopText(before));
      const seen = { id: before.id, version: this.#versions.get(key) ?? before.version + 1 };
      const was = { classification, name, isProgrammed };
      this.add(about, requests.setClassification(seen, classification), said, floor.undone, {
        ...{ stopId: before.id, mark: was, undoes },
      });
    };
    return { key, undo };
  }

  /** Undoes the last choice or report: actions that were certainly not carried out are dropped, all others reversed. */
  undo(): void {
    const undoable = this.undoable.value;
    if (!undoable) return;
    for (const { key, undo } of undoable.actions) {
      if (this.outbox.takeBack(key)) continue;
      undo(this.outbox.queue.peek().some((action) => action.key === key) ? key : undefined);
    }
    this.undoable.value = null;
  }

  takeBefore(read: FloorStop[]): void {
    const others = (this.#readBefore.peek() ?? []).filter(({ id }) => !read.some((one) => one.id === id));
    this.#readBefore.value = [...read, ...others];
  }

  /** @param code as in `requests.sign` */
  sign(way: "in" | "out", operator: { id: number; name: string | null }, code?: string): void {
    const name = operator.name ?? String(operator.id);
    const done = way === "in" ? floor.signedIn(name) : floor.signedOut(name);
    this.add("operators", requests.sign(way, this.machineId, operator.id, code), floor.actionLabels[way](name), done);
  }

  /** Signs the operator of a code or badge in, or out if signed in. Shows the result, or that nobody has this code. */
  async signByCode(code: string): Promise<void> {
    // Readers and people repeat what seems to have had no effect.
    if (this.#lastCode.code === code && serverNow() - this.#lastCode.at < SAME_BADGE_MS) return;
    this.#lastCode = { code, at: serverNow() };
    try {
      const operator = await this.#operatorOf(code);
      if (!operator) {
        this.#lastCode.at = 0;
        return say(floor.unknownCode(code), { isFault: true });
      }
      const isIn = (this.row?.operators ?? []).some(({ id }) => id === operator.id);
      if (isIn) this.sign("out", operator);
      // A version of the service that knows no PINs refuses a code.
      else this.sign("in", operator, operator.hasPin === undefined ? undefined : code);
    } catch (error) {
      this.#lastCode.at = 0;
      say(reasonOf(error), { isFault: true });
    }
  }

  /** The operator of a code or badge; null: there is none. @throws NoAnswer, Refusal */
  async #operatorOf(code: string): Promise<Operator | null> {
    const known = this.operators.value.find((one) => one.code === code);
    if (known) return known;
    return (await api("get", "/v1/operators", { query: { ...companyQuery(), code } })).data[0] ?? null;
  }

  /** Returns the action's key. `undoes`: see `Outbox.add`. */
  add(
    about: string,
    request: ActionRequest,
    label: string,
    done: string,
    { stopId, mark, undoes }: { stopId?: number; mark?: StopMark; undoes?: string | undefined } = {},
  ): string {
    const ofStop = { ...(stopId !== undefined && { stopId }), ...(mark && { mark }) };
    const key = this.outbox.add(about, request, { machineId: this.machineId, label, done, ...ofStop }, undoes);
    if (this.outbox.isStuck.peek() || !navigator.onLine) say(floor.givenLater(label));
    return key;
  }

  offerUndo(name: string, done: string, actions: Undoable["actions"]): void {
    const until = serverNow() + UNDO_MS;
    batch(() => {
      this.picked.value = null;
      this.undoable.value = { name, done, until, actions };
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
  #confirmed({ key, told, request }: Action<Display>, answer: unknown): void {
    say(told.done);
    if (told.machineId !== this.machineId) return;
    if (request.path === requests.CORRECTIONS) this.corrections.set(key, (answer as ApiSchema<"Correction">).id);
    this.afterwards.get(key)?.(answer as StopsAnswer);
    this.afterwards.delete(key);
    this.confirmations.value++;
    if (told.stopId !== undefined) {
      const answered = stopsIn(answer as Parameters<typeof stopsIn>[0]);
      const changed = answered.find(({ id }) => id === told.stopId);
      if (changed) this.#versions.set(key, changed.version);
      const isBefore = this.#readBefore.peek()?.some(({ id }) => id === told.stopId) ?? false;
      const list = isBefore ? this.#readBefore : this.#read;
      const others = (list.peek() ?? []).filter(({ id }) => !answered.some((one) => one.id === id));
      list.value = [...answered, ...others];
    }
    this.refresh();
  }

  async #readShift(): Promise<void> {
    const row = this.live.row(this.machineId).peek();
    const now = serverNow();
    const start = row?.shift ? Date.parse(row.shift.startTime) : now - 8 * HOUR_MS;
    const query = { ...companyQuery(), machineIds: [this.machineId] };
    const plan = this.plan.peek();
    const confirmations = this.confirmations.peek();
    const [stops, hours, timeline, shift, paces] = await Promise.all([
      // Stops are listed by their start, which may be in the shift before.
      allOf((cursor) => api("get", "/v1/stops", { query: { ...query, from: iso(start - 12 * HOUR_MS), limit: 500, ...cursor } })),
      row?.shift
        ? api("get", "/v1/summary", {
            // Of the shift alone: a range that begins with a shift leaves out what the shift before made in the same hour.
            query: { ...query, groupBy: ["hour"], from: iso(start), to: iso(Math.max(now, start + 1)) },
          })
        : null,
      api("get", "/v1/timeline", { query: { ...query, from: iso(start), to: iso(Math.max(now, start + 1)) } }),
      row?.shift && row.shift.id !== plan?.id ? this.#readPlan(row.shift.id) : plan,
      this.#readPaces(now),
    ]);
    // A change that was confirmed during this reading may be missing from it. The next reading follows at once and has it.
    if (confirmations !== this.confirmations.peek()) return;
    batch(() => {
      const isOfShift = ({ endTime }: FloorStop) => endTime === null || Date.parse(endTime) > start;
      this.#read.value = stops.filter(isOfShift);
      this.takeBefore(stops.filter((stop) => !isOfShift(stop)));
      this.paces.value = paces;
      this.hours.value = hours?.data.map(producedHour) ?? [];
      this.stretches.value = timeline.data;
      this.plan.value = shift;
    });
  }

  /** How fast the machine was in the last hour; nothing if the session may not read that. */
  async #readPaces(now: number): Promise<Pace[]> {
    try {
      const query = { ...companyQuery(), machineIds: [this.machineId], from: iso(now - HOUR_MS), to: iso(now) };
      return pacesOf((await api("get", "/v1/production", { query: { ...query, interval: "5min" } })).data, now);
    } catch (error) {
      if (error instanceof Refusal && error.status === 403) return [];
      throw error;
    }
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
  async #loadSetUp(failures = 0): Promise<void> {
    try {
      const query = companyQuery();
      const from = iso(serverNow() - 14 * DAY_MS);
      const [causes, used, operators, reasons] = await Promise.all([
        allOf((cursor) => api("get", "/v1/stop-causes", { query: { ...query, limit: 500, ...cursor } })),
        api("get", "/v1/summary", { query: { ...query, groupBy: ["cause"], machineIds: [this.machineId], from } }),
        allOf((cursor) => api("get", "/v1/operators", { query: { ...query, limit: 500, ...cursor } })),
        allOf((cursor) => api("get", "/v1/defect-reasons", { query: { ...query, limit: 500, ...cursor } })),
      ]);
      const tree = causeTree(causes);
      batch(() => {
        this.tree.value = tree;
        this.favourites.value = favouriteChoices(tree, used.data);
        const byUse = favouriteChoices(tree, used.data, Number.POSITIVE_INFINITY);
        this.planned.value = byUse.filter(({ isProgrammed }) => isProgrammed);
        this.operators.value = operators;
        this.defectReasons.value = reasons;
      });
    } catch (error) {
      this.fault.value = reasonOf(error);
      const timer = setTimeout(() => void this.#loadSetUp(failures + 1), waitAfter(failures + 1, Math.random()));
      this.#ends.push(() => clearTimeout(timer));
    }
  }
}

/** The choice of a stop, if it is one of the company's causes. */
export function choiceIn(store: MachineStore, stop: FloorStop): CauseChoice | null {
  return choiceOf(stop.classification, allChoices(store.tree.value ?? []));
}

function liveNow(row: Row | undefined): LiveNow | null {
  if (!row?.isReachable) return null;
  return { since: row.since, isProgrammed: row.status === "P" || row.status === "O", stop: row.stop };
}
