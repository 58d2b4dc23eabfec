import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { factor, type Plant } from "../plant.ts";
import { type Answer, type Client, type Step, type Steps, sorted, type Work } from "./line.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const iso = (at: number) => new Date(at).toISOString();

interface Batch {
  events: ({ id?: string; at: string; type: "count"; nodeId: number; channel: number } & (
    | { value: number }
    | { reading: number }
  ))[];
}

/** Batches of counts and running totals, a second apart; every second event is only identified by its content. Keeps what was sent. */
export class Counts {
  units = 0;
  readonly #plant: Plant;
  #at: number;
  /** The running total of the counter; null: it has reported none yet. */
  #reading: number | null = null;

  constructor(plant: Plant) {
    this.#plant = plant;
    this.#at = plant.commissionedAt;
  }

  /** Sends new batches, and each again after its answer. */
  readonly work: () => Work = () => ({ shows: null, read: async () => null, steps: () => this.#steps() });

  async *#steps(): Steps {
    while (true) {
      const batch = this.#next();
      yield this.#stepOf(batch, (answer, isRepeat) => {
        expect(answer.accepted + answer.duplicates).toBe(batch.events.length);
        if (!isRepeat) expect(answer.duplicates).toBe(0);
      });
      // An answered batch is stored: a repeat is recognized, even after a kill in between.
      yield this.#stepOf(batch, (answer) => expect(answer.duplicates).toBe(batch.events.length));
    }
  }

  #next(): Batch {
    const { nodeId, channel } = this.#plant;
    const events = Array.from({ length: 1 + Math.floor(Math.random() * 60) }, (_, i) => {
      this.#at += 1000;
      const event = { at: iso(this.#at), type: "count" as const, nodeId, channel };
      const value = 1 + Math.floor(Math.random() * 5);
      const named = i % 2 === 0 ? event : { ...event, id: randomUUID() };
      // The first reading of a counter counts nothing.
      if (i % 3 !== 1 || this.#reading !== null) this.units += value * factor;
      if (i % 3 !== 1) return { ...named, value };
      this.#reading = (this.#reading ?? 0) + value;
      return { ...named, reading: this.#reading };
    });
    return { events };
  }

  #stepOf(batch: Batch, check: NonNullable<Step["check"]>): Step {
    return {
      operation: "ingest",
      method: "POST",
      path: "/v1/ingest",
      body: batch,
      token: this.#plant.gatewayToken,
      shows: null,
      check: (answer, isRepeat) => {
        expect(answer.rejected).toEqual([]);
        check(answer, isRepeat);
      },
    };
  }
}

/** The number of ten-minute stops that fit in a shift of eight hours. */
const ROOM = 48;

/** Every edit of stops, on a machine without other events. `from`: the start of an eight-hour shift in which it never ran. */
export function stopLine(client: Client, machineId: number, companyId: number, from: number): Work {
  const listed = () => client.list(`/v1/stops?machineIds=${machineId}&isManual=true`);
  const found = async (startTime: string): Promise<number> => (await listed()).find((stop) => stop.startTime === startTime).id;
  async function* steps(): Steps {
    const cause = await client.do("POST", "/v1/stop-causes", { companyId, level: "general", name: "Jam", isProgrammed: true });
    for (let n = 0; ; n++) {
      const [startTime, at, endTime] = [0, 4, 8].map((minutes) => iso(from + (10 * (n % ROOM) + minutes) * MINUTE)) as [
        string,
        string,
        string,
      ];
      const stop = { startTime, endTime, name: `Stop ${n}`, isProgrammed: false, isIncludedInStops: true, cause: null };
      const body = { machineId, startTime, endTime, name: stop.name };
      const again: Pick<Step, "isKeyed" | "doneBefore"> = { isKeyed: true, doneBefore: [400, 404, 409] };
      yield { operation: "recordStop", method: "POST", path: "/v1/stops", body, ...again, shows: [stop] };
      const path = `/v1/stops/${await found(startTime)}`;
      const changed = { ...stop, isIncludedInStops: false };
      yield { operation: "changeStop", method: "PATCH", path, body: { isIncludedInStops: false }, shows: [changed] };
      const classification = `${path}/classification`;
      const classified = { ...changed, isProgrammed: true, cause: "Jam" };
      const causes = { generalCauseId: String(cause.id) };
      yield { operation: "classifyStop", method: "PUT", path: classification, body: causes, shows: [classified] };
      const declassified = { operation: "declassifyStop", method: "DELETE", path: classification, doneBefore: [404, 409] };
      // The flags revert to those of the signals when the cause is removed.
      yield { ...declassified, shows: [stop] };
      const parts = [
        { ...stop, endTime: at },
        { ...stop, startTime: at },
      ];
      yield { operation: "splitStop", method: "POST", path: `${path}/split`, body: { at }, ...again, shows: sorted(parts) };
      const ids = [await found(startTime), await found(at)];
      yield { operation: "mergeStops", method: "POST", path: "/v1/stops/merge", body: { ids }, ...again, shows: [stop] };
      yield { operation: "deleteStop", method: "DELETE", path, doneBefore: [404], shows: [] };
    }
  }
  const read = async () =>
    sorted(
      (await listed()).map(({ startTime, endTime, name, isProgrammed, isIncludedInStops, classification }: Answer) => {
        const cause = classification?.generalCause?.name ?? null;
        return { startTime, endTime, name, isProgrammed, isIncludedInStops, cause };
      }),
    );
  return { shows: [], read, steps };
}

/** Corrections of what a machine counted. `from`: the start of an eight-hour shift. */
export function correctionLine(client: Client, machineId: number, companyId: number, from: number): Work {
  async function* steps(): Steps {
    let before: object[] = [];
    for (let n = 0; ; n++) {
      const made = { at: iso(from + (n % 400) * MINUTE), total: 1 + n, isUndone: false };
      const body = { machineId, at: made.at, total: made.total, comment: "Counted by hand" };
      const create = { operation: "createCorrection", method: "POST", path: "/v1/corrections", body, isKeyed: true } as const;
      const { id } = yield { ...create, shows: sorted([...before, made]) };
      const undone = sorted([...before, { ...made, isUndone: true }]);
      yield { operation: "undoCorrection", method: "DELETE", path: `/v1/corrections/${id}`, doneBefore: [404], shows: undone };
      before = undone as object[];
    }
  }
  const read = async () => {
    const listed = await client.list(`/v1/corrections?companyId=${companyId}&includeUndone=true`);
    return sorted(listed.map(({ at, total, undoneAt }: Answer) => ({ at, total, isUndone: undoneAt !== null })));
  };
  return { shows: [], read, steps };
}

/** Events from people at a machine: the SKU, and operators signing in and out. */
export function floorLine(client: Client, machineId: number, operatorId: number, companyId: number): Work {
  const path = `/v1/machines/${machineId}`;
  async function* steps(): Steps {
    // A shift may end while this runs.
    await client.do("PATCH", `/v1/companies/${companyId}`, { signOutAtShiftEnd: false });
    for (const id of ["A", "B"]) await client.do("POST", "/v1/skus", { companyId, id, name: id });
    for (let n = 0; ; n++) {
      const skuId = n % 2 === 0 ? "A" : "B";
      const write = { method: "POST", isKeyed: true } as const;
      yield { operation: "startRun", ...write, path: `${path}/run`, body: { skuId }, shows: [skuId, []] };
      const body = { operatorId };
      yield { operation: "signOperatorIn", ...write, path: `${path}/sign-in`, body, shows: [skuId, [operatorId]] };
      yield { operation: "signOperatorOut", ...write, path: `${path}/sign-out`, body, shows: [skuId, []] };
    }
  }
  const read = async () => {
    const { sku, operators } = await client.do("GET", `${path}/state`);
    return [sku?.id ?? null, operators.map(({ id }: { id: number }) => id)];
  };
  return { shows: [null, []], read, steps };
}

/** Orders with their targets and progress: each report counts once. */
export function orderLine(client: Client, machineId: number, companyId: number): Work {
  const path = `/v1/work-orders?companyId=${companyId}`;
  async function* steps(): Steps {
    for (const id of ["A", "B"]) await client.do("POST", "/v1/skus", { companyId, id, name: id });
    let orders: object[] = [];
    for (let n = 0; ; n++) {
      const code = `WO ${n}`;
      const created = (code: string) => ({
        operation: "createWorkOrder",
        method: "POST",
        path: "/work-orders/production-full",
        body: {
          machines: [{ machineId }],
          targets: [
            { targetQuantity: 100, skuId: "A" },
            { targetQuantity: 50, skuId: "B" },
          ],
          workOrder: { status: "Backlog", name: "New", code },
        },
        isKeyed: true as const,
      });
      const idOf = async (code: string) => (await client.list(path)).find((one) => one.code === code).id;
      const order = (name: string, status: string, a: [number, number, number], b: number) => ({
        ...{ code, name, status, machineIds: [machineId] },
        progress: [
          { skuId: "A", targetQuantity: a[0], correct: a[1], defects: a[2], remaining: a[0] - a[1] },
          { skuId: "B", targetQuantity: b, correct: 0, defects: 0, remaining: b },
        ],
      });
      const shows = (last: object) => sorted([...orders, last]);
      yield { ...created(code), shows: shows(order("New", "Backlog", [100, 0, 0], 50)) };
      const id = await idOf(code);
      yield {
        operation: "updateTarget",
        method: "PATCH",
        path: `/work-order-target/${id}/A`,
        body: { targetQuantity: 70 },
        shows: shows(order("New", "Backlog", [70, 0, 0], 50)),
      };
      yield {
        operation: "updateProgress",
        method: "PATCH",
        path: `/work/${id}/progress`,
        body: { skuId: "A", correct: 3, defects: 1 },
        isKeyed: true,
        shows: shows(order("New", "InProgress", [70, 3, 1], 50)),
      };
      const paused = order("Old", "Paused", [60, 3, 1], 40);
      yield {
        operation: "updateWorkOrder",
        method: "PUT",
        path: "/work-order-target",
        body: {
          machines: [String(machineId)],
          skus: [
            { id: "A", quantity: 60 },
            { id: "B", quantity: 40 },
          ],
          workOrder: { id, name: "Old", status: "Paused" },
        },
        doneBefore: [409],
        shows: shows(paused),
      };
      orders = [...orders, paused];
      const wrong = { ...order("New", "Backlog", [100, 0, 0], 50), code: `${code}, a mistake` };
      yield { ...created(wrong.code), shows: shows(wrong) };
      yield {
        operation: "deleteWorkOrder",
        method: "DELETE",
        path: `/v1/work-orders/${await idOf(wrong.code)}`,
        doneBefore: [404],
        shows: sorted(orders),
      };
    }
  }
  const read = async () =>
    sorted(
      (await client.list(path)).map(({ code, name, status, machineIds, progress }) => ({
        ...{ code, name, status, machineIds },
        progress,
      })),
    );
  return { shows: [], read, steps };
}

/** Channels that are added, moved and removed: the ones that accept counts. */
export function sensorLine(client: Client, machine: { id: number; ref: string }, companyId: number, nodeId: number): Work {
  const sensors = (channel: number, countingFactor = 1) => ({
    isCountEnabled: true,
    configs: [{ type: "total", countingFactor, channel, nodeId }],
  });
  const entry = (channel: number) => ({ machineRef: machine.ref, ...sensors(channel) });
  async function* steps(): Steps {
    const step = { operation: "updateCountSensors", method: "PATCH", path: "/backoffice/machines/count-sensors" };
    const change = (body: object) => ({ companyId, added: [], updated: [], deleted: [], ...body });
    while (true) {
      yield { ...step, body: change({ added: [entry(1)] }), doneBefore: [409], shows: [1] };
      yield { ...step, body: change({ updated: [entry(2)] }), shows: [2] };
      const put = { operation: "putCountSensor", method: "PUT", path: `/v1/machines/${machine.id}/count-sensor` };
      yield { ...put, body: sensors(3, 0.5), shows: [3] };
      yield { ...step, body: change({ deleted: [{ machineRef: machine.ref }] }), doneBefore: [404], shows: [] };
    }
  }
  const read = async () => {
    const at = iso(Date.now());
    const events = [1, 2, 3].map((channel) => ({ type: "count", at, nodeId, channel, value: 0 }));
    const { rejected } = await client.do("POST", "/v1/ingest", { companyId, events });
    return [1, 2, 3].filter((_, i) => !rejected.some((one: { index: number }) => one.index === i));
  };
  return { shows: [], read, steps };
}

/** Calls for help at a machine, one after the other, each answered. */
export function helpLine(client: Client, machineId: number, companyId: number): Work {
  const incidents = () => client.list(`/v1/incidents?companyId=${companyId}`);
  /** The incident of the open call, which a queue creates. */
  async function opened(): Promise<string> {
    while (true) {
      const found = (await incidents()).find(({ resolvedAt, acknowledgedAt }) => resolvedAt === null && acknowledgedAt === null);
      if (found) return found.id;
      await new Promise((done) => setTimeout(done, 200));
    }
  }
  async function* steps(): Steps {
    await client.do("POST", "/v1/alert-rules", { companyId, name: "Help", when: { kind: "help" } });
    for (let n = 1; ; n++) {
      const path = `/v1/machines/${machineId}/help-calls`;
      const call = { operation: "createHelpCall", method: "POST", path, body: { message: `Call ${n}` } } as const;
      yield { ...call, isKeyed: true, shows: [n, `Call ${n}`, n - 1] };
      const acknowledged = { operation: "acknowledgeIncident", method: "POST" } as const;
      yield { ...acknowledged, path: `/v1/incidents/${await opened()}/acknowledge`, isKeyed: true, shows: [n, `Call ${n}`, n] };
      const [open] = await client.list(`/v1/help-calls?companyId=${companyId}&isOpen=true`);
      const answer = { operation: "answerHelpCall", method: "POST", path: `/v1/help-calls/${open.id}/answer` } as const;
      yield { ...answer, isKeyed: true, shows: [n, null, n] };
    }
  }
  const read = async () => {
    const calls = await client.list(`/v1/help-calls?companyId=${companyId}`);
    const acknowledged = (await incidents()).filter(({ acknowledgedAt }) => acknowledgedAt !== null);
    return [calls.length, calls.find(({ answeredAt }) => answeredAt === null)?.message ?? null, acknowledged.length];
  };
  return { shows: [0, null, 0], read, steps };
}

/** A hand-over of all machines for each of the past days: it is written, changed and acknowledged. */
export function handOverLine(client: Client): Work {
  const path = "/v1/hand-overs";
  const said = (other: string) => ({ safety: null, quality: null, people: null, other });
  let companyId: number | null = null;
  async function* steps(): Steps {
    ({ id: companyId } = await client.do("POST", "/v1/companies", { name: "Shifts", timezone: "UTC" }));
    const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    const shift = await client.do("POST", "/v1/shifts", { companyId, name: "Day", start: "08:00", end: "16:00", days });
    const commissionedAt = iso(Date.now() - 90 * DAY);
    const machine = {
      companyId,
      name: "Press",
      ref: "PRESS",
      nodeId: 3,
      commissionedAt,
      signal: "states",
      noDataAfterSeconds: null,
    };
    const { id: machineId } = await client.do("POST", "/v1/machines", machine);
    const runs = { type: "state", at: commissionedAt, machineId, state: "running" };
    await client.do("POST", "/v1/ingest", { companyId, events: [runs] });
    // A shift can be handed over once its record is there: the newest one is the last.
    const from = iso(Date.now() - 2 * DAY);
    while ((await client.list(`/v1/shift-records?companyId=${companyId}&from=${from}`)).length === 0) {
      await new Promise((done) => setTimeout(done, 200));
    }
    for (let n = 2; ; n++) {
      const date = iso(Date.now() - n * DAY).slice(0, 10);
      const create = { operation: "createHandOver", method: "POST", path, isKeyed: true } as const;
      const { id } = yield { ...create, body: { shiftId: shift.id, date, notes: said("a") }, shows: [n - 1, "a", false] };
      const change = { operation: "changeHandOver", method: "PATCH", path: `${path}/${id}`, isKeyed: true } as const;
      yield { ...change, body: { notes: said("b") }, shows: [n - 1, "b", false] };
      const acknowledge = { operation: "acknowledgeHandOver", method: "POST", path: `${path}/${id}/acknowledge` } as const;
      yield { ...acknowledge, isKeyed: true, shows: [n - 1, "b", true] };
    }
  }
  const read = async () => {
    const all = companyId === null ? [] : await client.list(`${path}?companyId=${companyId}`);
    const oldest = all.at(-1);
    return oldest ? [all.length, oldest.notes.other, oldest.acknowledgedAt !== null] : [0];
  };
  return { shows: [0], read, steps };
}

/** How many counts a line of held counts sends at once; even. */
const HELD_AT_ONCE = 200;

/** Counts that are held, accepted and dropped in turn, on a machine that has nothing else: the audit shows how often. */
export function heldLine(client: Client, machineId: number, companyId: number, nodeId: number): Work {
  /** Sends counts that the machine cannot have made, and returns their entry and ids once the database has them. */
  async function holdMany(batch: number): Promise<{ entry: number; ids: number[] }> {
    const first = Math.floor(Date.now() / DAY - 1) * DAY + batch * HOUR;
    const events = Array.from({ length: HELD_AT_ONCE }, (_, i) => {
      return { type: "count", at: iso(first + i * 1000), nodeId, channel: 1, value: 2_000_000 };
    });
    await client.do("POST", "/v1/ingest", { companyId, events });
    while (true) {
      const [entry] = await client.list(`/v1/held-events?companyId=${companyId}`);
      if (entry?.count === HELD_AT_ONCE) {
        const held = await client.list(`/v1/held-events/${entry.id}/events`);
        return { entry: entry.id, ids: held.map(({ id }) => id) };
      }
      await new Promise((done) => setTimeout(done, 200));
    }
  }
  async function* steps(): Steps {
    const configs = [{ type: "total", countingFactor: 1, channel: 1, nodeId }];
    await client.do("PUT", `/v1/machines/${machineId}/count-sensor`, { isCountEnabled: true, configs });
    const write = { method: "POST", isKeyed: true } as const;
    for (let n = 1, batch = 0; ; batch++) {
      // The database has them after up to ten seconds, so one at a time would be slow.
      const { entry, ids } = await holdMany(batch);
      for (let i = 0; i < ids.length; i += 2, n++) {
        const of = (index: number) => ({ ...write, body: { ids: [ids[index]] } });
        yield { ...of(i), operation: "acceptHeldEvents", path: `/v1/held-events/${entry}/accept`, shows: [n, n - 1] };
        yield { ...of(i + 1), operation: "dropHeldEvents", path: `/v1/held-events/${entry}/drop`, shows: [n, n] };
      }
    }
  }
  const read = async () => {
    const actions = ["held-events.accept", "held-events.drop"];
    const entries = actions.map((action) => client.list(`/v1/audit?companyId=${companyId}&action=${action}`));
    return (await Promise.all(entries)).map(({ length }) => length);
  };
  return { shows: [0, 0], read, steps };
}
