import { serverNow } from "../../app/clock.ts";
import { companyQuery } from "../../app/session.ts";
import { api } from "../../data/api.ts";
import { formats } from "../../data/plant.ts";
import type { FloorStop } from "../../domain/floor-stops.ts";
import { decimalsOf } from "../../domain/formats.ts";
import { iso } from "../../domain/time.ts";
import { reasonOf } from "../../texts/common.ts";
import { floor } from "../../texts/floor.ts";
import type { DefectReason, MachineStore } from "./machine-store.ts";
import { stopsIn } from "./outbox.ts";
import * as requests from "./requests.ts";
import { stopText } from "./stop-text.ts";

// What people do in dialogs, beside giving causes and signing in: loaded with the dialogs.

/** How many stops before the shift are read when somebody looks for them. */
const MOST_BEFORE = 50;

/** What rejected units are of. */
interface Scrap {
  skuId: string | null;
  order: { id: string; code: string } | null;
  reason: DefectReason | null;
}

/** Gives a stop another note; null: none. This can be undone likewise. */
export function note(store: MachineStore, stop: FloorStop, note: string | null): void {
  const { generalCause = null, specificCause = null, component = null } = stop.classification ?? {};
  const isEmpty = !generalCause && !specificCause && !component && note === null;
  const classification = isEmpty ? null : { generalCause, specificCause, component, description: note };
  const label = floor.actionLabels.note(note, stopText(stop));
  const done = note === null ? floor.noteRemoved : floor.noteKept(note);
  const { name, isProgrammed } = stop;
  const mark = { classification, name, isProgrammed };
  const action = store.change(stop, requests.setClassification(stop, classification), mark, label, done);
  store.offerUndo(label, done, [action]);
}

/** Splits a stop. Once that is confirmed, it can be undone for ten seconds. */
export function split(store: MachineStore, stop: FloorStop, at: number): void {
  const label = floor.actionLabels.split(stopText(stop), formats().time(at));
  const key = store.add(`stop ${stop.id}`, requests.split(stop, at), label, floor.splitDone, { stopId: stop.id });
  store.afterwards.set(key, (answer) => {
    const parts = stopsIn(answer);
    const undo = () => void store.add(`stop ${stop.id}`, requests.merge(parts), floor.actionLabels.undo(label), floor.undone);
    store.offerUndo(label, floor.splitDone, [{ key, undo }]);
  });
}

/** Makes one stop of two. Once that is confirmed, it can be undone for ten seconds: both are then as they were. */
export function merge(store: MachineStore, first: FloorStop, second: FloorStop): void {
  const label = floor.actionLabels.merge(stopText(first), stopText(second));
  const about = `stop ${first.id}`;
  const key = store.add(about, requests.merge([first, second]), label, floor.merged);
  store.afterwards.set(key, (answer) => {
    const [merged] = stopsIn(answer);
    if (!merged) return;
    const undo = () => {
      const request = requests.split(merged, Date.parse(second.startTime));
      const undoes = store.add(about, request, floor.actionLabels.undo(label), floor.undone);
      store.afterwards.set(undoes, (parts) => restore(store, stopsIn(parts), [first, second]));
    };
    store.offerUndo(label, floor.merged, [{ key, undo }]);
  });
}

/** Gives stops the classifications back that they had. */
function restore(store: MachineStore, now: readonly FloorStop[], before: readonly FloorStop[]): void {
  for (const [i, stop] of now.entries()) {
    const was = before[i];
    if (!was || sameCauses(stop, was)) continue;
    const label = floor.actionLabels.undo(stopText(stop));
    store.add(`stop ${stop.id}`, requests.setClassification(stop, was.classification), label, floor.undone, {
      stopId: stop.id,
    });
  }
}

/** Reads the newest stops before the shift, however long ago they were. */
export async function loadBefore(store: MachineStore): Promise<void> {
  const row = store.row;
  const to = row?.shift ? row.shift.startTime : iso(serverNow());
  try {
    const { data } = await api("get", "/v1/stops", {
      query: { ...companyQuery(), machineIds: [store.machineId], to, limit: MOST_BEFORE },
    });
    store.takeBefore(data.filter(({ endTime }) => endTime !== null && endTime <= to));
  } catch (error) {
    store.fault.value = reasonOf(error);
  }
}

export function run(store: MachineStore, skuId: string, workOrderId: string | null, what: string): void {
  store.add("run", requests.run(store.machineId, skuId, workOrderId), floor.actionLabels.run(what), floor.runSet(what));
}

/** Adds good units to the progress of an order. This can be undone for ten seconds, by the same report with the opposite sign. */
export function reportGood(store: MachineStore, order: { id: string; code: string }, skuId: string, units: number): void {
  const add = (count: number, done: string, undoes?: string) => {
    const label = floor.actionLabels.good(formats().number(count, decimalsOf(count)), order.code);
    const request = requests.progress(order.id, store.machineId, skuId, { correct: count });
    return { label, key: store.add(`order ${order.id}`, request, label, done || floor.reported(label), { undoes }) };
  };
  const { key, label } = add(units, "");
  const undo = (undoes: string | undefined) => void add(-units, floor.undone, undoes);
  store.offerUndo(label, floor.reported(label), [{ key, undo }]);
}

/** Corrects the machine's rejected units. This can be undone for ten seconds: by its id, or before it is known by the opposite correction. */
export function reportScrap(store: MachineStore, units: number, { skuId, order, reason }: Scrap): void {
  const at = serverNow();
  const label = floor.actionLabels.scrap(formats().number(units, decimalsOf(units)), order?.code ?? null, reason?.name ?? null);
  const correct = (defects: number) =>
    requests.correct(store.machineId, { at, defects, skuId, workOrderId: order?.id ?? null, reasonId: reason?.id ?? null });
  const key = store.add("scrap", correct(units), label, floor.reported(label));
  const undo = (undoes: string | undefined) => {
    const id = store.corrections.get(key);
    const request = id === undefined ? correct(-units) : requests.undoCorrection(id);
    store.add("scrap", request, floor.actionLabels.undo(label), floor.undone, { undoes });
  };
  store.offerUndo(label, floor.reported(label), [{ key, undo }]);
}

export function callForHelp(store: MachineStore, message: string | null): void {
  const label = floor.actionLabels.help(message ?? floor.noMessage);
  store.add("help", requests.callForHelp(store.machineId, message), label, floor.helpCalled);
}

export function answerHelp(store: MachineStore, id: number): void {
  store.add("help", requests.answerHelp(id), floor.actionLabels.answer, floor.helpAnswered);
}

/** Whether two stops were given the same causes, component and note. */
function sameCauses(a: FloorStop, b: FloorStop): boolean {
  const of = ({ classification }: FloorStop) => {
    const { generalCause, specificCause, component, description } = classification ?? {};
    return [generalCause?.id, specificCause?.id, component?.id, description].map((value) => value ?? "").join("\n");
  };
  return of(a) === of(b);
}
