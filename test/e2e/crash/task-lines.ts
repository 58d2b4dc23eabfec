import { createHash } from "node:crypto";
import { expect } from "vitest";
import { type Answer, type Client, type Steps, sorted, type Work } from "./line.ts";
import { count, type Past, unitsBy } from "./past-lines.ts";

// What a request only begins: after a kill it goes on by itself.

const MINUTE = 60_000;
const SHIFT_MS = 8 * 60 * MINUTE;
const iso = (at: number) => new Date(at).toISOString();
/** How long a line waits for what goes on by itself. */
const goesOn = { timeout: 30_000, interval: 100 };

/** Recalculations of what is right already. Some are under way at a time. */
export function recalculationLine(client: Client, on: Past): Work {
  const path = "/v1/recalculations";
  const [first, last] = on.shifts;
  const perShift = 480;
  const listed = () => client.list(`${path}?companyId=${on.companyId}`);
  async function* steps(): Steps {
    await count(client, on, on.shifts, SHIFT_MS / perShift);
    let reasons: string[] = [];
    for (let n = 0; ; n++) {
      // A company may have 20.
      const openCount = async () => (await listed()).filter(({ endedAt }) => endedAt === null).length;
      await expect.poll(openCount, goesOn).toBeLessThan(5);
      const about = { companyId: on.companyId, machineIds: [on.machineId], from: iso(first), to: iso(last + SHIFT_MS) };
      reasons = sorted([...reasons, `Doubt ${n}`]);
      const body = { ...about, reason: `Doubt ${n}` };
      yield { operation: "createRecalculation", method: "POST", path, body, isKeyed: true, shows: reasons };
    }
  }
  const read = async () => sorted((await listed()).map(({ reason }) => reason));
  const settled = async () => {
    for (const one of await listed()) {
      expect(one).toMatchObject({ endedAt: expect.any(String), endedCount: 1, failedCount: 0 });
    }
    expect(await unitsBy(client, on, "machine", on.shifts)).toEqual({ [on.machineId]: 2 * perShift });
  };
  return { shows: [], read, steps, settled };
}

/** Imports of a file with other counts each. Every second one is taken back, whatever has come of it by then. */
export function importLine(client: Client, on: Past): Work {
  const path = `/v1/imports?companyId=${on.companyId}`;
  const [first] = on.shifts;
  const lines = 400;
  /** The file with an SHA-256, which is all that the service says of it. */
  const names = new Map<string, string>();
  // One that did not arrive whole is deleted later.
  const arrived = async () => (await client.list(path)).filter(({ state }) => state !== "receiving");
  const named = async () => Map.groupBy(await arrived(), ({ sha256 }) => names.get(sha256));
  async function* steps(): Steps {
    await count(client, on, [], MINUTE);
    let before: object[] = [];
    for (let n = 0; ; n++) {
      const name = `File ${n}`;
      const counts = Array.from({ length: lines }, (_, i) => {
        const at = iso(first + i * MINUTE + n);
        return JSON.stringify({ type: "count", at, nodeId: on.nodeId, channel: 1, value: 1 });
      });
      const body = `${counts.join("\n")}\n`;
      names.set(createHash("sha256").update(body).digest("hex"), name);
      const headers = { "content-type": "application/x-ndjson" };
      const shows = sorted([...before, { name, isUndone: false }]);
      yield { operation: "createImport", method: "POST", path, headers, body, shows };
      // One that was sent again may be there twice.
      const ids = n % 2 === 0 ? [] : ((await named()).get(name) ?? []).map(({ id }) => id);
      before = sorted([...before, { name, isUndone: ids.length > 0 }]);
      for (const [i, id] of ids.entries()) {
        const undo = { operation: "undoImport", method: "POST", path: `/v1/imports/${id}/undo`, isKeyed: true } as const;
        yield { ...undo, shows: i === ids.length - 1 ? before : shows };
      }
    }
  }
  const read = async () =>
    sorted([...(await named())].map(([name, all]) => ({ name, isUndone: all.every(({ state }) => /^und/.test(state)) })));
  const settled = async () => {
    const files = [...(await named()).values()];
    for (const all of files.flat()) expect(["done", "undone"]).toContain(all.state);
    const kept = files.filter((all) => all.every(({ state }) => state === "done"));
    const sum = (all: Answer[], member: string) => all.reduce((total, one) => total + one[member], 0);
    // Each line was accepted once, however often its file was sent.
    for (const all of kept) expect([sum(all, "accepted"), sum(all, "duplicates")]).toEqual([lines, lines * (all.length - 1)]);
    expect(await unitsBy(client, on, "machine", on.shifts)).toEqual({ [on.machineId]: lines * kept.length });
  };
  return { shows: [], read, steps, settled };
}

