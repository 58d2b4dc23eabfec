import { expect, it } from "vitest";
import { call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import {
  createCompany,
  createMachine,
  createOperator,
  createShift,
  createStopCause,
  createUser,
} from "../../../support/factories.ts";
import { pairTerminal } from "../../../support/terminals.ts";

/** A company with a terminal at a machine, where a person recorded a stop. */
async function newTerminal() {
  const { companyId } = await createCompany();
  const admin = await createUser(companyId, "admin");
  const machine = await createMachine(companyId, { commissionedAt: Date.now() - 7_200_000, noDataAfterSeconds: null });
  await createShift(companyId, { start: "00:00", end: "00:00", machineIds: [machine.id] });
  const { causeId } = await createStopCause(companyId);
  const times = {
    startTime: new Date(Date.now() - 3_600_000).toISOString(),
    endTime: new Date(Date.now() - 3_000_000).toISOString(),
  };
  const stop = await call("POST", "/v1/stops", { token: admin.token, body: { machineId: machine.id, ...times } });
  expect(stop.status, JSON.stringify(stop.body)).toBe(201);
  const { token, apiTokenId } = await pairTerminal(admin.token, [machine.id], "Press terminal");
  const post = async (path: string, body: object = {}, actedAt?: string) => {
    const headers: Record<string, string> = actedAt === undefined ? {} : { "x-acted-at": actedAt };
    const answer = await call("POST", path, { token, body, headers });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const classify = async (description: string) => {
    const body = { generalCauseId: String(causeId), description };
    const answer = await call("PUT", `/v1/stops/${stop.body.id}/classification`, { token, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  const read = async (path: string) => (await call("GET", path, { token: admin.token })).body;
  return { companyId, admin, machine, stopId: stop.body.id, token, apiTokenId, post, classify, read };
}

it("is the terminal while nobody is signed in there, and the operators who are", async () => {
  const { companyId, admin, machine, stopId, apiTokenId, post, classify, read } = await newTerminal();
  const [ana, luis] = [await createOperator(companyId, { name: "Ana" }), await createOperator(companyId, { name: "Luis" })];
  await classify("Nobody there");
  await post(`/v1/machines/${machine.id}/sign-in`, { operatorId: ana.operatorId });
  await classify("Ana there");
  await post(`/v1/machines/${machine.id}/sign-in`, { operatorId: luis.operatorId });
  const { id } = await post(`/v1/machines/${machine.id}/help-calls`, { message: "Mould" });
  await post(`/v1/machines/${machine.id}/sign-out`, { operatorId: ana.operatorId });
  const answered = await post(`/v1/help-calls/${id}/answer`);
  expect(answered).toMatchObject({ calledBy: { name: "Ana, Luis" }, answeredBy: { name: "Luis", id: admin.userId } });
  expect((await read(`/v1/help-calls/${id}`)).calledBy.name).toBe("Ana, Luis");

  const history = async () => (await read(`/v1/stops/${stopId}/changes`)).data;
  await expect.poll(async () => (await history()).length).toBe(3);
  const [second, first, recorded] = await history();
  expect([second, first, recorded].map(({ user, apiTokenId: by }) => [user.name, by])).toEqual([
    ["Ana", apiTokenId],
    ["Press terminal", apiTokenId],
    [expect.not.stringContaining("terminal"), null],
  ]);
  const audit = (await read(`/v1/audit?apiTokenId=${apiTokenId}`)).data as { action: string; userName: string }[];
  const namesOf = (action: string) => audit.filter((entry) => entry.action === action).map(({ userName }) => userName);
  expect(namesOf("help-call.create")).toEqual(["Ana, Luis"]);
  expect(namesOf("help-call.answer")).toEqual(["Luis"]);
  expect(namesOf("stop.classify")).toEqual(["Ana", "Press terminal"]);
});

it("is who was signed in when it was done, also if it arrives later", async () => {
  const { companyId, admin, machine, stopId, token, apiTokenId, post, read } = await newTerminal();
  const [ana, luis] = [await createOperator(companyId, { name: "Ana" }), await createOperator(companyId, { name: "Luis" })];
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const sign = (way: "in" | "out", { operatorId }: { operatorId: number }, at: string) =>
    post(`/v1/machines/${machine.id}/sign-${way}`, { operatorId, at }, at);
  await sign("in", ana, ago(40));
  await sign("out", ana, ago(20));
  await sign("in", luis, ago(10));
  const note = async (description: string, at?: string) => {
    const path = `/v1/stops/${stopId}/classification`;
    const headers: Record<string, string> = at === undefined ? {} : { "x-acted-at": at };
    return await call("PUT", path, { token, headers, body: { description } });
  };
  for (const at of [ago(30), ago(15), ago(5), ago(-3), undefined]) expect((await note(String(at), at)).status).toBe(200);
  expectProblem(await note("wrong", "yesterday"), 400, "/header/x-acted-at");
  const { id } = await post(`/v1/machines/${machine.id}/help-calls`, { message: "Mould" }, ago(30));
  expect((await read(`/v1/help-calls/${id}`)).calledBy.name).toBe("Ana");
  await expect
    .poll(async () =>
      (await read("/v1/events?types=help.called")).data.map(({ data }: { data: { userName: string } }) => data.userName),
    )
    .toEqual(["Ana"]);
  const audit = (await read(`/v1/audit?apiTokenId=${apiTokenId}`)).data as { action: string; userName: string }[];
  const namesOf = (action: string) => audit.filter((entry) => entry.action === action).map(({ userName }) => userName);
  await expect.poll(async () => (await read(`/v1/stops/${stopId}/changes`)).data.length).toBe(6);
  expect(namesOf("stop.classify").reverse()).toEqual(["Ana", "Press terminal", "Luis", "Luis", "Luis"]);
  expect(namesOf("operator.sign-in").reverse()).toEqual(["Ana", "Luis"]);
  expect(namesOf("operator.sign-out")).toEqual(["Ana"]);
  // Whoever is no terminal acts in person.
  const byAdmin = await call("PUT", `/v1/stops/${stopId}/classification`, {
    ...{ token: admin.token, headers: { "x-acted-at": "yesterday" }, body: { description: "By the admin" } },
  });
  expect(byAdmin.status).toBe(200);
});
