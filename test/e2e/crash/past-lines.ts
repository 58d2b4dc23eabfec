import { expect } from "vitest";
import { type Answer, type Client, type Steps, sorted, type Work } from "./line.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SHIFT_MS = 8 * HOUR;
const iso = (at: number) => new Date(at).toISOString();

/** The most events that are sent at once. */
const BATCH = 1000;

/** A machine in a company of its own, with nothing but what its line does. */
export interface Past {
  companyId: number;
  machineId: number;
  operatorId: number;
  nodeId: number;
  /** The starts of two shifts of eight hours: three days ago, whose numbers follow later, and yesterday, whose numbers change at once. */
  shifts: readonly [number, number];
}

/** Sends counts of a unit each at regular times of shifts, and returns how many. */
export async function count(client: Client, { companyId, machineId, nodeId }: Past, shifts: readonly number[], everyMs: number) {
  const configs = [{ type: "total", countingFactor: 1, channel: 1, nodeId }];
  await client.do("PUT", `/v1/machines/${machineId}/count-sensor`, { isCountEnabled: true, configs });
  const times = shifts.flatMap((start) => Array.from({ length: SHIFT_MS / everyMs }, (_, i) => start + i * everyMs));
  await send(client, companyId, nodeId, times);
  return times.length;
}

async function send(client: Client, companyId: number, nodeId: number, times: readonly number[]): Promise<void> {
  for (let i = 0; i < times.length; i += BATCH) {
    const events = times.slice(i, i + BATCH).map((at) => ({ type: "count", at: iso(at), nodeId, channel: 1, value: 1 }));
    expect(await client.do("POST", "/v1/ingest", { companyId, events })).toMatchObject({ accepted: events.length, rejected: [] });
  }
}

/** The units that reports have of shifts, by a member of the summary's rows. */
export async function unitsBy(client: Client, { companyId }: Past, group: string, shifts: readonly number[]) {
  const range = `from=${iso(shifts[0] as number)}&to=${iso((shifts.at(-1) as number) + SHIFT_MS)}`;
  const { data } = await client.do("GET", `/v1/summary?companyId=${companyId}&groupBy=${group}&${range}`);
  return Object.fromEntries(data.map((row: Answer) => [row[group]?.id ?? "none", row.total])) as Record<string, number>;
}

/** The database gets all rows of a machine at once after an edit: here, that nobody was there. */
async function sendRows(client: Client, { machineId, shifts: [from] }: Past): Promise<void> {
  const body = { from: iso(from), to: iso(from + MINUTE), presences: [], reason: "Nobody was there" };
  await client.do("PUT", `/v1/machines/${machineId}/presences`, body);
}

/** What was made and who was there, said afterwards of an hour of each shift in turn, and undone. */
export function amendmentLine(client: Client, on: Past): Work {
  const path = `/v1/machines/${on.machineId}`;
  const [first, last] = on.shifts;
  const perShift = 48;
  /** Of a hour's six units, and of a shift's. */
  const expectUnits = async ([runs, presences]: readonly string[][], shifts: readonly number[]) => {
    const all = perShift * shifts.length;
    expect(await unitsBy(client, on, "sku", shifts)).toEqual(runs?.length ? { A: all - 6, B: 6 } : { A: all });
    const credited = (await unitsBy(client, on, "operator", shifts))[on.operatorId] ?? 0;
    expect(credited).toBe(presences?.length ? 6 : 0);
  };
  async function* steps(): Steps {
    for (const id of ["A", "B"]) await client.do("POST", "/v1/skus", { companyId: on.companyId, id, name: id });
    const made = { type: "sku", at: iso(first), machineId: on.machineId, skuId: "A" };
    await client.do("POST", "/v1/ingest", { companyId: on.companyId, events: [made] });
    await count(client, on, on.shifts, SHIFT_MS / perShift);
    for (let n = 0; ; n++) {
      const shift = n % 2 === 0 ? last : first;
      const isAtOnce = shift === last;
      const times = { from: iso(shift + HOUR), to: iso(shift + 2 * HOUR) };
      const [ofRuns, ofPresences] = [[`Runs ${n}`], [`Presences ${n}`]];
      const runs = { ...times, runs: [{ startTime: times.from, skuId: "B" }], reason: ofRuns[0] };
      const put = { method: "PUT", isKeyed: true } as const;
      yield { ...put, operation: "amendRuns", path: `${path}/runs`, body: runs, shows: [ofRuns, []] };
      const presence = { operatorId: on.operatorId, startTime: times.from, endTime: times.to };
      const presences = { ...times, presences: [presence], reason: ofPresences[0] };
      const shows = [ofRuns, ofPresences];
      yield { ...put, operation: "amendPresences", path: `${path}/presences`, body: presences, shows };
      if (isAtOnce) await expectUnits(shows, [last]);
      const [run, present] = (await past()).map(({ amendments: [one] }: Answer) => one.id);
      const undo = { method: "DELETE", isKeyed: true } as const;
      yield { ...undo, operation: "undoRunAmendment", path: `${path}/runs/${run}`, shows: [[], ofPresences] };
      yield { ...undo, operation: "undoPresenceAmendment", path: `${path}/presences/${present}`, shows: [[], []] };
      if (isAtOnce) await expectUnits([[], []], [last]);
    }
  }
  const past = (): Promise<Answer[]> => {
    const range = `from=${iso(first)}&to=${iso(last + SHIFT_MS)}`;
    return Promise.all(["runs", "presences"].map((kind) => client.do("GET", `${path}/${kind}?${range}`)));
  };
  const read = async () => (await past()).map(({ amendments }) => amendments.map(({ reason }: Answer) => reason));
  const settled = (shows: unknown) => expectUnits(shows as string[][], on.shifts);
  return { shows: [[], []], read, steps, settled };
}

