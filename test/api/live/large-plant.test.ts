import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { MachineState } from "../../../src/machine/machine-object.ts";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createCompany, createLine, createMachine, createUser } from "../../support/factories.ts";
import { watch } from "../../support/live.ts";

// A company that has more machines than a watcher may see.

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const addMachines = (companyId: number, count: number) =>
  env.DB_0.prepare(
    `insert into machines (company_id, name, ref, node_id, signal, commissioned_at, created_at, updated_at)
     select ?, 'Machine', 'M-' || key, 7, 'counts', 0, 0, 0 from json_each(?)`,
  )
    .bind(companyId, JSON.stringify(Array(count).fill(0)))
    .run();

/** A company with machines that are not in a line, and two in a line. */
async function largePlant(others: number) {
  const { companyId } = await createCompany();
  const { lineId, name } = await createLine(companyId);
  const own = [await createMachine(companyId, { lineId }), await createMachine(companyId, { lineId })].map(({ id }) => id);
  if (others > 0) await addMachines(companyId, others);
  const { token } = await createUser(companyId, "admin");
  return { companyId, lineId, name, own, token };
}

it("is refused as a whole, with the lines to choose from, and nobody is asked for it", async () => {
  const { lineId, name, token } = await largePlant(999);
  const asked = vi.spyOn(MachineState.prototype, "watch");
  for (const path of ["/v1/live", "/v1/state"]) {
    const answer = await call("GET", path, { token });
    expectProblem(answer, 400);
    const message = `more than 1000 machines: select machines, or some of the lines: ${lineId} (${name})`;
    expect(answer.body.errors).toEqual([{ pointer: "/query/lineIds", code: "too_many", message }]);
  }
  const socket = await watch(token);
  expect(socket.closed).toMatchObject({ code: 4400, reason: expect.stringContaining("more than 1000 machines") });
  expect(asked).not.toHaveBeenCalled();
});

it("can be watched line by line, and its hub holds no other machines", async () => {
  const { lineId, own, token } = await largePlant(999);
  const asked = vi.spyOn(MachineState.prototype, "watch");
  const client = await watch(token, `lineIds=${lineId}`);
  expect([...client.rows.keys()].sort()).toEqual(own.sort());
  const [first, second] = own;
  const other = await watch(token, `machineIds=${first}`);
  expect([...other.rows.keys()]).toEqual([first]);
  const polled = await call("GET", `/v1/live?lineIds=${lineId}`, { token });
  expect(polled.body.rows).toHaveLength(2);
  expect(asked).toHaveBeenCalledTimes(2);
  expect((await call("PATCH", `/v1/machines/${second}`, { token, body: { name: "Renamed" } })).status).toBe(200);
  await client.row(second as number, { machine: { name: "Renamed" } });
  client.leave();
  other.leave();
});

it("can be watched again after nobody watched it for a while", async () => {
  const { companyId, lineId, own, token } = await largePlant(999);
  const other = await createMachine(companyId);
  const client = await watch(token, `machineIds=${other.id}`);
  const poll = async () => (await call("GET", `/v1/live?lineIds=${lineId}`, { token })).body.rows;
  expect(await poll()).toHaveLength(2);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 70_000 });
  const asked = vi.spyOn(MachineState.prototype, "watch");
  expect((await call("PATCH", `/v1/machines/${other.id}`, { token, body: { name: "Renamed" } })).status).toBe(200);
  await client.row(other.id, { machine: { name: "Renamed" } });
  const rows = (await poll()) as { machine: { id: number }; isReachable: boolean }[];
  expect(rows.map(({ machine }) => machine.id).sort()).toEqual(own);
  expect(rows.every(({ isReachable }) => isReachable)).toBe(true);
  expect(asked).toHaveBeenCalledTimes(2);
  client.leave();
});

it("ends the connections of those who watched all machines when there become too many", async () => {
  const { companyId, lineId, own, token } = await largePlant(0);
  const [all, line] = [await watch(token), await watch(token, `lineIds=${lineId}`)];
  expect(all.rows.size).toBe(2);
  await addMachines(companyId, 999);
  expect((await call("PATCH", `/v1/machines/${own[0]}`, { token, body: { name: "Renamed" } })).status).toBe(200);
  await all.until(({ closed }) => closed !== null);
  expect(all.closed).toMatchObject({ code: 4413 });
  await line.row(own[0] as number, { machine: { name: "Renamed" } });
  expect(line.closed).toBeNull();
  line.leave();
});