/** Machines beside the one that counts: with that alone, a closing is over too soon for a kill in the middle of it, and many rounds wait for one. */
const MORE_MACHINES = 8;

/** Closings of the books, each reopened. */
export function booksLine(client: Client, on: Past): Work {
  const path = "/v1/books/closings";
  const [first] = on.shifts;
  const perShift = 480;
  const whole = (id: number): Promise<Answer> => client.do("GET", `${path}/${id}`);
  const ofMachine = ({ machines }: Answer): Answer => machines.find((one: Answer) => one.machine.id === on.machineId);
  /** Once its machines have followed. */
  const followed = async (id: number): Promise<Answer> => {
    await expect.poll(async () => (await whole(id)).machinesLeft, goesOn).toBe(0);
    return await whole(id);
  };
  async function* steps(): Steps {
    await count(client, on, on.shifts, SHIFT_MS / perShift);
    const { companyId, nodeId } = on;
    for (let i = 1; i <= MORE_MACHINES; i++) {
      const more = { companyId, name: `More ${i}`, ref: `MORE-${i}`, nodeId: nodeId + i, commissionedAt: iso(first) };
      await client.do("POST", "/v1/machines", more);
    }
    let before: object[] = [];
    for (let n = 0; ; n++) {
      const [to, reason] = [iso(first + SHIFT_MS + (n % 400) * MINUTE), `Month ${n}`];
      const body = { companyId: on.companyId, to, force: true, reason };
      const close = { operation: "createBookClosing", method: "POST", path, body, isKeyed: true } as const;
      const { id } = yield { ...close, shows: sorted([...before, { reason, to, isReopened: false }]) };
      await expect.poll(async () => (await whole(id)).state, goesOn).toBe("closed");
      const closed = ofMachine(await whole(id));
      expect(closed).toMatchObject({ state: "closed", sums: { total: perShift }, sumsNow: closed.sums });
      before = sorted([...before, { reason, to, isReopened: true }]);
      const reopen = { operation: "reopenBookClosing", method: "POST", path: `${path}/${id}/reopen` };
      yield { ...reopen, body: { reason: "A mistake" }, isKeyed: true, shows: before };
      const open = ofMachine(await followed(id));
      expect(open).toMatchObject({ state: "open", sumsNow: closed.sums });
      // Books are not closed while numbers are recalculated.
      const isRecalculating = async () => (await client.do("GET", `/v1/machines/${on.machineId}`)).isRecalculating;
      await expect.poll(isRecalculating, goesOn).toBe(false);
    }
  }
  const read = async () => {
    const listed = await client.list(`${path}?companyId=${on.companyId}`);
    return sorted(listed.map(({ reason, to, reopenedAt }) => ({ reason, to, isReopened: reopenedAt !== null })));
  };
  const settled = async () => {
    for (const { failure, machinesLeft } of await client.list(`${path}?companyId=${on.companyId}`)) {
      expect([failure, machinesLeft]).toEqual([null, 0]);
    }
  };
  return { shows: [], read, steps, settled };
}
