import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CompanyHub } from "../../src/live/company-hub.ts";
import { call } from "../support/call.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createUser } from "../support/factories.ts";
import { shake, watch } from "../support/live.ts";
import { flushMachine } from "../support/machines.ts";
import { pairTerminal } from "../support/terminals.ts";
import { document, isRead, type Operation, operations } from "./operations.ts";
import { type OperationId, requests } from "./requests.ts";
import { createWorld, type World } from "./world.ts";

// Who may not see the names of operators finds them in no answer and no message. A name and a badge that occur nowhere else are planted wherever
// operators' names can be; then everything is read as a role that lacks the permission, and as one that has it.

const planted = { name: `Zenobia${crypto.randomUUID().slice(0, 8)}`, code: `BADGE${crypto.randomUUID().slice(0, 8)}` };
const isIn = (body: unknown) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return Object.values(planted).some((one) => text.includes(one));
};

/** Reads whose answers have names of operators. */
const naming: OperationId[] = [
  ...(["listOperators", "getOperator", "listOperatorShifts", "listRecordOperators"] as const),
  ...(["getMachineState", "getPlantState", "getLive", "listHelpCalls", "getHelpCall"] as const),
  ...(["listAudit", "listStopChanges", "listEvents"] as const),
];
/** Lists whose shared request finds too little: what is planted is to be in their answers. */
const pathsOf: Partial<Record<OperationId, (world: World) => string>> = {
  listAudit: ({ companyId }) => `/v1/audit?companyId=${companyId}&objectType=operator`,
  listEvents: ({ companyId }) => `/v1/events?companyId=${companyId}`,
  listHelpCalls: ({ companyId, shiftStart }) =>
    `/v1/help-calls?companyId=${companyId}&from=${new Date(shiftStart).toISOString()}`,
};
async function requestOf(id: OperationId) {
  const request = await requests[id](world);
  return { ...request, path: pathsOf[id]?.(world) ?? request.path };
}
const inFiles = ({ path }: Operation) => {
  const { responses } = (document.paths[path]?.get ?? {}) as { responses?: Record<string, { content?: object }> };
  return "text/csv" in (responses?.[200]?.content ?? {});
};
const reads = operations.filter((operation) => {
  const { path, roles } = operation;
  return isRead(operation) && path.startsWith("/v1/") && (roles.length === 0 || roles.includes("admin"));
});

let world: World;
let recordedId: number;
/** Superadmins see the names, admins and read-only users do not. Admins may sign operators in. */
let hidden: string;
let seeing: string;
const setGrants = (isGranted: boolean) => {
  const { DIRECTORY } = env;
  if (!isGranted) {
    const grants = "role_id IN ('admin', 'readonly') AND permission_id = 'operator-names:read'";
    return DIRECTORY.prepare(`DELETE FROM role_permissions WHERE ${grants}`).run();
  }
  const values =
    "('test-admin', 'admin', 'operator-names:read', 0, 0), ('test-readonly', 'readonly', 'operator-names:read', 0, 0)";
  return DIRECTORY.prepare(
    `INSERT INTO role_permissions (id, role_id, permission_id, created_at, updated_at) VALUES ${values}`,
  ).run();
};

