import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { call } from "../support/call.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createUser } from "../support/factories.ts";
import { document, type Operation, operations } from "./operations.ts";
import { requests } from "./requests.ts";
import { createWorld, type World } from "./world.ts";

// Features that every list and report of /v1 has: files, totals, ETags.

interface Answers {
  responses: Record<string, { content?: Record<string, unknown> }>;
}

const answersOf = ({ path, method }: Operation) =>
  (document.paths[path]?.[method.toLowerCase() as "get"] as Answers | undefined)?.responses ?? {};
const inFiles = operations.filter((operation) => operation.method === "GET" && answersOf(operation)[200]?.content?.["text/csv"]);
/** What a gateway gets of itself is no list, although the machines in it come in pages. */
const isPaged = ({ id, parameters }: Operation) => id !== "getOwnGateway" && parameters.some(({ name }) => name === "cursor");
const tagged = operations.filter((operation) => 304 in answersOf(operation) && operation.id !== "getOpenapi");

let world: World;
let token: string;
beforeAll(async () => {
  world = await createWorld();
  ({ token } = await createUser(world.companyId, "superuser"));
});

// Values that last until now change from one moment to the next.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => vi.useRealTimers());

async function get(id: Operation["id"], more = "", headers: Record<string, string> = {}) {
  const { path } = await requests[id](world);
  return await call("GET", path + (more && (path.includes("?") ? "&" : "?") + more), { token, headers });
}

it("the table has every list", () => {
  const lists = operations.filter((one) => one.method === "GET" && one.path.startsWith("/v1/") && isPaged(one));
  expect(lists.length).toBeGreaterThan(20);
  expect(inFiles).toEqual(expect.arrayContaining(lists));
  expect(tagged).toEqual(expect.arrayContaining(lists));
  expect(tagged.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["listRealtimeOperators", "listSubscriptionLogs", "getAvailability", "getMachineState"]),
  );
});

describe("the same items", () => {
  it.each(inFiles)("are in all formats of $id", async ({ id }) => {
    const { data } = (await get(id)).body;
    const lines = (await get(id, "format=ndjson")).body?.split("\n").slice(0, -1) ?? [];
    expect(lines.map((line: string) => JSON.parse(line))).toEqual(data);
    const { body: text, headers } = await get(id, "format=csv");
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="[\w.-]+\.csv"$/);
    const [head, ...rows] = rowsOf(text);
    expect(new Set(head).size).toBe(head?.length);
    expect(rows).toHaveLength(data.length);
    expect(rows.every((row) => row.length === head?.length)).toBe(true);
    const names = new Set(head?.map((name) => name.replace(/\..*/, "")));
    expect([...names].sort()).toEqual(data[0] ? Object.keys(data[0]).sort() : [...names].sort());
  });
});

describe("local times", () => {
  const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d((\.\d+)?Z|[+-]\d\d:\d\d)$/;

  /** Returns a value with each time replaced by its instant, to the second. */
  function instants(value: unknown): unknown {
    if (typeof value === "string") return time.test(value) ? Math.floor(Date.parse(value) / 1000) : value;
    if (Array.isArray(value)) return value.map(instants);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, instants(one)]));
  }

  it.each(inFiles)("have their offset in all files of $id", async ({ id }) => {
    // A list that changes in the background, such as that of deliveries, may change between the two requests.
    await eventually(async () => {
      const { data } = (await get(id)).body;
      const lines = (await get(id, "format=ndjson&tz=local")).body?.split("\n").slice(0, -1) ?? [];
      expect(lines.map((line: string) => instants(JSON.parse(line)))).toEqual(instants(data));
    });
    // What the schema does not describe, such as the data of an event, stays as it was recorded: a map, which is one cell.
    const [, ...rows] = rowsOf((await get(id, "format=csv&tz=local")).body);
    expect(rows.flat().filter((cell) => utc.test(cell))).toEqual([]);
  });
});

describe("the total", () => {
  it.each(operations.filter(isPaged))("of $id is the number of items on all pages", async ({ id }) => {
    // The caller and the company's time zone are cached.
    await get(id);
    const { headers, body } = await get(id, "total=true");
    // The names in events are read in a second one.
    expect(headers.get("server-timing")).toMatch(id === "listEvents" ? /"2 trips"/ : /"1 trip"/);
    expect(body.cursor === null ? body.total === body.data.length : body.total > body.data.length).toBe(true);
    expect((await get(id)).body).not.toHaveProperty("total");
  });
});

describe("the ETag", () => {
  it.each(tagged)("of $id avoids sending the same again", async ({ id }) => {
    // A list that changes in the background, such as that of deliveries, may change between the two requests.
    await eventually(async () => {
      const first = await get(id);
      const etag = first.headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[\w-]+"$/);
      expect(await get(id, "", { "if-none-match": `"other", W/${etag}` })).toMatchObject({ status: 304, body: null });
    });
    expect((await get(id, "", { "if-none-match": '"other"' })).status).toBe(200);
    expect((await get(id, "", { "if-match": "*" })).status).toBe(200);
    expectProblem(await get(id, "", { "if-match": '"other"' }), 412);
  });

  it.each(inFiles)("of $id is not used for its files", async ({ id }) => {
    expect((await get(id, "format=csv")).headers.has("etag")).toBe(false);
    expectProblem(await get(id, "format=csv", { "if-match": "*" }), 400, "/header/if-match");
  });
});

/** The cells of a CSV text. */
function rowsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, cell = "", end] of text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)) {
    rows.at(-1)?.push(cell);
    if (end !== ",") rows.push([]);
  }
  return rows.slice(0, -1);
}
