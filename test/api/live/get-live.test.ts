import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { issueToken } from "../../../src/core/token.ts";
import { CompanyHub } from "../../../src/live/company-hub.ts";
import { Views } from "../../../src/live/views.ts";
import { MachineState } from "../../../src/machine/machine-object.ts";
import { call } from "../../support/call.ts";
import { eventually } from "../../support/eventually.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import {
  createApiToken,
  createCompany,
  createGatewayToken,
  createLine,
  createMachine,
  createShift,
  createStopCause,
  createUser,
} from "../../support/factories.ts";
import { LiveClient, shake, still, watch } from "../../support/live.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, ingest } from "../../support/machines.ts";
import { stateIn } from "../../support/object-storage.ts";
import { createRunningLine } from "../../support/running-line.ts";
import { changed } from "../../support/service.ts";

const hubOf = (companyId: number) => env.HUBS.getByName(String(companyId)) as DurableObjectStub<CompanyHub>;

/** A running line with a second machine, and users of several roles. */
async function plant() {
  const line = await createRunningLine();
  const { companyId, machine } = line;
  const second = await createMachine(companyId, { name: "Second" });
  const reader = await createUser(companyId, "readonly");
  const admin = await createUser(companyId, "admin");
  const state = async () => (await call("GET", "/v1/state", { token: reader.token })).body.data;
  const count = (value = 1) => ingest(line.gatewayToken, [countAt(machine.nodeId, Date.now(), value)]);
  return { ...line, second, reader, admin, token: reader.token, state, count };
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a WebSocket", () => {
  it("sends the state's rows in the order of the plant, and then changes within a second", async () => {
    const { machine, token, state, count } = await plant();
    const client = await watch(token);
    expect(client.messages).toHaveLength(1);
    expect(client.last).toMatchObject({ type: "snapshot", seq: 2, epoch: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const rows = await state();
    expect(client.last.rows.map((row) => row.machine.id)).toEqual(rows.map((row: { machine: { id: number } }) => row.machine.id));
    expect(still(client.rows.values())).toEqual(still(rows));
    const before = client.rows.get(machine.id);
    expect(before).toMatchObject({ status: "N", isReachable: true });

    await count(5);
    await client.row(machine.id, { status: "A", total: (before?.total ?? 0) + 5, stop: null }, 1000);
    expect(client.last).toMatchObject({ type: "changes", seq: 3, removed: [], rows: [{ machine: { id: machine.id } }] });
    expect(still(client.rows.values())).toEqual(still(await state()));
    client.leave();
  });

  it("answers a ping, and closes with 4400 on anything else", async () => {
    const { token } = await plant();
    const client = await watch(token);
    const answers: unknown[] = [];
    client.onText = (text) => answers.push(text);
    client.send("ping");
    await client.until(() => answers.length > 0);
    expect(answers).toEqual(["pong"]);
    client.send("hello");
    await client.until(({ closed }) => closed !== null);
    expect(client.closed).toMatchObject({ code: 4400, reason: "Send nothing but `ping`." });
  });

  it("shows a classification, a sign-out and a new SKU as they happen", async () => {
    const { companyId, machine, operator, admin, token } = await plant();
    const client = await watch(token);
    const { causeId, name } = await createStopCause(companyId);
    const stopId = client.rows.get(machine.id)?.stop?.id;
    const body = { generalCauseId: causeId, specificCauseId: null, componentId: null, description: null };
    const classified = await call("PUT", `/v1/stops/${stopId}/classification`, { token: admin.token, body });
    expect(classified.status, JSON.stringify(classified.body)).toBe(200);
    await client.row(machine.id, { stop: { id: stopId, name, generalCause: { id: causeId, name } } }, 1000);

    const path = `/v1/machines/${machine.id}/sign-out`;
    const left = await call("POST", path, { token: admin.token, body: { operatorId: operator.operatorId } });
    expect(left.status, JSON.stringify(left.body)).toBe(200);
    await client.row(machine.id, { operators: [] }, 1000);
    client.leave();
  });

  it("shows at once what a person corrects, withdraws and restores", async () => {
    const { machine, admin, token, count } = await plant();
    const from = new Date(Date.now() - 1000).toISOString();
    await count(5);
    const client = await watch(token);
    const total = client.rows.get(machine.id)?.total ?? 0;
    const put = async (method: string, path: string, body?: object) => {
      const answer = await call(method, path, { token: admin.token, body });
      expect([200, 201, 204], JSON.stringify(answer.body)).toContain(answer.status);
      return answer.body;
    };
    const now = () => new Date().toISOString();
    await put("POST", "/v1/corrections", { machineId: machine.id, at: now(), total: 3, comment: "Found" });
    await client.row(machine.id, { total: total + 3 }, 1000);
    const { id } = await put("POST", "/v1/event-withdrawals", { machineId: machine.id, from, to: now(), reason: "A test" });
    await client.row(machine.id, { total: total - 2 }, 1000);
    await put("DELETE", `/v1/event-withdrawals/${id}`);
    await client.row(machine.id, { total: total + 3 }, 1000);
    client.leave();
  });

  it("shows changes of the set-up, and new and deleted machines", async () => {
    const { machine, second, admin, token } = await plant();
    const client = await watch(token);
    const write = async (method: string, path: string, body?: object) => {
      const answer = await call(method, path, { token: admin.token, body });
      expect([200, 201, 204], JSON.stringify(answer.body)).toContain(answer.status);
      return answer.body;
    };
    await write("PATCH", `/v1/machines/${machine.id}`, { name: "Press 1" });
    await client.row(machine.id, { machine: { name: "Press 1" } });
    const { id: lineId } = await write("POST", "/v1/lines", { name: "Hall 1", order: 1 });
    await write("PATCH", `/v1/machines/${machine.id}`, { lineId });
    await client.row(machine.id, { line: { id: lineId, name: "Hall 1" } });
    await write("PATCH", `/v1/lines/${lineId}`, { name: "Hall A" });
    await client.row(machine.id, { line: { id: lineId, name: "Hall A" } });
    const { id } = await write("POST", `/v1/machines/${machine.id}/help-calls`, { message: "Oil" });
    await client.row(machine.id, { helpCall: { id, message: "Oil" } });
    await write("POST", `/v1/help-calls/${id}/answer`);
    await client.row(machine.id, { helpCall: null });
    const third = await write("POST", "/v1/machines", { name: "Third", ref: "T-3", nodeId: 3, signal: "counts" });
    await client.row(third.id, { machine: { name: "Third" }, isReachable: true });
    await write("DELETE", `/v1/machines/${second.id}`);
    await client.until(({ rows }) => !rows.has(second.id));
    expect(client.last).toMatchObject({ type: "changes", removed: [second.id] });
    client.leave();
  });

  it("sends the first count of a new machine within a second, although its status stays", async () => {
    const { companyId, token } = await plant();
    const { id } = await createMachine(companyId, { name: "New", commissionedAt: Date.now() });
    await createShift(companyId, { start: "00:00", end: "00:00", machineIds: [id] });
    const client = await watch(token);
    await client.row(id, { status: "A", lastEventAt: null });
    const event = { kind: "count" as const, at: Date.now(), cycles: 1, total: 1, defects: 0, good: null };
    await machineObject(env, id).ingest([{ id: null, content: "count", event }], 1);
    await client.row(id, { status: "A", total: 1 }, 1000);
    client.leave();
  });

  it("costs a change one computation for each distinct selection, and no look at the data kept for each socket", async () => {
    const { companyId, machine, second, token, count } = await plant();
    const clients: LiveClient[] = [];
    for (const query of ["", "", `machineIds=${machine.id}`, `machineIds=${machine.id}`, `machineIds=${second.id}`]) {
      clients.push(await watch(token, query));
    }
    const read = vi.spyOn(WebSocket.prototype as never as { deserializeAttachment(): unknown }, "deserializeAttachment");
    const computed = vi.spyOn(Views.prototype, "changesSince");
    await count();
    await clients[0]?.row(machine.id, { status: "A" });
    await clients[3]?.row(machine.id, { status: "A" });
    expect([read.mock.calls.length, computed.mock.calls.length]).toEqual([0, 3]);
    // After it has slept, each is read once. A machine that wakes reports its next count at once.
    await evictDurableObject(hubOf(companyId));
    await evictDurableObject(machineObject(env, machine.id));
    await count();
    await clients[0]?.until(({ messages }) => messages.length > 2);
    expect(read.mock.calls.length).toBe(clients.length);
    for (const client of clients) client.leave();
  });

  it("sends only a selection, and removes what leaves it", async () => {
    const { companyId, machine, second, admin, token, count } = await plant();
    const [own, other] = [await createLine(companyId), await createLine(companyId)];
    const patch = (lineId: number | null) => call("PATCH", `/v1/machines/${second.id}`, { token: admin.token, body: { lineId } });
    await patch(own.lineId);
    const byLine = await watch(token, `lineIds=${own.lineId}`);
    const byMachine = await watch(token, `machineIds=${machine.id}`);
    expect([...byLine.rows.keys()]).toEqual([second.id]);
    expect([...byMachine.rows.keys()]).toEqual([machine.id]);
    await count();
    await byMachine.row(machine.id, { status: "A" });
    await patch(other.lineId);
    await byLine.until(({ rows }) => rows.size === 0);
    expect(byLine.messages).toHaveLength(2);
    await patch(own.lineId);
    await byLine.row(second.id, { line: { id: own.lineId } });
    expect(byMachine.rows.size).toBe(1);
    byLine.leave();
    byMachine.leave();
  });

  it("sends a returning client what it missed, once, and everything in a new epoch", async () => {
    const { machine, token, count } = await plant();
    const steady = await watch(token);
    const client = await watch(token);
    const { place } = client;
    client.leave();
    await count(3);
    await steady.row(machine.id, { status: "A" });
    const back = await watch(token, place);
    expect(back.last).toMatchObject({ type: "changes", epoch: client.last.epoch, rows: [{ machine: { id: machine.id } }] });
    expect(back.last.seq).toBe(steady.last.seq);
    const again = await watch(token, back.place);
    expect(again.last).toMatchObject({ type: "changes", rows: [], removed: [] });
    for (const place of [`epoch=another&since=${back.last.seq}`, `epoch=${back.last.epoch}&since=1000`]) {
      const lost = await watch(token, place);
      expect(lost.last).toMatchObject({ type: "snapshot", rows: [{}, {}] });
      lost.leave();
    }
    for (const one of [steady, back, again]) one.leave();
  });

  it("survives evictions of the hub and of machines", async () => {
    const { companyId, machine, token, count, state } = await plant();
    const client = await watch(token);
    const { epoch } = client.last;
    const asked = vi.spyOn(MachineState.prototype, "watch");
    await evictDurableObject(hubOf(companyId));
    await count();
    await client.row(machine.id, { status: "A" });
    expect(client.last.type).toBe("changes");
    expect(client.last.epoch).not.toBe(epoch);
    await evictDurableObject(machineObject(env, machine.id));
    await evictDurableObject(hubOf(companyId));
    const { total } = client.rows.get(machine.id) ?? {};
    await count(7);
    await client.row(machine.id, { total: (total ?? 0) + 7 });
    // The notification of one machine is passed on, and no other machine is woken for it.
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
    expect(still(client.rows.values())).toEqual(still(await state()));
    // A client that reconnects needs all of them, and everybody continues in the epoch that begins with that.
    const back = await watch(token, client.place);
    expect(back.last.type).toBe("snapshot");
    await client.until(({ last }) => last.type === "snapshot" && last.epoch === back.last.epoch);
    for (const { rows } of [back, client]) expect(still(rows.values())).toEqual(still(await state()));
    back.leave();
    client.leave();
  });

  it("removes a machine that was deleted while the hub was evicted", async () => {
    const { companyId, machine, token, admin } = await plant();
    const extra = await createMachine(companyId);
    const client = await watch(token);
    expect(client.rows.has(extra.id)).toBe(true);
    await evictDurableObject(hubOf(companyId));
    expect((await call("DELETE", `/v1/machines/${extra.id}`, { token: admin.token })).status).toBe(204);
    await client.until(({ rows }) => !rows.has(extra.id));
    expect(client.rows.has(machine.id)).toBe(true);
    client.leave();
  });
});

type Plant = Awaited<ReturnType<typeof plant>>;

describe("a machine", () => {
  it("notifies a hub that failed for a while later", async () => {
    const { machine, token, count } = await plant();
    const client = await watch(token);
    const tell = vi.spyOn(CompanyHub.prototype, "tell").mockRejectedValue(new Error("away"));
    await count(4);
    await eventually(() => expect(tell).toHaveBeenCalled());
    tell.mockRestore();
    await client.row(machine.id, { status: "A" });
    client.leave();
  });

  it("does not replace a newer view with a delayed one", async () => {
    const { companyId, machine, token, count } = await plant();
    const client = await watch(token);
    const overview = await machineObject(env, machine.id).overview();
    await count();
    const row = await client.row(machine.id, { status: "A" });
    if (!overview) throw new Error("no overview");
    const answer = await hubOf(companyId).tell(machine.id, { revision: overview.asOf - 1, overview });
    expect(answer).toMatchObject({ isWatched: true, newer: expect.any(Number) });
    expect((await call("GET", "/v1/live", { token })).body.rows).toContainEqual(row);
    client.leave();
  });

  it("that does not answer is shown as unreachable, and asked again", async () => {
    const { companyId, machine, second, token } = await plant();
    const watched = vi.spyOn(MachineState.prototype, "watch").mockRejectedValue(new Error("away"));
    const client = await watch(token);
    expect(client.last.rows).toMatchObject([machine, second].map(() => ({ isReachable: false, status: null })));
    watched.mockRestore();
    await runDurableObjectAlarm(hubOf(companyId));
    await client.row(machine.id, { isReachable: true, status: "N" });
    await client.row(second.id, { isReachable: true });
    client.leave();
  });

  it("whose alarm begins to fail, or succeeds again, is shown at once", async () => {
    const { machine, token, count } = await plant();
    const client = await watch(token);
    await count();
    vi.spyOn(console, "error").mockReturnValue(undefined);
    // The count is settled ten seconds later.
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(Date.now() + 20_000);
    const ring = (query: string) =>
      runInDurableObject(machineObject(env, machine.id), async (object, { storage }) => {
        storage.sql.exec(query);
        await object.alarm();
      });
    await ring("ALTER TABLE spans RENAME TO spans_away");
    await client.row(machine.id, { isDegraded: true });
    await ring("ALTER TABLE spans_away RENAME TO spans");
    await client.row(machine.id, { isDegraded: false, status: "A" });
    vi.useRealTimers();
    client.leave();
  });

  it("sends nothing while nobody watches, and again when somebody does", async () => {
    const { companyId, machine, admin, token, count, state } = await plant();
    // biome-ignore lint/suspicious/noExplicitAny: rows.
    const stopId = (await state()).find((row: any) => row.machine.id === machine.id).stop.id;
    const tell = vi.spyOn(CompanyHub.prototype, "tell");
    // Machines of other tests are watched for a minute.
    const reported = () => tell.mock.calls.filter(([machineId]) => machineId === machine.id);
    await count();
    await runDurableObjectAlarm(machineObject(env, machine.id));
    expect(reported()).toEqual([]);
    const client = await watch(token);
    await call("PATCH", `/v1/stops/${stopId}`, { token: admin.token, body: { name: "Jam" } });
    await eventually(() => expect(reported()).not.toEqual([]));
    client.leave();
    await eventually(() => runInDurableObject(hubOf(companyId), (_, ctx) => expect(ctx.getWebSockets()).toHaveLength(0)));
    // Clients that left may come back: machines keep sending for a minute.
    await runInDurableObject(hubOf(companyId), (_, { storage }) => {
      const state = storage.kv.get<object>("hub");
      storage.kv.put("hub", { ...state, watchedUntil: 0 });
    });
    await evictDurableObject(hubOf(companyId));
    const rename = (name: string) => call("PATCH", `/v1/stops/${stopId}`, { token: admin.token, body: { name } });
    const stub = machineObject(env, machine.id);
    // An edit is sent at once; the answer is that nobody watches.
    await rename("Belt");
    await eventually(() => runInDurableObject(stub, (_, { storage }) => expect(stateIn(storage).watched).toBeNull()));
    tell.mockClear();
    await rename("Chain");
    await runDurableObjectAlarm(stub);
    expect(reported()).toEqual([]);
    const again = await watch(token);
    expect(again.last).toMatchObject({ type: "snapshot" });
    expect(again.last.epoch).not.toBe(client.last.epoch);
    again.leave();
  });
});

describe("a hub whose alarm fails", () => {
  it("logs it, and tries again after growing pauses until it succeeds", async () => {
    const { companyId, token } = await plant();
    const client = await watch(token);
    const error = vi.spyOn(console, "error").mockReturnValue(undefined);
    const ring = (DB_0: D1Database) =>
      runInDurableObject(hubOf(companyId), async (object, { storage }) => {
        const inner = object as unknown as { env: Env };
        const real = inner.env;
        inner.env = { ...real, DB_0 };
        await storage.deleteAlarm();
        const now = Date.now();
        await object.alarm();
        inner.env = real;
        return ((await storage.getAlarm()) ?? Number.NaN) - now;
      });
    const gone = () => {
      throw new Error("D1_ERROR: Network connection lost.");
    };
    const pauses: number[] = [];
    for (let i = 0; i < 3; i++) pauses.push(await ring(changed(env.DB_0, { withSession: gone })));
    for (const [i, pause] of pauses.entries()) expect(pause).toBeGreaterThanOrEqual(5000 * 2 ** i);
    expect(error.mock.calls.map(([line]) => JSON.parse(String(line)))).toMatchObject(
      [1, 2, 3].map((failures) => ({ event: "alarm_failed", object: "hub", companyId, failures })),
    );
    expect(await ring(env.DB_0)).toBeGreaterThan(20_000);
    expect(await ring(changed(env.DB_0, { withSession: gone }))).toBeLessThan(10_000);
    client.leave();
  });
});

describe("access", () => {
  it("is refused by the code with which the socket closes, before anything is sent", async () => {
    const { companyId, machine, token } = await plant();
    const other = await plant();
    const { token: gateway } = await createGatewayToken(companyId);
    const ended = await issueToken(env, { id: 1, companyId, role: "user", tokenVersion: 0 }, Date.now() / 1000 - 1_000_000);
    const cases: [what: string, code: number, response: Promise<Response>][] = [
      ["no token", 4401, shake(null)],
      ["a wrong token", 4401, shake("nonsense")],
      ["a token that has ended", 4401, shake(ended.token)],
      ["a gateway", 4403, shake(gateway)],
      ["a foreign machine", 4403, shake(token, `machineIds=${machine.id},${other.machine.id}`)],
      ["a foreign line", 4403, shake(token, "lineIds=999999999")],
      ["a foreign company", 4403, shake(token, `companyId=${other.companyId}`)],
      ["a page of another origin", 4403, shake(token, "", { origin: "https://elsewhere.test" })],
      ["an unknown parameter", 4400, shake(token, "machines=1")],
      ["an epoch without a number", 4400, shake(token, "epoch=1")],
      ["a number that is none", 4400, shake(token, "epoch=1&since=x")],
    ];
    for (const [what, code, asked] of cases) {
      const response = await asked;
      expect([what, response.status, response.headers.get("sec-websocket-protocol")]).toEqual([what, 101, "andon.v1"]);
      const client = new LiveClient(response.webSocket as WebSocket);
      await client.until(({ closed }) => closed !== null);
      expect([what, client.closed?.code, client.messages]).toEqual([what, code, []]);
    }
    const own = await shake(token, "", { origin: "http://andon.test" });
    const client = new LiveClient(own.webSocket as WebSocket);
    await client.until(({ messages }) => messages.length > 0);
    client.leave();
  });

  it("is refused with a status if the client does not know the protocol", async () => {
    const headers = { upgrade: "websocket", "sec-websocket-protocol": "bearer.nonsense" };
    const response = await exports.default.fetch(new Request("http://andon.test/v1/live", { headers }));
    expect(response.status).toBe(401);
  });

  it("ends at the own company, except for a superuser who names another one", async () => {
    const [own, other] = [await plant(), await plant()];
    const client = await watch(own.token);
    const superuser = await createUser(other.companyId, "superuser");
    const above = await watch(superuser.token, `companyId=${own.companyId}`);
    expect([...above.rows.keys()].sort()).toEqual([own.machine.id, own.second.id].sort());
    await other.count();
    await own.count();
    await client.row(own.machine.id, { status: "A" });
    await above.row(own.machine.id, { status: "A" });
    expect([...client.rows.keys()].sort()).toEqual([own.machine.id, own.second.id].sort());
    client.leave();
    above.leave();
  });

  it.each<[string, (plant: Plant) => Promise<{ watcher: string; revoke: () => Promise<number> }>]>([
    [
      "signs out",
      async ({ reader }) => ({
        watcher: reader.token,
        revoke: async () => (await call("DELETE", "/v1/tokens", { token: reader.token })).status,
      }),
    ],
    [
      "gets another role",
      async ({ reader, admin }) => ({
        watcher: reader.token,
        revoke: async () =>
          (await call("PATCH", `/v1/users/${reader.userId}`, { token: admin.token, body: { role: "user" } })).status,
      }),
    ],
    [
      "is deleted",
      async ({ reader, admin }) => ({
        watcher: reader.token,
        revoke: async () => (await call("DELETE", `/v1/users/${reader.userId}`, { token: admin.token })).status,
      }),
    ],
    [
      "has an API token that is revoked",
      async ({ admin }) => {
        const { token, apiTokenId } = await createApiToken(admin, { isReadOnly: true, role: "readonly" });
        const revoke = async () => (await call("DELETE", `/v1/api-tokens/${apiTokenId}`, { token: admin.token })).status;
        return { watcher: token, revoke };
      },
    ],
  ])("is closed with 4401 after the watcher %s", async (_what, prepare) => {
    const own = await plant();
    const { watcher, revoke } = await prepare(own);
    const [client, other] = [await watch(watcher), await watch(own.admin.token)];
    expect([200, 204]).toContain(await revoke());
    await client.until(({ closed }) => closed !== null);
    expect(client.closed).toMatchObject({ code: 4401 });
    expect(other.closed).toBeNull();
    other.leave();
  });

  it("sends nothing more if the hub was not notified of a revocation", async () => {
    const { companyId, reader, admin, machine, count } = await plant();
    const [client, other] = [await watch(reader.token), await watch(admin.token)];
    await env.DB_0.prepare("UPDATE users SET token_version = token_version + 1 WHERE id = ?").bind(reader.userId).run();
    // As if the last check were long ago.
    await evictDurableObject(hubOf(companyId));
    await count();
    await other.row(machine.id, { status: "A" });
    await client.until(({ closed }) => closed !== null);
    expect([client.closed?.code, client.messages.length]).toEqual([4401, 1]);
    other.leave();
  });

  it("is closed when the token ends", async () => {
    const { companyId, reader } = await plant();
    const { userId: id, role, tokenVersion } = reader;
    const at = Date.now() / 1000 - Number(env.TOKEN_TTL_SECONDS) + 2;
    const { token } = await issueToken(env, { id, companyId, role, tokenVersion }, at);
    const client = await watch(token);
    await client.until(({ closed }) => closed !== null);
    expect(client.closed).toMatchObject({ code: 4401 });
  });
});

/** Opens a stream of events. `next` returns its next message. */
async function openStream(token: string, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${token}`;
  const request = new Request("http://andon.test/v1/live", {
    headers: { accept: "text/event-stream", authorization, ...headers },
  });
  const response = await exports.default.fetch(request);
  if (response.status !== 200) {
    await response.body?.cancel();
    return { status: response.status };
  }
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => {
    const { value = "" } = await reader.read();
    const [, id, event, data] = /^id: (\S+)\nevent: (\S+)\ndata: (.*)\n\n$/.exec(value) ?? [];
    return { id, event, data: JSON.parse(data ?? "null") };
  };
  /** Resolves at the end of the stream, whatever it sends before. */
  const end = async () => {
    while (!(await reader.read()).done);
  };
  return { status: response.status, stream: { next, end, leave: () => reader.cancel() } };
}

/** Opens a stream of events, which must succeed. */
async function stream(token: string, headers: Record<string, string> = {}) {
  const opened = await openStream(token, headers);
  if (!opened.stream) throw new Error(`answered ${opened.status}`);
  return opened.stream;
}

describe("a stream of events", () => {
  it("sends the same, and what was missed", async () => {
    const { machine, token, count } = await plant();
    const before = await stream(token);
    const first = await before.next();
    const { epoch, seq } = first.data;
    expect(first).toMatchObject({ id: `${epoch}.${seq}`, event: "snapshot", data: { rows: [{}, {}] } });
    await count();
    const change = await before.next();
    expect(change).toMatchObject({
      event: "changes",
      data: { epoch, seq: seq + 1, rows: [{ machine: { id: machine.id }, status: "A" }] },
    });
    await before.leave();
    const back = await stream(token, { "last-event-id": `${first.id}` });
    const missed = await back.next();
    expect(missed).toMatchObject({ event: "changes", data: { rows: [{ machine: { id: machine.id }, status: "A" }] } });
    await back.leave();
  });

  it("is opened for every user of a company, though one of them has opened all that it may have", async () => {
    const { companyId, token } = await plant();
    const greedy = [];
    for (let n = 0; n < 20; n++) greedy.push(await stream(token));
    // More of the same user end none of others.
    expect((await openStream(token)).status).toBe(503);
    const other = await createUser(companyId, "user");
    const [own, second] = [await stream(other.token), await stream(other.token)];
    expect((await own.next()).event).toBe("snapshot");
    // The oldest ones made room.
    await greedy[0]?.end();
    await greedy[1]?.end();
    expect((await openStream(token)).status).toBe(503);
    await Promise.all([own, second, ...greedy.slice(2)].map(({ leave }) => leave()));
  });
});

describe("one answer", () => {
  it("has all rows, and an ETag for as long as nothing changes", async () => {
    const { machine, token, state, count } = await plant();
    const first = await call("GET", "/v1/live", { token });
    expect(first).toMatchObject({ status: 200, body: { type: "snapshot", seq: 2 } });
    expect(still(first.body.rows)).toEqual(still(await state()));
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    expect((await call("GET", "/v1/live", { token, headers })).status).toBe(304);
    await count();
    await eventually(async () => {
      const next = await call("GET", "/v1/live", { token, headers });
      expect(next).toMatchObject({ status: 200, body: { epoch: first.body.epoch } });
      // biome-ignore lint/suspicious/noExplicitAny: rows.
      expect(next.body.rows.find((row: any) => row.machine.id === machine.id)).toMatchObject({ status: "A" });
    });
    expect((await call("GET", `/v1/live?machineIds=${machine.id}`, { token })).body.rows).toHaveLength(1);
  });

  it("names invalid parameters, and refuses those of other companies", async () => {
    const [{ token }, other] = [await plant(), await plant()];
    expectProblem(await call("GET", `/v1/live?machineIds=${other.machine.id}`, { token }), 404, "/query/machineIds");
    expectProblem(await call("GET", "/v1/live?epoch=1", { token }), 400, "/query/since");
    expectProblem(await call("GET", "/v1/live?lines=1", { token }), 400, "/query/lines");
  });

  it("is empty for a company without machines", async () => {
    const { companyId } = await createCompany();
    const { token } = await createUser(companyId, "user");
    expect((await call("GET", "/v1/live", { token })).body).toMatchObject({ seq: 0, rows: [] });
  });
});
