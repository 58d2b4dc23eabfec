import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createUser } from "../support/factories.ts";
import { changed, serviceWith } from "../support/service.ts";
import { everything } from "./everything.ts";
import { isRead, type Operation, operations } from "./operations.ts";
import { endsOwnTokens, type OperationId, requests } from "./requests.ts";
import { createWorld, password, type World } from "./world.ts";

// Replicas lag behind: where the database sessions of each operation begin, and that callers find what they wrote.

const bookmarkShape = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;
/** A bookmark of a database without the database's number. */
const bare = (named: string) => named.replace(/^0\./, "");
/** A machine's object writes what these decide. */
const asksObject = ({ id, method }: Operation) =>
  method !== "GET" &&
  /(Stops?|HeldEvents|Correction|EventWithdrawal|restoreEvents|amendRuns|amendPresences|Amendment|OrphanedEdit)$/.test(id);
/** These use no database, but for the token. */
const withoutDatabase: readonly OperationId[] = [
  ...(["getOpenapi", "getService", "getThumbnail", "listChannels", "putOwnGatewayStatus"] as const),
];
/** These use the directory alone, which has no bookmarks. */
const inDirectory: readonly OperationId[] = [
  "listRolePermissions",
  "getRolePermission",
  "createWallPairing",
  "getWallPairing",
  "createTerminalPairing",
  "getTerminalPairing",
  "getGatewayPairing",
];
const asking = operations.filter(({ id }) => !withoutDatabase.includes(id));
const withBookmark = asking.filter(({ id }) => !inDirectory.includes(id));
/** These do not know their caller: they ignore any bookmark. */
const openToAll: readonly OperationId[] = [
  "getHealth",
  "getClaim",
  "login",
  "createWallPairing",
  "getWallPairing",
  "createTerminalPairing",
  "getTerminalPairing",
  "confirmGatewayPairing",
];

let world: World;
let companyId: number;
let token: string;
let bookmark: string;
beforeAll(async () => {
  vi.spyOn(console, "log").mockReturnValue(undefined);
  world = await createWorld();
  companyId = (await createCompany()).companyId;
  token = (await createUser(companyId, "superuser")).token;
  bookmark = (await call("GET", "/v1/operators", { token })).headers.get("x-d1-bookmark") ?? "";
});
afterAll(() => vi.restoreAllMocks());

/** Sends a good request about the world, and returns where its database sessions began. */
async function ask({ id, method }: Operation, headers: Record<string, string> = {}) {
  const starts: unknown[] = [];
  const withSession = (start: string) => {
    starts.push(start);
    return env.DB_0.withSession(start);
  };
  const { path, ...sent } = await requests[id](world);
  const own = endsOwnTokens.includes(id) ? (await createUser(companyId, "superuser", { password })).token : token;
  const answer = await call(method, path, {
    token: own,
    ...sent,
    headers: { ...sent.headers, ...headers },
    via: serviceWith({ DB_0: changed(env.DB_0, { withSession }) }),
  });
  return { answer, starts, written: answer.headers.get("x-d1-bookmark") };
}

