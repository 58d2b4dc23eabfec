import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import type { Answer } from "../support/answer.ts";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createUser } from "../support/factories.ts";
import { everything } from "./everything.ts";
import { type Parts, partsArbitrary, partsOf, withParts } from "./from-schema.ts";
import { addressPart, type Change, change, contentTypes, spoil, stumblings } from "./hostile.ts";
import { type Operation, operations } from "./operations.ts";
import { endsOwnTokens, type GoodRequest, type OperationId, requests } from "./requests.ts";
import { createWorld, nowhere, password, type World } from "./world.ts";

// Requests that the document allows, good requests with random damage, hostile ones: each must either succeed or
// be refused in the standard form. fast-check prints the seed of a failure.

declare module "vitest" {
  interface ProvidedContext {
    /** The number of requests of a kind per operation, the seed, and whether to log how often each operation succeeded. */
    input: { runs: number; seed: number | null; log: boolean };
  }
}

const { runs, seed, log } = inject("input");
const slowestMs = 2000;

let world: World;
let asked = 0;
const tokens = new Map<OperationId, string>();
beforeAll(async () => {
  world = await createWorld();
  // The service logs thousands of lines that nobody reads.
  vi.spyOn(console, "log").mockReturnValue(undefined);
});
afterAll(() => vi.restoreAllMocks());

// Requests about nothing, which show the parts that an operation's requests have.
const samples = new Map<OperationId, Parts>();
for (const operation of operations) {
  samples.set(operation.id, partsOf(operation, await requests[operation.id](nowhere())));
}

const asserted = { numRuns: runs, ...(seed !== null && { seed }), endOnFailure: log };

interface Refused {
  operation: Operation;
  request: GoodRequest;
}

/** The refused requests of all operations, for one comparison of the whole state at the end. */
const refused: Refused[] = [];
const keptRefusals = 6;

async function tokenFor({ id }: Operation): Promise<string> {
  const held = tokens.get(id);
  if (held !== undefined) return held;
  const { token } = await createUser(world.companyId, "superuser", { password });
  tokens.set(id, token);
  return token;
}

async function send(operation: Operation, { path, ...sent }: GoodRequest): Promise<Answer> {
  const token = await tokenFor(operation);
  const ask = async () => {
    asked += 1;
    const startedAt = Date.now();
    const answer = await call(operation.method, path, { token, ...sent });
    if (endsOwnTokens.includes(operation.id) && answer.status < 300) tokens.delete(operation.id);
    return { answer, tookMs: Date.now() - startedAt };
  };
  let last = await ask();
  const answers = [last.answer];
  // The computer may have been slow, or busy with work that an earlier request left.
  while (last.tookMs >= slowestMs && answers.length < 4) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    last = await ask();
    answers.push(last.answer);
  }
  expect(last.tookMs, "ms").toBeLessThan(slowestMs);
  // Once a write was accepted, the same one is refused, such as a second user with the email.
  return answers.find(({ status }) => status < 300) ?? last.answer;
}

