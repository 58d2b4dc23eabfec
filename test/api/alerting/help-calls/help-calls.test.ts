import { describe, expect, it } from "vitest";
import { call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createMachine, createUser } from "../../../support/factories.ts";
import { overtakenBy } from "../../../support/overtaken.ts";
import { createRunningLine } from "../../../support/running-line.ts";

/** A machine, the people who work at it, and those who can help. */
async function createFloor() {
  const { companyId, machine } = await createRunningLine();
  const [worker, helper] = [await createUser(companyId, "user"), await createUser(companyId, "user")];
  const callAt = (machineId: number, body: object = {}, headers: Record<string, string> = {}) =>
    call("POST", `/v1/machines/${machineId}/help-calls`, { token: worker.token, body, headers });
  const answer = (id: number, token = helper.token) => call("POST", `/v1/help-calls/${id}/answer`, { token });
  const list = async (query = "") => (await call("GET", `/v1/help-calls?${query}`, { token: helper.token })).body.data;
  const shown = async () => {
    const { data } = (await call("GET", "/v1/state", { token: helper.token })).body;
    return data.find((row: { machine: { id: number } }) => row.machine.id === machine.id).helpCall;
  };
  return { companyId, machine, worker, helper, callAt, answer, list, shown };
}

describe("a call for help", () => {
  it("is shown with the machine until someone answers", async () => {
    const { machine, worker, helper, callAt, answer, list, shown } = await createFloor();
    expect(await shown()).toBeNull();
    const before = Date.now();
    const made = await callAt(machine.id, { message: "Mould leaks" });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const { id, calledAt } = made.body;
    const by = ({ userId, name }: { userId: number; name: string }) => ({ id: userId, name });
    expect(made.body).toEqual({
      ...{ id, calledAt, message: "Mould leaks", machine: { id: machine.id, name: machine.name } },
      ...{ calledBy: by(worker), answeredAt: null, answeredBy: null },
    });
    expect(Date.parse(calledAt)).toBeGreaterThanOrEqual(before);
    expect(made.headers.get("location")).toBe(`/v1/help-calls/${id}`);
    expect((await call("GET", `/v1/help-calls/${id}`, { token: helper.token })).body).toEqual(made.body);
    expect(await shown()).toEqual({ id, since: calledAt, message: "Mould leaks", calledBy: by(worker) });
    expect(await list("isOpen=true")).toEqual([made.body]);

    const answered = await answer(id);
    expect(answered.status).toBe(200);
    const { answeredAt } = answered.body;
    expect(answered.body).toEqual({ ...made.body, answeredAt, answeredBy: by(helper) });
    expect(await shown()).toBeNull();
    expect([await list("isOpen=true"), await list("isOpen=false")]).toEqual([[], [answered.body]]);
  });

  it("is the only open one of its machine: a second call is refused and names it", async () => {
    const { companyId, machine, callAt, answer, list } = await createFloor();
    const first = (await callAt(machine.id)).body;
    const again = await callAt(machine.id, { message: "Hurry" });
    expectProblem(again, 409);
    expect(again.body.detail).toContain(`help call ${first.id}`);
    expect(await list()).toEqual([first]);
    const other = await createMachine(companyId);
    expect((await callAt(other.id)).status).toBe(201);
    await answer(first.id);
    expect((await callAt(machine.id)).status).toBe(201);
    expect(await list(`machineIds=${machine.id}`)).toHaveLength(2);
  });

  it("is created once by five calls at the same time", async () => {
    const { machine, callAt, list } = await createFloor();
    const statuses = (await Promise.all(Array.from({ length: 5 }, () => callAt(machine.id)))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409, 409, 409, 409]);
    expect(await list()).toHaveLength(1);
  });

  it("is refused like a later one if another one is stored first", async () => {
    const { machine, worker, callAt, list } = await createFloor();
    const via = overtakenBy(() => callAt(machine.id, { message: "First" }));
    const path = `/v1/machines/${machine.id}/help-calls`;
    expectProblem(await call("POST", path, { token: worker.token, body: { message: "Second" }, via }), 409);
    expect(await list()).toMatchObject([{ message: "First" }]);
  });

  it("is created once by a request that is repeated with its key, also after it was answered", async () => {
    const { machine, callAt, answer, list } = await createFloor();
    const key = { "idempotency-key": crypto.randomUUID() };
    const first = await callAt(machine.id, {}, key);
    await answer(first.body.id);
    const again = await callAt(machine.id, {}, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await list()).toHaveLength(1);
  });

  it("keeps the first person who answered", async () => {
    const { machine, worker, callAt, answer } = await createFloor();
    const { id } = (await callAt(machine.id)).body;
    const first = await answer(id);
    expect((await answer(id, worker.token)).body).toEqual(first.body);
  });

  it("is selected by its time", async () => {
    const { machine, callAt, list } = await createFloor();
    const { calledAt } = (await callAt(machine.id)).body;
    const later = new Date(Date.parse(calledAt) + 1).toISOString();
    expect(await list(`from=${calledAt}&to=${later}`)).toHaveLength(1);
    expect(await list(`from=${later}`)).toEqual([]);
    expect(await list(`to=${calledAt}`)).toEqual([]);
  });

  it("needs an existing machine, and refuses an empty or too long message", async () => {
    const { machine, callAt, answer, list } = await createFloor();
    expectProblem(await callAt(machine.id, { message: "" }), 400, "/message");
    expectProblem(await callAt(machine.id, { message: "x".repeat(501) }), 400, "/message");
    expectProblem(await callAt(2 ** 40), 404);
    expectProblem(await answer(2 ** 40), 404);
    expect(await list()).toEqual([]);
  });
});