/** Withdrawals of an hour's events of each shift in turn, each restored. */
export function withdrawalLine(client: Client, on: Past): Work {
  const path = "/v1/event-withdrawals";
  const [first, last] = on.shifts;
  const perShift = 48;
  const unitsOf = async (shifts: readonly number[]) => (await unitsBy(client, on, "machine", shifts))[on.machineId];
  async function* steps(): Steps {
    await count(client, on, on.shifts, SHIFT_MS / perShift);
    let before: object[] = [];
    for (let n = 0; ; n++) {
      const shift = n % 2 === 0 ? last : first;
      const isAtOnce = shift === last;
      const made = { reason: `Sensor test ${n}`, events: 6, isRestored: false };
      const body = { machineId: on.machineId, from: iso(shift + HOUR), to: iso(shift + 2 * HOUR), reason: made.reason };
      const create = { operation: "createEventWithdrawal", method: "POST", path, body, isKeyed: true } as const;
      const { id } = yield { ...create, shows: sorted([...before, made]) };
      if (isAtOnce) expect(await unitsOf([last])).toBe(perShift - made.events);
      before = sorted([...before, { ...made, isRestored: true }]);
      yield { operation: "restoreEvents", method: "DELETE", path: `${path}/${id}`, isKeyed: true, shows: before };
      if (isAtOnce) expect(await unitsOf([last])).toBe(perShift);
    }
  }
  const read = async () => {
    const listed = await client.list(`${path}?companyId=${on.companyId}&includeRestored=true`);
    return sorted(listed.map(({ reason, events, restoredAt }) => ({ reason, events, isRestored: restoredAt !== null })));
  };
  const settled = async (shows: unknown) => {
    const holding = (shows as { events: number; isRestored: boolean }[]).filter(({ isRestored }) => !isRestored);
    expect(await unitsOf(on.shifts)).toBe(2 * perShift - holding.reduce((sum, { events }) => sum + events, 0));
  };
  return { shows: [], read, steps, settled };
}

/** How often a machine with stops counts; it stops after half of that. */
const STOP_EVERY_MS = MINUTE;