beforeAll(async () => {
  vi.spyOn(console, "log").mockReturnValue(undefined);
  await setGrants(false);
  world = await createWorld();
  const { companyId, operator, machine, bench } = world;
  hidden = (await createUser(companyId, "admin")).token;
  seeing = (await createUser(companyId, "superadmin")).token;
  const path = `/v1/operators/${operator.id}`;
  for (const more of ["", " Marsh"]) {
    const body = { name: planted.name + more, code: planted.code + more };
    expect((await call("PATCH", path, { token: seeing, body })).status).toBe(200);
  }
  // What is done at a terminal has the names of its operators: the one of the world is signed in at the machine.
  const { token } = await pairTerminal(seeing, [machine.id, bench.id]);
  const done = async (method: string, where: string, body: object = {}) => {
    const answer = await call(method, where, { token, body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  await done("POST", `/v1/machines/${bench.id}/sign-in`, { operatorId: operator.id });
  await done("POST", `/v1/help-calls/${world.helpCallId}/answer`);
  world.helpCallId = (await done("POST", `/v1/machines/${machine.id}/help-calls`, { message: "Jammed" })).id;
  recordedId = (await world.spare.stops(1))[0].id;
  await done("PUT", `/v1/stops/${recordedId}/classification`, { generalCauseId: world.causeId });
  for (const { id } of [machine, bench]) await flushMachine(id);
  world.stopId = recordedId;
  await eventually(async () => {
    for (const id of naming) {
      const { path: where } = await requestOf(id);
      expect([id, isIn((await call("GET", where, { token: seeing })).body)]).toEqual([id, true]);
    }
  });
});
afterAll(() => vi.restoreAllMocks());

async function read(id: OperationId, token: string, format?: string) {
  const { path, ...sent } = await requestOf(id);
  const operation = operations.find((one) => one.id === id);
  const formatted = format ? `${path}${path.includes("?") ? "&" : "?"}format=${format}` : path;
  return await call(operation?.method ?? "", formatted, { ...sent, token });
}

describe("who may not see operators' names", () => {
  it("has as many operations to read as the service", () => {
    expect(reads.length).toBeGreaterThan(100);
    expect(reads.map(({ id }) => id)).toEqual(expect.arrayContaining(naming));
  });

  it.each(reads)("finds none in the answer of $id", async (operation) => {
    const { status, body } = await read(operation.id, hidden);
    expect(status).toBe(200);
    expect(isIn(body)).toBe(false);
    expect(isIn((await read(operation.id, seeing)).body)).toBe(naming.includes(operation.id));
  });

  it.each(reads.filter(inFiles))("finds none in the files of $id", async (operation) => {
    for (const format of ["csv", "ndjson"]) {
      const { status, body } = await read(operation.id, hidden, format);
      expect(status).toBe(200);
      expect(isIn(body ?? "")).toBe(false);
      expect(isIn((await read(operation.id, seeing, format)).body ?? "")).toBe(naming.includes(operation.id));
    }
  });

  it.each(["json", "csv", "ndjson"])("sees the same pseudonym in all sums by operator, as %s", async (format) => {
    const path = `/v1/summary?groupBy=operator&machineIds=${world.machine.id}&from=${new Date(world.shiftStart).toISOString()}&to=${new Date(Date.now() + 1000).toISOString()}&format=${format}`;
    const text = JSON.stringify((await call("GET", path, { token: hidden })).body);
    expect(isIn(text)).toBe(false);
    expect(text).toContain(`Operator ${world.operator.id}`);
    expect(isIn((await call("GET", path, { token: seeing })).body)).toBe(true);
  });

  it("sees pseudonyms with the operators' ids, and users in place of those who acted at a terminal", async () => {
    const name = `Operator ${world.operator.id}`;
    const operator = (await read("getOperator", hidden)).body;
    expect(operator).toMatchObject({ id: world.operator.id, name, code: name, hasPin: false });
    expect((await read("getMachineState", hidden)).body.operators).toMatchObject([{ id: world.operator.id, name }]);
    const [recent] = (await read("listOperatorShifts", hidden)).body.data;
    expect(recent.operator).toEqual({ id: world.operator.id, name });
    const { calledBy, machine } = (await read("getHelpCall", hidden)).body;
    expect(calledBy.name).toBe(`User ${calledBy.id}`);
    expect(machine.name).not.toBe("");
    const changes = (await read("listStopChanges", hidden)).body.data;
    const [atTerminal, byUser] = changes as { user: { id: number; name: string }; apiTokenId: number | null }[];
    expect(atTerminal?.user.name).toBe(`User ${atTerminal?.user.id}`);
    // Who did it without a terminal is no operator.
    expect(byUser?.apiTokenId).toBeNull();
    expect(byUser?.user.name).not.toBe(`User ${byUser?.user.id}`);
  });

  it("finds none in the answers to own writes, nor when they are sent again", async () => {
    const path = `/v1/operators/${world.operator.id}`;
    const body = { code: `${planted.code} Marsh` };
    const sent = { token: hidden, body, headers: { "idempotency-key": crypto.randomUUID() } };
    for (const replayed of [null, "true"]) {
      const answer = await call("PATCH", path, sent);
      expect([answer.status, answer.headers.get("idempotent-replayed")]).toEqual([200, replayed]);
      expect(isIn(answer.body)).toBe(false);
    }
  });

  it("finds an operator by the badge only to sign somebody in", async () => {
    const path = `/v1/operators?code=${encodeURIComponent(`${planted.code} Marsh`)}`;
    const { token } = await createUser(world.companyId, "readonly");
    const refused = await call("GET", path, { token });
    expectProblem(refused, 403);
    expect(refused.body.detail).toContain("operator-names:read or operators:sign-in");
    const { id } = world.operator;
    expect((await call("GET", path, { token: hidden })).body.data).toMatchObject([{ id, code: `Operator ${id}` }]);
    expect((await call("GET", path, { token: seeing })).body.data).toMatchObject([{ id, code: `${planted.code} Marsh` }]);
  });

  it("has answers of other ETags than who may", async () => {
    for (const id of ["listOperators", "getPlantState", "getLive"] as const) {
      const etag = (await read(id, seeing)).headers.get("etag") ?? "";
      const { path } = await requestOf(id);
      const again = { headers: { "if-none-match": etag } };
      expect((await call("GET", path, { token: hidden, ...again })).status).toBe(200);
    }
  });

  it("sees them in the operation of the contract, which has them for all", async () => {
    expect(isIn((await read("listRealtimeOperators", hidden)).body)).toBe(true);
  });
});

describe("live messages", () => {
  const hub = () => env.HUBS.getByName(String(world.companyId)) as DurableObjectStub<CompanyHub>;
  const rename = async (more: string) => {
    const body = { name: planted.name + more };
    expect((await call("PATCH", `/v1/operators/${world.operator.id}`, { token: seeing, body })).status).toBe(200);
  };

  it("have pseudonyms for those alone who may not see names", async () => {
    const [one, other] = [await watch(hidden), await watch(seeing)];
    await rename(" of the night");
    await call("POST", `/v1/help-calls/${world.helpCallId}/answer`, { token: seeing });
    for (const client of [one, other]) await client.row(world.machine.id, { helpCall: null });
    expect(isIn(one.messages)).toBe(false);
    expect(one.rows.get(world.machine.id)?.operators).toMatchObject([{ name: `Operator ${world.operator.id}` }]);
    expect(other.rows.get(world.machine.id)?.operators).toMatchObject([{ name: `${planted.name} of the night` }]);
    for (const client of [one, other]) client.leave();
  });

  it("have pseudonyms in a stream of events, too", async () => {
    const headers = { accept: "text/event-stream" };
    const firstOf = async (token: string) => {
      const response = await shake(token, "", {
        ...headers,
        upgrade: "",
        "sec-websocket-protocol": "",
        authorization: `Bearer ${token}`,
      });
      const reader = response.body?.getReader();
      const { value } = (await reader?.read()) ?? {};
      await reader?.cancel();
      return new TextDecoder().decode(value as Uint8Array);
    };
    expect(isIn(await firstOf(seeing))).toBe(true);
    const text = await firstOf(hidden);
    expect(text).toContain(`Operator ${world.operator.id}`);
    expect(isIn(text)).toBe(false);
  });

  it("follow the grants: everything is sent again as it may be seen now, and whoever comes back gets no mixture", async () => {
    const client = await watch(hidden);
    const place = client.place;
    try {
      await setGrants(true);
      await hub().lookAgain("access");
      await client.row(world.machine.id, { operators: [{ name: expect.stringContaining(planted.name) }] });
      expect(client.last.type).toBe("snapshot");
    } finally {
      await setGrants(false);
    }
    await hub().lookAgain("access");
    await client.row(world.machine.id, { operators: [{ name: `Operator ${world.operator.id}` }] });
    expect(client.last.type).toBe("snapshot");
    client.leave();
    const [own, others] = [await watch(hidden, place), await watch(seeing, place)];
    expect([own.last.type, others.last.type]).toEqual(["changes", "snapshot"]);
    for (const one of [own, others]) one.leave();
  });
});
