import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Answer } from "../support/answer.ts";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createUser } from "../support/factories.ts";
import { pairTerminal } from "../support/terminals.ts";
import { everything } from "./everything.ts";
import { operationById, operations } from "./operations.ts";
import { type GoodRequest, type OperationId, requests } from "./requests.ts";
import { createWorld, type World } from "./world.ts";

// What the token of a terminal may do. Every operation is listed here or refused: a new one is refused until somebody writes it down.

/** Operations about one of the terminal's machines, or what belongs to one: about another one, they answer as they do about another company's. */
const ofMachines = [
  ...(["getMachine", "signOperatorIn", "signOperatorOut", "startRun", "createHelpCall", "answerHelpCall"] as const),
  ...(["listStops", "getStop", "listStopChanges", "classifyStop", "declassifyStop", "splitStop", "mergeStops"] as const),
  ...(["getTimeline", "getSummary", "getProduction", "getLive", "listWorkOrders", "getWorkOrder", "updateProgress"] as const),
  ...(["createCorrection", "undoCorrection"] as const),
] satisfies OperationId[];

/** Operations about what belongs to no machine. */
const ofCompany = [
  ...([
    "getCompany",
    "getShift",
    "listOperators",
    "listStopCauses",
    "listDefectReasons",
    "listSkus",
    "listRolePermissions",
  ] as const),
] satisfies OperationId[];

/** Those that are about the terminal's machines if they name none. */
const narrowed = ["listStops", "getTimeline", "getSummary", "getLive", "listWorkOrders"] satisfies OperationId[];

const isOpen = (id: OperationId) => {
  const { roles, permission } = operationById.get(id) ?? { roles: [], permission: undefined };
  return roles.length === 0 && permission === undefined;
};
const allowed: readonly OperationId[] = [...ofMachines, ...ofCompany];
const refused = operations.flatMap(({ id }) => (isOpen(id) || allowed.includes(id) ? [] : [id]));

let world: World;
let admin: string;
/** The tokens of two terminals, of the machines of the good requests and of another one, and of a user of another company. */
const tokens = { own: "", other: "", stranger: "" };

beforeAll(async () => {
  world = await createWorld();
  admin = (await createUser(world.companyId, "admin")).token;
  tokens.own = (await pairTerminal(admin, [world.machine.id, world.bench.id])).token;
  tokens.other = (await pairTerminal(admin, [await world.spare.machineId()])).token;
  // Otherwise their first use is noted at some time.
  await env.DB_0.prepare("UPDATE api_tokens SET last_used_at = ?").bind(Date.now()).run();
  tokens.stranger = (await createUser((await createCompany()).companyId, "user")).token;
  vi.spyOn(console, "log").mockReturnValue(undefined);
});
afterAll(() => vi.restoreAllMocks());

/** Sends the operation's good request, whose company is the caller's own. */
async function ask(id: OperationId, token: string, sent: GoodRequest): Promise<Answer> {
  const { path, ...more } = sent;
  const [name = "", query = ""] = path.split("?");
  const names = new URLSearchParams(query);
  names.delete("companyId");
  return await call(operationById.get(id)?.method ?? "", names.size > 0 ? `${name}?${names}` : name, { ...more, token });
}

describe("the token of a terminal", () => {
  it.each(refused)("is refused by %s, which changes nothing", async (id) => {
    const { path, ...sent } = await requests[id](world);
    const before = await everything();
    const answer = await call(operationById.get(id)?.method ?? "", path, { ...sent, token: tokens.own });
    expectProblem(answer, 403);
    expect(answer.body.detail).toMatch(
      /^(The token of a terminal may not do this|An API token may not do this|The role user may not)/,
    );
    expect(await everything()).toEqual(before);
  });

  it.each(allowed)("is served by %s for its machines", async (id) => {
    const request = await requests[id](world);
    // These are about a machine of their own.
    const token = /^(create|answer)HelpCall$/.test(id) ? (await pairTerminal(admin, [await newestMachine()])).token : tokens.own;
    const answer = await ask(id, token, request);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  });

  it.each(ofMachines)("is answered by %s about another machine as about one of another company", async (id) => {
    const about = await requests[id](world);
    const before = await everything();
    const [answer, ofStranger] = [await ask(id, tokens.other, about), await ask(id, tokens.stranger, about)];
    expect(answer.status, JSON.stringify(answer.body)).toBeGreaterThanOrEqual(400);
    expect(refusalOf(answer)).toEqual(refusalOf(ofStranger));
    expect(await everything()).toEqual(before);
  });

  it.each(narrowed)("gets from %s what is of its machines, if it names none", async (id) => {
    const { path } = await requests[id](world);
    const without = path.replace(/machineIds=[^&]*/, "");
    const [ofOther, ofOwn] = [await ask(id, tokens.other, { path: without }), await ask(id, tokens.own, { path: without })];
    expect([ofOther.status, ofOwn.status]).toEqual([200, 200]);
    expect(ownMachinesIn(ofOther)).toEqual([]);
    expect(ownMachinesIn(ofOwn)).not.toEqual([]);
  });

  it("must name a machine where it reports something of one", async () => {
    const { path, body } = await requests.updateProgress(world);
    const { machineId: _, ...unnamed } = body as { machineId: number };
    const answer = await call("PATCH", path, { token: tokens.own, body: unnamed });
    expectProblem(answer, 403);
    expect(answer.body.detail).toContain("machineId");
  });

  it("sees in a list that names an order's or a stop's machines nothing of others", async () => {
    const { machine, bench } = world;
    const both = await call("GET", `/v1/stops?machineIds=${machine.id},${await world.spare.machineId()}`, { token: tokens.own });
    expectProblem(both, 404);
    expect((await call("GET", `/v1/machines/${bench.id}`, { token: tokens.own })).status).toBe(200);
    expectProblem(await call("GET", `/v1/live?machineRefs=${machine.ref}`, { token: tokens.other }), 404);
  });
});

async function newestMachine(): Promise<number> {
  const newest = env.DB_0.prepare("SELECT max(id) AS id FROM machines WHERE company_id = ?").bind(world.companyId);
  return (await newest.first<number>("id")) ?? 0;
}

/** A problem without the id of its request. */
function refusalOf({ status, body }: Answer) {
  const { requestId: _, instance: __, ...problem } = body as Record<string, unknown>;
  return { status, problem };
}

/** The machines of the good requests that an answer is about. */
function ownMachinesIn({ body }: Answer): string[] {
  const named = JSON.stringify(body).match(/"(machineId|machineIds|machine)":(\{[^}]*"id":|\[)?\d+/g) ?? [];
  return named.filter((one) => [world.machine.id, world.bench.id].includes(Number(/\d+$/.exec(one)?.[0])));
}
