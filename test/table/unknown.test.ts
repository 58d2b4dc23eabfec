import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createUser } from "../support/factories.ts";
import { everything } from "./everything.ts";
import { document, type Operation, operations, type Schema } from "./operations.ts";
import { type GoodRequest, requests } from "./requests.ts";
import { createWorld, password, type World } from "./world.ts";

// Parts of a request that an operation does not know are refused or named, never dropped silently: members and If-Match.

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const isFilter = ({ id }: Operation) => /^get(Metric|Stop)(Report|Metrics)$/.test(id);
const ignores = (operation: Operation) =>
  operation.id === "ingest" || !(operation.path.startsWith("/v1/") || isFilter(operation));

/** Sends a request as a new user: some operations end the caller's tokens. */
async function send({ method }: Operation, { path, ...sent }: GoodRequest) {
  const { token } = await createUser(world.companyId, "superuser", { password });
  return await call(method, path, { token, ...sent });
}

const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** Pointers of the objects in a value whose members are named by a schema. */
function namedObjects(schema: Schema, value: unknown, pointer = ""): string[] {
  const { $ref, properties, items, oneOf } = schema;
  if (typeof $ref === "string")
    return namedObjects(document.components.schemas[$ref.split("/").at(-1) ?? ""] ?? {}, value, pointer);
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one, i) => namedObjects((items ?? {}) as Schema, one, `${pointer}/${i}`));
  if (Array.isArray(oneOf)) return [pointer];
  if (!properties) return [];
  const members = properties as Record<string, Schema>;
  const inner = Object.entries(value).flatMap(([name, one]) =>
    namedObjects(members[name] ?? {}, one, `${pointer}/${escaped(name)}`),
  );
  return [pointer, ...inner];
}

/** The body with an unknown member in each of these objects. */
function withUnknown(body: unknown, pointers: readonly string[]): unknown {
  const changed = structuredClone(body);
  for (const pointer of pointers) {
    const names = pointer.split("/").slice(1);
    const holder = names.reduce((inside, name) => (inside as Record<string, unknown>)[name], changed) as Record<string, unknown>;
    holder.unknownMember = { deep: 1 };
  }
  return changed;
}

const withJson = operations.filter(({ content }) => content["application/json"]);

describe("an unknown member", () => {
  it("is detected in every body", () => {
    expect(withJson.length).toBeGreaterThan(40);
    expect(withJson.filter(ignores).map(({ id }) => id)).toEqual(expect.arrayContaining(["login", "updateWorkOrder", "ingest"]));
  });

  it.each(withJson.filter((operation) => !ignores(operation)))("is refused by $id, at any depth", async (operation) => {
    const good = await requests[operation.id](world);
    const places = namedObjects(operation.content["application/json"]?.schema ?? {}, good.body);
    const { token } = await createUser(world.companyId, "superuser", { password });
    const before = await everything();
    const ask = (body: unknown) => call(operation.method, good.path, { token, ...good, body });
    const answer = await ask(withUnknown(good.body, places));
    expectProblem(answer, 400);
    const faults = answer.body.errors.map(({ pointer, code }: Record<string, string>) => `${code} ${pointer}`);
    expect(faults.sort()).toEqual(places.map((place) => `unknown_member ${place}/unknownMember`).sort());
    expect((await everything()).filter((row) => !row.startsWith("users "))).toEqual(
      before.filter((row) => !row.startsWith("users ")),
    );
    expect((await ask(good.body)).status, "the same without it").toBeLessThan(300);
  });

  it.each(withJson.filter(ignores))("is ignored by $id, and named in a header", async (operation) => {
    const good = await requests[operation.id](world);
    const all = namedObjects(operation.content["application/json"]?.schema ?? {}, good.body);
    // Events of gateways may have unknown members; the request around them may not.
    const places = operation.id === "ingest" ? all.filter((place) => place !== "") : all;
    const answer = await send(operation, { ...good, body: withUnknown(good.body, places) });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    const named = answer.headers.get("x-ignored-members")?.split(", ") ?? [];
    expect(named.sort()).toEqual(places.map((place) => `${place}/unknownMember`).sort());
    const plain = await send(operation, await requests[operation.id](world));
    expect([plain.status < 300, plain.headers.get("x-ignored-members")]).toEqual([true, null]);
  });

  it("is refused next to events", async () => {
    const operation = operations.find(({ id }) => id === "ingest") as Operation;
    const good = await requests.ingest(world);
    const answer = await send(operation, { ...good, body: { ...(good.body as object), compnayId: 1 } });
    expectProblem(answer, 400, "/compnayId");
  });

  it("is also named in a form", async () => {
    const operation = operations.find(({ id }) => id === "uploadThumbnail") as Operation;
    const { path, body } = await requests.uploadThumbnail(world);
    (body as FormData).set("title", "Chart");
    const answer = await send(operation, { path, body });
    expect([answer.status, answer.headers.get("x-ignored-members")]).toEqual([200, "/title"]);
  });

  it("is refused in the query of a write", async () => {
    const operation = operations.find(({ id }) => id === "uploadOperatorPlan") as Operation;
    const good = await requests.uploadOperatorPlan(world);
    expectProblem(await send(operation, { ...good, path: `${good.path}&tittle=Week` }), 400, "/query/tittle");
  });

  it("is allowed in members that a client may fill freely", async () => {
    const operation = operations.find(({ id }) => id === "createDashboard") as Operation;
    const good = await requests.createDashboard(world);
    const map = { anything: { goes: [{ here: 1 }] } };
    const body = { ...(good.body as object), spec: map, instances: [{ widgetId: world.widgetId, specOverride: map }] };
    expect((await send(operation, { ...good, body })).body).toMatchObject({ spec: map, instances: [{ specOverride: map }] });
  });

  it("is named in a header of limited length, without special characters", async () => {
    const operation = operations.find(({ id }) => id === "markNotificationsRead") as Operation;
    const named = async (members: object) => {
      const { path } = await requests.markNotificationsRead(world);
      const answer = await send(operation, { path, body: { notificationIds: [], ...members } });
      expect(answer.status).toBe(204);
      return answer.headers.get("x-ignored-members");
    };
    const odd = { "a/b~c": 1, "x, y\r\nset-cookie: z": 1, "ü\ud800": 1 };
    expect(await named(odd)).toBe("/a~1b~0c, /x%2C%20y%0D%0Aset-cookie%3A%20z, /%C3%BC%EF%BF%BD");
    expect(await named(JSON.parse('{"__proto__": 1, "constructor": 1}'))).toBe("/__proto__, /constructor");
    expect(await named({ ["x".repeat(2000)]: 1, y: 1 })).toBe("and 2 more");
    const many = await named(Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`member${i}`, 1])));
    expect(many?.length).toBeLessThan(1050);
    expect(many).toMatch(/^\/member0, \/member1, .*, and \d+ more$/);
  });
});

