import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bounds } from "../../../../src/api/ingest/imports/file-lines.ts";
import { runImport } from "../../../../src/api/ingest/imports/run-import.ts";
import { HOUR_MS } from "../../../../src/oee/time.ts";
import { call } from "../../../support/call.ts";
import { createChannels, createMachine, createUser } from "../../../support/factories.ts";
import { machineObject } from "../../../support/machine-object.ts";
import { createLine, flushMachine, recordsOf } from "../../../support/machines.ts";
import { changed, serviceWith } from "../../../support/service.ts";

// What becomes of an import whose runs die. Its runs are done here, and not by the queue.

const usual = { ...bounds };
beforeEach(() => void Object.assign(bounds, { pieceLines: 40 }));
afterEach(() => void Object.assign(bounds, usual));

const noQueue = { JOBS: changed(env.JOBS, { sendBatch: async () => undefined }) };
/** Ten days ago. */
const start = Math.floor(Date.now() / HOUR_MS - 240) * HOUR_MS;

async function createPlant() {
  const line = await createLine();
  const other = await createMachine(line.companyId);
  await createChannels(other, [{ channel: 1, type: "total" }]);
  const { token } = await createUser(line.companyId, "admin");
  return { companyId: line.companyId, machines: [line.machine, other], token };
}

/** Hourly counts of both machines, over eight days, and a bad line now and then. */
function fileOf({ machines }: Awaited<ReturnType<typeof createPlant>>) {
  const lines = Array.from({ length: 200 }, (_, i) => {
    if (i % 50 === 49) return "bad";
    const { nodeId } = machines[i % 2] as { nodeId: number };
    return JSON.stringify({ type: "count", at: new Date(start + i * HOUR_MS).toISOString(), nodeId, channel: 1, value: 3 });
  });
  return { text: `${lines.join("\n")}\n`, accepted: 196, failed: 4, units: 588 };
}

async function upload(token: string, text: string): Promise<number> {
  const { status, body } = await call("POST", "/v1/imports", {
    ...{ token, body: text, headers: { "content-type": "application/x-ndjson" } },
    via: serviceWith(noQueue),
  });
  expect(status).toBe(201);
  return body.id;
}

const read = async (token: string, id: number) => (await call("GET", `/v1/imports/${id}`, { token })).body;

/**
 * Bindings with which the n-th call to storage dies, and all after it: calls of machines, batches of the database, and reads of the bucket. `isDone`:
 * it is done before.
 */
function dyingAt(n: number, isDone: boolean) {
  let calls = 0;
  const at = async <T>(work: () => Promise<T>): Promise<T> => {
    calls++;
    if (calls > n || (calls === n && !isDone)) throw new Error("killed");
    const result = await work();
    if (calls === n) throw new Error("killed");
    return result;
  };
  const stub = (object: object) =>
    new Proxy(object, {
      get: (target, name) => {
        const member = Reflect.get(target, name) as (...sent: unknown[]) => Promise<unknown>;
        return typeof member === "function"
          ? (...sent: unknown[]) => at(async () => await Reflect.apply(member, target, sent))
          : member;
      },
    });
  const session = (first: string) => {
    const real = env.DB_0.withSession(first);
    return changed(real, { batch: (statements: D1PreparedStatement[]) => at(() => real.batch(statements)) });
  };
  return {
    ...noQueue,
    ARCHIVE: changed(env.ARCHIVE, { get: (...sent: [string, R2GetOptions]) => at(() => env.ARCHIVE.get(...sent)) }),
    DB_0: changed(env.DB_0, { withSession: session }),
    MACHINES: changed(env.MACHINES, { getByName: (name: string) => stub(env.MACHINES.getByName(name)) }),
    get calls() {
      return calls;
    },
  };
}

async function unitsOf(machineIds: number[]) {
  let units = 0;
  for (const id of machineIds) {
    await flushMachine(id);
    for (const { totalUnits } of await recordsOf(id)) units += totalUnits;
  }
  return units;
}