describe("each operation", { timeout: 30_000 }, () => {
  it.each(withBookmark)("begins at the right state, and returns its bookmark: $id", async (operation) => {
    const { answer, starts, written } = await ask(operation);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    const [first, ...further] = starts;
    // A report of running shifts queries their machines, and reads from the primary what they sent; so is the set-up read that a write changed, for its
    // machines.
    const mayAskPrimary = operation.asksMachines || !isRead(operation);
    const others = further.filter((start) => !(mayAskPrimary && start === "first-primary"));
    expect(first).toBe(isRead(operation) ? "first-unconstrained" : "first-primary");
    // Only data that a machine's object wrote for the request is read later, at the bookmark of that write.
    expect(others).toHaveLength(asksObject(operation) ? 1 : 0);
    for (const start of others) expect(start).toMatch(bookmarkShape);
    expect(written).toMatch(/^0\./);
    expect(bare(written ?? "")).toMatch(bookmarkShape);
    expect(bare(written ?? "") >= String(others[0] ?? "")).toBe(true);

    const again = await ask(operation, { "x-d1-bookmark": bookmark });
    expect(again.answer.status, JSON.stringify(again.answer.body)).toBeLessThan(300);
    expect(again.starts[0] ?? bare(bookmark)).toBe(openToAll.includes(operation.id) ? first : bare(bookmark));
    expect((again.written ?? bookmark) >= bookmark).toBe(true);
  });

  it("refuses a bookmark that is not from this API, and does nothing then", async () => {
    const odd = [
      "latest",
      `x.${bare(bookmark)}`,
      `0.${bookmark}`,
      bookmark.toUpperCase().replaceAll("0", "A"),
      `${bookmark}, ${bookmark}`,
      `${bookmark}'--`,
    ];
    // Made beforehand: the things that a request refers to may have to be created for it.
    const good = await Promise.all(asking.map(async (operation) => ({ operation, sent: await requests[operation.id](world) })));
    const before = await everything();
    for (const [i, { operation, sent }] of good.entries()) {
      if (openToAll.includes(operation.id)) continue;
      const { path, ...more } = sent;
      const headers = { ...more.headers, "x-d1-bookmark": odd[i % odd.length] ?? "" };
      const answer = await call(operation.method, path, { token, ...more, headers });
      expect(answer.status, operation.id).toBe(400);
      expectProblem(answer, 400, "/header/x-d1-bookmark");
    }
    expect(await everything()).toEqual(before);
  });

  it("serves, or asks to wait, for a bookmark of the future", async () => {
    const headers = { "x-d1-bookmark": `ffffffff-ffffffff-ffffffff-${"f".repeat(32)}` };
    for (const path of ["/v1/operators", "/v1/machines"]) {
      expect([200, 503]).toContain((await call("GET", path, { token, headers })).status);
    }
  });
});

it("returns what was written if the answer's bookmark is sent", async () => {
  const send = async (method: string, path: string, body: object | undefined, at: string) => {
    const answer = await call(method, path, { token, body, headers: { "x-d1-bookmark": at } });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    const next = answer.headers.get("x-d1-bookmark") ?? "";
    expect(next >= at).toBe(true);
    return { body: answer.body, next };
  };
  const made = await send("POST", "/v1/operators", { name: "Ann", code: crypto.randomUUID() }, bookmark);
  expect(made.next > bookmark).toBe(true);
  const path = `/v1/operators/${made.body.id}`;
  const read = await send("GET", path, undefined, made.next);
  expect(read.body.name).toBe("Ann");
  const renamed = await send("PATCH", path, { name: "Anna" }, read.next);
  expect((await send("GET", path, undefined, renamed.next)).body.name).toBe("Anna");
  // A machine's object wrote this meanwhile, in a session of its own.
  const stop = await send("PATCH", `/v1/stops/${world.stopId}`, { name: "Changed" }, renamed.next);
  expect(stop.next > renamed.next).toBe(true);
  const report = await send("POST", "/v1/public/reports/stops", { machineIds: [world.bench.id], pageSize: 1000 }, stop.next);
  expect(report.body.stops.map(({ stop: { name } }: { stop: { name: string } }) => name)).toContain("Changed");
});

it("lets pages of other origins send and read bookmarks", async () => {
  const origin = "https://board.example";
  const via = serviceWith({ CORS_ORIGINS: origin });
  const asked = { origin, "access-control-request-method": "GET", "access-control-request-headers": "x-d1-bookmark" };
  const preflight = await call("OPTIONS", "/v1/operators", { via, headers: asked });
  expect(preflight.headers.get("access-control-allow-headers")?.toLowerCase().split(/, ?/)).toContain("x-d1-bookmark");
  const answer = await call("GET", "/v1/operators", { via, token, headers: { origin, "x-d1-bookmark": bookmark } });
  expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
  expect(answer.headers.get("access-control-expose-headers")?.toLowerCase().split(/, ?/)).toContain("x-d1-bookmark");
});