interface Read {
  responses: Record<string, { headers?: Record<string, unknown> }>;
}

/** Paths whose GET returns an ETag. */
const tagged = Object.entries(document.paths).flatMap(([path, { get }]) =>
  (get as Read | undefined)?.responses[200]?.headers?.etag ? [path] : [],
);
const isStop = (path: string) => `${path}/`.startsWith("/v1/stops/{id}/");
// Writes act on an object: the ETag of a list is only for reads. Of the objects of the set-up only changes and deletions take it.
const isAboutTagged = ({ method, path }: Operation) =>
  tagged.some(
    (one) => (path === one && (method === "GET" || one.endsWith("}"))) || (one.endsWith("}") && isStop(one) && isStop(path)),
  );
const takesIfMatch = operations.filter(isAboutTagged);

describe("If-Match", () => {
  afterEach(() => vi.useRealTimers());

  it("is accepted only by operations with an ETag", () => {
    const declared = operations.filter(({ parameters }) => parameters.some(({ name }) => name.toLowerCase() === "if-match"));
    expect(tagged.length).toBeGreaterThan(2);
    expect(declared.map(({ id }) => id)).toEqual(takesIfMatch.map(({ id }) => id));
  });

  it.each(operations.filter((one) => !isAboutTagged(one)))("is refused by $id", async (operation) => {
    const good = await requests[operation.id](world);
    const { token } = await createUser(world.companyId, "superuser", { password });
    const before = await everything();
    const headers = { ...good.headers, "if-match": '"1"' };
    const answer = await call(operation.method, good.path, { token, ...good, headers });
    expectProblem(answer, 400, "/header/if-match");
    expect(answer.body.errors[0].code).toBe("not_supported");
    expect(await everything()).toEqual(before);
  });

  const tagsOfReads = takesIfMatch.filter(({ method }) => method === "GET");
  it.each(tagsOfReads)("decides whether $id is answered", async (operation) => {
    const { path } = await requests[operation.id](world);
    // Values that last until now have another ETag a moment later.
    vi.useFakeTimers({ toFake: ["Date"] });
    const { token } = await createUser(world.companyId, "superuser", { password });
    const ask = (headers: Record<string, string> = {}) => call("GET", path, { token, headers });
    expectProblem(await ask({ "if-match": '"7-0123456789ab"' }), 412);
    expectProblem(await ask({ "if-match": "nonsense" }), 400, "/header/if-match");
    expect((await ask({ "if-match": "*" })).status).toBe(200);
    // Work in the background, such as opening an incident, may change the data between the two requests.
    const askWithTag = async (headerOf: (etag: string) => string) => {
      for (let attempt = 1; ; attempt++) {
        const { status } = await ask({ "if-match": headerOf(await tagOf(path, token)) });
        if (status !== 412 || attempt === 5) return status;
      }
    };
    expect(await askWithTag((etag) => etag)).toBe(200);
    expect(await askWithTag((etag) => `"other", ${etag}`)).toBe(200);
    // Weak tags never match here, and a failed If-Match takes precedence over a 304.
    const etag = await tagOf(path, token);
    expectProblem(await ask({ "if-match": `W/${etag}`, "if-none-match": etag }), 412);
  });

  const tagsOfWrites = takesIfMatch.filter(({ method }) => method !== "GET");
  it.each(tagsOfWrites)("decides whether $id is carried out", async (operation) => {
    const { path, ...sent } = await requests[operation.id](world);
    vi.useFakeTimers({ toFake: ["Date"] });
    // A write to a stop takes the ETag of the stop.
    const [read = path.replace(/&dryRun=.*$/, "")] = path.match(/^\/v1\/stops\/\d+/) ?? [];
    const { token } = await createUser(world.companyId, "superuser", { password });
    const etag = await tagOf(read, token);
    const ask = (tag: string) => call(operation.method, path, { token, ...sent, headers: { "if-match": tag } });
    const before = await everything();
    // By its contract, a stop that was changed meanwhile is a conflict.
    expectProblem(await ask('"7-0123456789ab"'), isStop(operation.path) ? 409 : 412);
    expectProblem(await ask("nonsense"), 400, "/header/if-match");
    expect(await everything()).toEqual(before);
    expect((await ask(etag)).status).toBeLessThan(300);
  });
});

async function tagOf(path: string, token: string): Promise<string> {
  const etag = (await call("GET", path, { token })).headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[\w:.-]+"$/);
  return etag;
}