/** What was said of yesterday's stops that late counts then removed, put on the last stop and dropped in turn. */
export function orphanLine(client: Client, on: Past): Work {
  const [, from] = on.shifts;
  const path = "/v1/orphaned-edits";
  const stops = (query: string): Promise<Answer[]> => client.list(`/v1/stops?machineIds=${on.machineId}&${query}`);
  /** Half an hour at the end, in which it never counts. */
  const lastStop = `from=${iso(from + SHIFT_MS - 35 * MINUTE)}&to=${iso(from + SHIFT_MS)}`;
  const listed = () => client.list(`${path}?companyId=${on.companyId}`);
  const orphan = async (): Promise<Answer[]> => {
    const change = { stopAfterSeconds: STOP_EVERY_MS / 2000, noDataAfterSeconds: null };
    await client.do("PATCH", `/v1/machines/${on.machineId}`, change);
    const times = Array.from({ length: (SHIFT_MS - HOUR / 2) / STOP_EVERY_MS }, (_, i) => from + i * STOP_EVERY_MS);
    const configs = [{ type: "total", countingFactor: 1, channel: 1, nodeId: on.nodeId }];
    await client.do("PUT", `/v1/machines/${on.machineId}/count-sensor`, { isCountEnabled: true, configs });
    await send(client, on.companyId, on.nodeId, times);
    await sendRows(client, on);
    for (let hour = 0; hour < 7; hour++) {
      const filter = { machineIds: [on.machineId], from: iso(from + hour * HOUR), to: iso(from + (hour + 1) * HOUR) };
      const body = { companyId: on.companyId, filter, description: `Said in hour ${hour}` };
      expect(await client.do("POST", "/v1/stops/classify", body)).toMatchObject({ state: "done" });
    }
    await send(
      client,
      on.companyId,
      on.nodeId,
      times.map((at) => at + STOP_EVERY_MS / 2),
    );
    await sendRows(client, on);
    // Those of each hour in turn, so that each puts something else on the stop.
    return (await listed()).sort((a, b) => (a.startTime.slice(14) < b.startTime.slice(14) ? -1 : 1));
  };
  async function* steps(): Steps {
    const orphans = await orphan();
    const [{ id: stopId }] = await stops(lastStop);
    for (let left = orphans.length, i = 0; ; ) {
      const [one, other] = [orphans[i++], orphans[i++]];
      if (!one || !other) throw new Error("there are too few orphaned edits");
      const keyed = { isKeyed: true } as const;
      const attach = { operation: "attachOrphanedEdit", method: "POST", path: `${path}/${one.id}/attach`, body: { stopId } };
      yield { ...keyed, ...attach, shows: [--left, one.said.description] };
      const drop = { operation: "dropOrphanedEdit", method: "DELETE", path: `${path}/${other.id}` };
      yield { ...keyed, ...drop, shows: [--left, one.said.description] };
    }
  }
  const read = async () => {
    const [stop] = await stops(lastStop);
    return [(await listed()).length, stop?.classification?.description ?? null];
  };
  return { shows: [0, null], read, steps };
}

/** Bulk classifications, by the request and now and then by a job, each undone. */
export function bulkLine(client: Client, on: Past): Work {
  const [, last] = on.shifts;
  const path = "/v1/stop-classifications";
  const perShift = 288;
  const listed = () => client.list(`${path}?companyId=${on.companyId}`);
  /** Once it has done all of it. */
  const ended = async (id: string, state: string): Promise<Answer> => {
    const isEnded = { timeout: 20_000, interval: 100, message: `${id} is ${state}` };
    await expect.poll(async () => (await client.do("GET", `${path}/${id}`)).state, isEnded).toBe(state);
    return await client.do("GET", `${path}/${id}`);
  };
  const to = iso(last + SHIFT_MS);
  const found = async (query: string) => {
    const { data, total } = await client.do("GET", `/v1/stops?machineIds=${on.machineId}&to=${to}&total=true&limit=1${query}`);
    return [total, data[0]?.classification?.description ?? null] as const;
  };
  async function* steps(): Steps {
    await client.do("PATCH", `/v1/machines/${on.machineId}`, { stopAfterSeconds: 60, noDataAfterSeconds: null });
    await count(client, on, on.shifts, SHIFT_MS / perShift);
    await sendRows(client, on);
    // More than a request classifies.
    const [ofAll] = await found("");
    expect(ofAll).toBeGreaterThan(500);
    let before: object[] = [];
    for (let n = 0; ; n++) {
      const isOfHour = n % 4 !== 1;
      const [all, description] = [isOfHour ? perShift / 8 : ofAll, `Said ${n}`];
      const hour = { from: iso(last), to: iso(last + HOUR) };
      const filter = { machineIds: [on.machineId], ...(isOfHour ? hour : { to }) };
      const classify = { operation: "classifyStops", method: "POST", path: "/v1/stops/classify" };
      const body = { companyId: on.companyId, filter, description };
      const { id } = yield { ...classify, body, isKeyed: true, shows: sorted([...before, { description, isUndone: false }]) };
      expect(await ended(id, "done")).toMatchObject({ total: all, classified: all, unchanged: 0 });
      expect(await found("&isClassified=true")).toEqual([all, description]);
      before = sorted([...before, { description, isUndone: true }]);
      const undo = { operation: "undoStopClassification", method: "POST", path: `${path}/${id}/undo` };
      yield { ...undo, isKeyed: true, shows: before };
      expect(await ended(id, "undone")).toMatchObject({ undone: all, kept: 0 });
      expect(await found("&isClassified=true")).toEqual([0, null]);
    }
  }
  const read = async () =>
    sorted((await listed()).map(({ description, undoneAt }) => ({ description, isUndone: undoneAt !== null })));
  return { shows: [], read, steps };
}