const internals = /SQLITE|D1_|DrizzleQueryError|\bSQL\b|ZodError|\.(ts|js):\d|node_modules|\bat \w+ \(|\bundefined\b|\[object /i;

const unstorable = /\\u0000|\\ud[89a-f]/;

/** True if the service itself sets the rules for texts, rather than storing whatever clients send. */
const keepsText = ({ id }: Operation) => !/Widget|Dashboard|Config|Audit|ingest/.test(id);

/** Checks the answer to any request against the service's rules; `sent`: the body that pointers refer to. */
function expectAnswered(operation: Operation, request: GoodRequest, answer: Answer, sent: unknown): void {
  const { status, body } = answer;
  expect(status, JSON.stringify(body)).toBeLessThan(500);
  if (status < 400 && keepsText(operation)) expect(typeof body === "object" ? JSON.stringify(body) : "").not.toMatch(unstorable);
  if (status < 400) return;
  if (refused.filter((one) => one.operation === operation).length < keptRefusals) refused.push({ operation, request });
  expectProblem(answer, status);
  expect([400, 401, 403, 404, 405, 409, 412, 413, 415, 429]).toContain(status);
  const text = JSON.stringify({ ...body, instance: "" });
  // The answer may repeat what was sent.
  if (!internals.test(`${request.path} ${JSON.stringify(request.body)}`)) expect(text).not.toMatch(internals);
  if (status !== 400) return;
  expect(body.errors.length).toBeGreaterThan(0);
  for (const { pointer, code, message } of body.errors) {
    expect([typeof code, typeof message]).toEqual(["string", "string"]);
    expect(message).not.toBe("");
    if (!/^\/(path|query|header|lines)\//.test(pointer)) expectToPoint(pointer, sent);
  }
}

/** Checks that all parts of a pointer exist except the last; the last one may be what is missing. */
function expectToPoint(pointer: string, sent: unknown) {
  expect(pointer).toMatch(/^(\/|$)/);
  let at = sent;
  for (const part of pointer.split("/").slice(1, -1)) {
    expect(at, `${pointer} in ${JSON.stringify(sent).slice(0, 500)}`).toBeTypeOf("object");
    at = (at as Record<string, unknown>)[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
}

const takesJson = ({ content }: Operation) => content["application/json"] !== undefined;
const takesInput = (one: Operation) =>
  one.parameters.some(({ in: place }) => place !== "header") || Object.keys(one.content).length > 0;

// Codes of faults that a schema describes: a request that the document allows is only refused for other reasons.
const schemaCodes = [
  "invalid_type",
  "invalid_value",
  "too_big",
  "too_small",
  "unknown_member",
  "invalid_union",
  "invalid_format",
];
const served = new Map<OperationId, { done: number; sent: number; refusals: Set<string> }>();

describe.each(operations.filter(takesInput))("$id", (operation) => {
  const { id } = operation;
  const sample = samples.get(id) as Parts;
  const good = async () => await requests[id](world);

  it("accepts what the document allows, or refuses it for a rule that no schema has", { timeout: 1_000_000 }, async () => {
    const count = { done: 0, sent: 0, refusals: new Set<string>() };
    served.set(id, count);
    await fc.assert(
      fc.asyncProperty(partsArbitrary(operation, sample), async (parts) => {
        const request = withParts(operation, parts, await good());
        const answer = await send(operation, request);
        expectAnswered(operation, request, answer, request.body);
        count.sent += 1;
        if (answer.status < 300) count.done += 1;
        const codes = (answer.body?.errors ?? []).map(({ code, pointer }: Record<string, string>) => `${code} ${pointer}`);
        if (answer.status >= 400) count.refusals.add(`${answer.status} ${codes}`);
        if (answer.status === 400)
          for (const code of schemaCodes) expect(codes.join(), JSON.stringify(answer.body)).not.toContain(code);
      }),
      asserted,
    );
  });

  if (takesJson(operation))
    it("answers or refuses any body without failing", { timeout: 1_000_000 }, async () => {
      const headers = fc.record({
        type: seldom(...contentTypes),
        key: seldom("key", "", "k".repeat(256), "a b", "a\tb"),
        encoding: seldom("gzip", "br", "identity", "x"),
      });
      const headersOf = ({
        type,
        key,
        encoding,
      }: {
        type?: string | undefined;
        key?: string | undefined;
        encoding?: string | undefined;
      }) => ({
        ...(type !== undefined && { "content-type": type }),
        ...(key !== undefined && { "idempotency-key": key }),
        ...(encoding !== undefined && { "content-encoding": encoding }),
      });
      const spoiled = fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => ({ changes, stumbling: "" }));
      const stumbled = fc.constantFrom(...Object.keys(stumblings)).map((stumbling) => ({ changes: [] as Change[], stumbling }));
      const how = fc.oneof({ weight: 2, arbitrary: spoiled }, { weight: 1, arbitrary: stumbled });
      await fc.assert(
        fc.asyncProperty(how, headers, async ({ changes, stumbling }, odd) => {
          const request = await good();
          const body = JSON.stringify(spoil(request.body, changes));
          const sent = stumblings[stumbling]?.(body) ?? body;
          const hostile = { path: request.path, headers: headersOf(odd), body: sent };
          expectAnswered(operation, hostile, await send(operation, hostile), parsed(sent));
        }),
        asserted,
      );
    });

  if (takesJson(operation))
    it("refuses a body that is missing, of another type or too large", async () => {
      const { body, ...rest } = await good();
      expectProblem(await send(operation, rest), 400, "");
      expectProblem(
        await send(operation, { ...rest, body: "a=1", headers: { "content-type": "application/x-www-form-urlencoded" } }),
        415,
      );
      const large = JSON.stringify({ ...(body as object), large: "x".repeat(1024 * 1024) });
      expectProblem(await send(operation, { ...rest, body: large }), 413);
    });

  if (operation.parameters.length > 0)
    it("answers or refuses any address without failing", { timeout: 1_000_000 }, async () => {
      const members = operation.parameters.flatMap(({ name, in: place }) => (place === "query" ? [name] : []));
      const query = fc.array(fc.tuple(fc.constantFrom(...members, "machineId[]", "x", "__proto__"), addressPart), {
        maxLength: 3,
      });
      await fc.assert(
        fc.asyncProperty(fc.array(addressPart, { minLength: 2, maxLength: 2 }), query, fc.nat(4), async (names, added, which) => {
          const request = await good();
          const [goodPath = "", goodQuery = ""] = request.path.split("?");
          const spoiled = operation.path.split("/").map((name, i) => (name.startsWith("{") ? names[i % 2] : name));
          const path = which === 0 || !operation.path.includes("{") ? goodPath : spoiled.join("/");
          // Two dots lead to the path of another operation.
          if (new URL(path, "http://x").pathname.split("/").length !== operation.path.split("/").length) return;
          const text = [...goodQuery.split("&").slice(which), ...added.map((pair) => pair.join("="))].join("&");
          const hostile = { ...request, path: `${path}?${text}` };
          expectAnswered(operation, hostile, await send(operation, hostile), request.body ?? {});
        }),
        asserted,
      );
    });
});

function seldom(...values: string[]) {
  return fc.option(fc.constantFrom(...values), { freq: 10, nil: undefined });
}

function parsed(sent: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof sent === "string" ? sent : new TextDecoder().decode(sent));
  } catch {
    return {};
  }
}

describe("a form and a file", () => {
  it("is accepted or refused by uploadThumbnail, whatever the picture", { timeout: 1_000_000 }, async () => {
    const operation = operations.find(({ id }) => id === "uploadThumbnail") as Operation;
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
        const request = { ...(await requests.uploadThumbnail(world)), body: form };
        const answer = await send(operation, request);
        expectAnswered(operation, request, answer, {});
        expect(answer.status, "random bytes are no picture").toBeGreaterThanOrEqual(400);
      }),
      { ...asserted, numRuns: 5 * runs },
    );
  });

  it("is accepted or refused by uploadOperatorPlan, whatever the lines", { timeout: 1_000_000 }, async () => {
    const operation = operations.find(({ id }) => id === "uploadOperatorPlan") as Operation;
    const odd = fc.oneof(
      fc.constantFrom("", '"', '"a', 'a"b', "\0", "\ud800", "x".repeat(70_000), "\r", "\n\n", "\ufeff", ",,", "=1+1"),
      fc.string({ unit: "binary", maxLength: 10 }),
    );
    const place = fc.record({ at: fc.nat(), text: odd, isInserted: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 3 }), async (places) => {
        const good = await requests.uploadOperatorPlan(world);
        const body = places.reduce((csv, { at, text, isInserted }) => {
          const from = at % (csv.length + 1);
          return csv.slice(0, from) + text + csv.slice(isInserted ? from : from + text.length);
        }, String(good.body));
        const request = { ...good, body };
        expectAnswered(operation, request, await send(operation, request), {});
      }),
      { ...asserted, numRuns: 5 * runs },
    );
  });
});

