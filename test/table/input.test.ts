import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Answer, type CallOptions, call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createUser } from "../support/factories.ts";
import { contract } from "./contract.ts";
import { createWorld, requests, type World } from "./world.ts";

// Good requests, spoiled at random: whatever is sent is either done or refused in the house's way. fast-check prints the
// seed of what it finds.
const runs = 250;

let world: World;
let token: string;
beforeAll(async () => {
  world = await createWorld();
  token = (await createUser(world.companyId, "superuser")).token;
  // Thousands of lines that nobody reads.
  vi.spyOn(console, "log").mockReturnValue(undefined);
});
afterAll(() => vi.restoreAllMocks());

type Json = string | number | boolean | null | Json[] | { [member: string]: Json };

const nested = (depth: number) => Array.from({ length: depth }).reduce<Json>((inner) => [inner], 1);
const numbers = [0, -1, 1.5, 2 ** 31, 2 ** 53, 2 ** 53 + 2, -(2 ** 63), 1e308, Number.MIN_VALUE];
const texts = ["", " ", "0", "-1", "1e3", "\0", "a\0b", "\ud800", "x\udfff", "\u202e", "💥", "__proto__", "constructor", "null"];
const dates = ["2026-02-30T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-01-01", "2026-01-01T00:00:00+23:59"];
const others = ["'; DROP TABLE users; --", "../../etc/passwd", "Completed", "superuser", crypto.randomUUID()];
const lengths = [50, 100, 101, 200, 201, 2000, 2001, 70_000].map((length) => "x".repeat(length));
const lists: Json[] = [[], [null], [1, 1], ["a", "a"], nested(1000), Array(1001).fill(1), [...Array(1001).keys()].map(String)];
const objects: Json[] = [{}, { id: 1 }, JSON.parse('{"__proto__": {"role": "superuser"}}'), { constructor: { prototype: 1 } }];