describe("an import whose runs die", () => {
  it.each([true, false])("at any call takes each line once, and counts it once (done: %s)", async (isDone) => {
    const plant = await createPlant();
    const { text, units, ...counts } = fileOf(plant);
    const id = await upload(plant.token, text);
    let died = 0;
    // Each run gets one call further than the one before, until one comes to the end.
    for (let n = 1; (await read(plant.token, id)).state !== "done"; n = (n % 7) + 1) {
      const dying = dyingAt(n, isDone);
      await runImport({ ...env, ...dying } as Env, plant.companyId).catch(() => (died += 1));
      expect(died).toBeLessThan(500);
    }
    expect(died).toBeGreaterThan(8);
    expect(await read(plant.token, id)).toMatchObject({ ...counts, duplicates: 0 });
    const errors = (await call("GET", `/v1/imports/${id}/errors`, { token: plant.token })).body.data;
    expect(errors.map(({ line }: { line: number }) => line)).toEqual([50, 100, 150, 200]);
    expect(await unitsOf(plant.machines.map((one) => one.id))).toBe(units);
  });

  it("and is undone meanwhile ends undone, with nothing of it left in the numbers", async () => {
    const plant = await createPlant();
    const { text } = fileOf(plant);
    const id = await upload(plant.token, text);
    await runImport({ ...env, ...dyingAt(12, true) } as Env, plant.companyId).catch(() => undefined);
    expect((await read(plant.token, id)).accepted).toBeGreaterThan(0);
    const { body } = await call("POST", `/v1/imports/${id}/undo`, { token: plant.token, via: serviceWith(noQueue) });
    expect(body.state).toBe("undoing");
    for (let n = 1; (await read(plant.token, id)).state !== "undone"; n++)
      await runImport({ ...env, ...dyingAt(n, true) } as Env, plant.companyId).catch(() => undefined);
    expect(await unitsOf(plant.machines.map((one) => one.id))).toBe(0);
  });
});

describe("a piece of an import", () => {
  it("has the same results when it is sent twice at once, and none once a later one was taken", async () => {
    const { machines } = await createPlant();
    const [machine] = machines as [(typeof machines)[0]];
    const events = Array.from({ length: 200 }, (_, i) => {
      return { id: `${i % 150}`, at: start + (i % 150) * HOUR_MS, nodeId: machine.nodeId, channel: 1, value: 1 };
    });
    const object = machineObject(env, machine.id);
    const piece = { importId: 1, receivedAt: Date.now(), offset: 100, events };
    const [one, other] = await Promise.all([object.addHistory(piece, 1), object.addHistory(piece, 1)]);
    expect(one).toEqual(other);
    if (!one || one === "over") throw new Error("it was not taken");
    expect([1, 2].map((result) => one.results.filter((each) => each === result).length)).toEqual([150, 50]);
    expect(await object.addHistory({ ...piece, offset: 200, events: [] }, 1)).toMatchObject({ refusals: [] });
    expect(await object.addHistory(piece, 1)).toBe("over");
  });

  it("of an import that was withdrawn is not taken any more", async () => {
    const { machines } = await createPlant();
    const object = machineObject(env, machines[0]?.id ?? 0);
    await object.withdrawHistory(7);
    expect(await object.addHistory({ importId: 7, receivedAt: 1, offset: 0, events: [] }, 1)).toBe("over");
  });
});

describe("a file that is no such file", () => {
  it("ends as failed, with the reason", async () => {
    Object.assign(bounds, { pieceBytes: 1000 });
    const { token, companyId } = await createPlant();
    const id = await upload(token, `${"x".repeat(100)}\n${"x".repeat(2000)}`);
    await runImport({ ...env, ...noQueue } as Env, companyId);
    expect(await read(token, id)).toMatchObject({
      state: "failed",
      failed: 1,
      reason: expect.stringMatching(/^Line 2 has more than/),
    });
  });
});