describe("a YAML text with damage", () => {
  it("is accepted or refused by putPlantFile, whatever the text", { timeout: 1_000_000 }, async () => {
    const operation = operations.find(({ id }) => id === "putPlantFile") as Operation;
    const odd = fc.oneof(
      fc.constantFrom(
        "",
        '"',
        "'",
        "\0",
        "\ud800",
        "\t",
        "\r",
        "\n\n",
        "\ufeff",
        "- ",
        "? ",
        ": ",
        "&a ",
        "*a",
        "!t ",
        "%YAML 1.1",
        "---\n",
      ),
      fc.constantFrom(
        "{",
        "}",
        "[",
        "]",
        "|",
        ">",
        "#",
        "@",
        "`",
        "...\n",
        "<<: ",
        "0x10",
        ".inf",
        ".nan",
        "~",
        "__proto__: ",
        "- ".repeat(40),
      ),
      fc.string({ unit: "binary", maxLength: 10 }),
    );
    const place = fc.record({ at: fc.nat(), text: odd, isInserted: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 3 }), async (places) => {
        const { path } = await requests.putPlantFile(world);
        const good = `formatVersion: 1\ndefectReasons:\n- name: Reason ${crypto.randomUUID()}\nlines:\n- {name: Line 9, order: 3}\n`;
        const body = places.reduce((yaml, { at, text, isInserted }) => {
          const from = at % (yaml.length + 1);
          return yaml.slice(0, from) + text + yaml.slice(isInserted ? from : from + text.length);
        }, good);
        const request = { path, body, headers: { "content-type": "application/yaml" } };
        const { status, body: answer } = await send(operation, request);
        expect(status < 500 || JSON.stringify(answer)).toBe(true);
        expect([200, 400, 409]).toContain(status);
      }),
      { ...asserted, numRuns: 5 * runs },
    );
  });
});

async function expectNoChange(requests: Refused[]): Promise<void> {
  for (const { operation } of requests) await tokenFor(operation);
  const before = await everything();
  const again: Refused[] = [];
  for (const one of requests) if ((await send(one.operation, one.request)).status >= 400) again.push(one);
  // A request that succeeds now was refused because of a state that has changed: the others are sent once more, without it.
  if (again.length < requests.length) return await expectNoChange(again);
  expect(await everything()).toEqual(before);
}

describe("after all these requests", () => {
  // With few runs, an operation that seldom succeeds may be missed.
  if (runs >= 20)
    it("every operation has accepted something that the document allows", () => {
      const lines = [...served].map(([id, { done, sent, refusals }]) => `${id} ${done}/${sent} ${[...refusals].join(" | ")}`);
      // biome-ignore lint/suspicious/noConsole: asked for.
      if (log) console.info([...lines, `${asked} requests`].join("\n"));
      expect([...served].flatMap(([id, { done }]) => (done > 0 ? [] : id))).toEqual([]);
    });

  it("refused requests have changed nothing", { timeout: 1_000_000 }, async () => {
    const chunk = 25;
    for (let from = 0; from < refused.length; from += chunk) await expectNoChange(refused.slice(from, from + chunk));
  });

  it("every operation still works", async () => {
    world = await createWorld();
    tokens.clear();
    for (const operation of operations) {
      const answer = await send(operation, await requests[operation.id](world));
      expect(answer.status, `${operation.id} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    }
  });
});