const oddText = fc.oneof(
  fc.constantFrom(...texts, ...dates, ...others, ...lengths),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const oddNumber = fc.oneof(fc.constantFrom(...numbers), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const bad = fc.oneof(
  fc.constantFrom<Json>(null, true, false, ...lists, ...objects),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
  oddText,
  oddNumber,
);

/** One change of a body, at the place of this number: to nudge is to put another text for a text, another number for a number. */
const change = fc.record({
  place: fc.nat(),
  how: fc.constantFrom("nudge", "nudge", "nudge", "nudge", "replace", "replace", "remove", "repeat", "add"),
  member: fc.oneof(
    fc.constantFrom("__proto__", "constructor", "toString", "id", ""),
    fc.string({ unit: "binary", maxLength: 5 }),
  ),
  value: bad,
  oddText,
  oddNumber,
});
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

type Holder = { inside: Record<string, Json> | Json[]; key: string };

function placesOf(inside: Holder["inside"]): Holder[] {
  return Object.entries(inside).flatMap(([key, value]) => [
    { inside, key },
    ...(typeof value === "object" && value !== null ? placesOf(value) : []),
  ]);
}

function spoil(body: unknown, changes: Change[]): Json {
  const root: Record<string, Json> = { body: JSON.parse(JSON.stringify(body)) };
  for (const { place, how, member, value: shared, oddText, oddNumber } of changes) {
    const value = structuredClone(shared);
    const places = placesOf(root);
    const { inside, key } = places[place % places.length] ?? { inside: root, key: "body" };
    const members = inside as Record<string, Json>;
    const held = members[key] ?? null;
    if (how === "replace") members[key] = value;
    if (how === "remove") delete members[key];
    if (how === "repeat" && Array.isArray(inside)) inside.push(structuredClone(held));
    if (how === "nudge" && typeof held === "string") members[key] = oddText;
    if (how === "nudge" && typeof held === "number") members[key] = oddNumber;
    if (how === "add" && typeof held === "object" && held !== null) {
      Object.defineProperty(held, member, { value, enumerable: true, configurable: true, writable: true });
    }
  }
  return root.body ?? null;
}

const broken = ["", " ", "{", "}", "[]", "null", "0", '"text"', "{}{}", "{'a':1}", "\ufeff{}", '{"a":}', `${"[".repeat(50_000)}`];
const seldom = (...values: string[]) => fc.constantFrom(...Array<undefined>(40).fill(undefined), ...values);
const key = seldom("key", "", "k".repeat(256), "a b", "a\tb");
const contentType = seldom("text/plain", "application/json; charset=utf-16", "x");

/** Names what is wrong with a refusal: the house's shape, and pointers into what was sent. */
function expectAnswered(answer: Answer, sent: unknown) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
  if (answer.status < 400) return;
  expectProblem(answer, answer.status);
  expect([400, 404, 409, 413, 415, 429, 401, 403]).toContain(answer.status);
  if (answer.status !== 400) return;
  expect(answer.body.errors.length).toBeGreaterThan(0);
  for (const { pointer, code, message } of answer.body.errors) {
    expect([typeof code, typeof message]).toEqual(["string", "string"]);
    expect(message).not.toBe("");
    if (!/^\/(path|query|header)\//.test(pointer)) expectToPoint(pointer, sent);
  }
}

/** All that a pointer names but its last part is there; the last part may be what is missing. */
function expectToPoint(pointer: string, sent: unknown) {
  expect(pointer).toMatch(/^(\/|$)/);
  let at = sent;
  for (const part of pointer.split("/").slice(1, -1)) {
    expect(at, `${pointer} in ${JSON.stringify(sent).slice(0, 500)}`).toBeTypeOf("object");
    at = (at as Record<string, unknown>)[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
}

const withBody = contract.flatMap(([op, method]) => {
  const { body } = requests[op]?.(emptyWorld()) ?? {};
  return body === undefined || body instanceof FormData ? [] : [{ op, method }];
});

function emptyWorld(): World {
  return { user: {}, machine: {}, skuId: "" } as World;
}

describe.each(withBody)("operation $op", ({ op, method }) => {
  const send = async (body: unknown, headers: Record<string, string>, path = requests[op]?.(world).path ?? "") =>
    call(method, path, { token, body, headers } satisfies CallOptions);
  const headersOf = (idempotencyKey?: string, type?: string) => ({
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    ...(type !== undefined && { "content-type": type }),
  });

  it("does or refuses whatever its body holds", { timeout: 60_000 }, async () => {
    const spoiled = fc.tuple(fc.array(change, { minLength: 1, maxLength: 3 }), key, contentType);
    await fc.assert(
      fc.asyncProperty(spoiled, async ([changes, idempotencyKey, type]) => {
        const body = spoil(requests[op]?.(world).body, changes);
        const text = JSON.stringify(body);
        expectAnswered(await send(text, headersOf(idempotencyKey, type)), JSON.parse(text));
      }),
      { numRuns: runs },
    );
  });

  it("refuses what is no JSON object", async () => {
    for (const text of broken) {
      const answer = await send(text, {});
      // What may be left out altogether may be an object without members.
      if (text === "\ufeff{}" && answer.status < 500) continue;
      expectProblem(answer, 400, "");
    }
    expectProblem(await call(method, requests[op]?.(world).path ?? "", { token }), 400, "");
    expectProblem(await send("a=1", { "content-type": "application/x-www-form-urlencoded" }), 415);
    expectProblem(await send(JSON.stringify({ a: "x".repeat(1024 * 1024) }), {}), 413);
  });
});

const parts = [
  ...["", "0", "-1", "1.5", "1e3", "9".repeat(15), "9".repeat(16), "x".repeat(101), "x".repeat(5000), "null", "undefined"],
  ...["%00", "a%00b", "%FF", "%ED%A0%80", "%F0%9F%92%A5", "%", "%zz", "%2F", "%2e%2e", "'", "*", "+", ",", ";", "__proto__"],
];
const part = fc.oneof(
  fc.constantFrom(...parts),
  fc.string({ unit: "grapheme", maxLength: 10 }).map((text) => encodeURIComponent(text)),
  fc.string({ maxLength: 10 }).map((text) => text.replaceAll(/[/?#]/g, "")),
);

const withParts = contract.flatMap(([op, method, path]) => (/\{|GET/.test(path + method) ? [{ op, method, pattern: path }] : []));

describe.each(withParts)("operation $op by its address", ({ op, method, pattern }) => {
  it("does or refuses whatever its path and query hold", { timeout: 60_000 }, async () => {
    const members = ["machineId", "machineId[]", "direction", "limit", "offset", "start", "end", "before", "x"];
    const query = fc.array(fc.tuple(fc.constantFrom(...members), part), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 2, maxLength: 2 }), query, fc.nat(4), async (names, added, which) => {
        const { path: good = "", body } = requests[op]?.(world) ?? {};
        const [goodPath = "", goodQuery = ""] = good.split("?");
        const spoiled = pattern.split("/").map((name, i) => (name.startsWith("{") ? names[i % 2] : name));
        const path = which === 0 || goodPath === pattern ? goodPath : spoiled.join("/");
        const text = [...goodQuery.split("&").slice(which), ...added.map((pair) => pair.join("="))].join("&");
        const answer = await call(method, `${path}?${text}`, { token, body });
        // A part that is left out, or holds a slash, is another address.
        if (answer.status !== 405) expectAnswered(answer, body instanceof FormData ? {} : (body ?? {}));
      }),
      { numRuns: runs },
    );
  });
});

describe("operation 19 by its form", () => {
  it("does or refuses whatever is sent as a picture", { timeout: 60_000 }, async () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .constantFrom("\x89PNG\r\n\x1a\n", "GIF89a", "RIFF____WEBP", "\xff\xd8\xff", "<svg xmlns='http://www.w3.org/2000/svg'/>")
        .map((text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))),
    );
    const entry = fc.record({ name: fc.constantFrom("file", "file", "File", "file[]", ""), content, isText: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 3 }), fc.stringMatching(/^[^\\]{0,20}$/), async (entries, fileName) => {
        const form = new FormData();
        for (const { name, content, isText } of entries) {
          if (isText) form.append(name, fileName);
          else form.append(name, new File([content as Uint8Array<ArrayBuffer>], fileName));
        }
        const answer = await call("POST", requests[19]?.(world).path ?? "", { token, body: form });
        expectAnswered(answer, {});
        expect(answer.status, "random bytes are no picture").toBeGreaterThanOrEqual(400);
      }),
      { numRuns: runs },
    );
  });
});

describe("after all that", () => {
  it.each(contract)("operation %i is well", async (op, method) => {
    const { path = "", body } = requests[op]?.(await createWorld()) ?? {};
    // From an address of which nobody failed to log in.
    const answer = await call(method, path, { token, body, headers: { "cf-connecting-ip": "2001:db8::1" } });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  });
});
