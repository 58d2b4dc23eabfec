import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { callOut } from "../../src/channels/call-out.ts";

const call = { url: "https://hooks.example.com/a", method: "POST" as const, headers: { "x-one": "1" }, body: "hello" };
const publicName = async () => ["alias.example.net.", "93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"];

afterEach(() => vi.restoreAllMocks());

/** Answers every call with the given function, and returns the calls. */
function answering(answer: (request: Request) => Response | Promise<Response>) {
  const calls: Request[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input as string | URL, init as RequestInit);
    calls.push(request);
    return await answer(request);
  });
  return calls;
}

test("calls and returns the answer", async () => {
  const calls = answering(() => new Response("thanks", { status: 202, headers: { "x-two": "2" } }));
  const result = await callOut(env, call, publicName);
  expect(result).toMatchObject({ status: 202, text: "thanks", durationMs: expect.any(Number) });
  expect("headers" in result && result.headers.get("x-two")).toBe("2");
  const [request] = calls;
  expect([request?.url, request?.method, request?.redirect]).toEqual([call.url, "POST", "manual"]);
  expect([request?.headers.get("x-one"), await request?.text()]).toEqual(["1", "hello"]);
});

test("an answer with any other status is returned too", async () => {
  answering(() => new Response("no", { status: 500 }));
  expect(await callOut(env, call, publicName)).toMatchObject({ status: 500, text: "no" });
});

test("a redirect fails and is not followed", async () => {
  const calls = answering(() => new Response(null, { status: 302, headers: { location: "https://10.0.0.1/" } }));
  expect(await callOut(env, call, publicName)).toMatchObject({ status: 302, error: expect.stringContaining("redirect") });
  expect(calls).toHaveLength(1);
});

test.each([
  ["an address that is not public", async () => ["127.0.0.1"]],
  ["one such address among others", async () => ["93.184.215.14", "fd00::1"]],
  ["no address", async () => ["alias.example.net."]],
  ["nothing", async () => []],
])("does not call a name that resolves to %s", async (_, resolve) => {
  const calls = answering(() => new Response());
  expect(await callOut(env, call, resolve)).toMatchObject({ error: expect.stringContaining("was not called") });
  expect(calls).toHaveLength(0);
});

/** Answers the platform's look-ups, which use a resolver over HTTPS. Undefined: the resolver cannot be reached. */
function resolver(addresses: { A?: string[]; AAAA?: string[] } | undefined) {
  return answering((request) => {
    const url = new URL(request.url);
    if (url.hostname !== "cloudflare-dns.com") return new Response("called");
    if (!addresses) throw new TypeError("no network");
    const type = url.searchParams.get("type") as "A" | "AAAA";
    const name = url.searchParams.get("name");
    const answers = addresses[type]?.map((data) => ({ name, type: type === "A" ? 1 : 28, TTL: 60, data }));
    return Response.json({ Status: 0, Question: [{ name, type }], ...(answers && { Answer: answers }) });
  });
}

test.each([
  ["both kinds of addresses", { A: ["93.184.215.14"], AAAA: ["2606:2800:21f::1"] }, { text: "called" }],
  ["IPv4 alone", { A: ["alias.example.net.", "93.184.215.14"] }, { text: "called" }],
  ["IPv6 alone", { AAAA: ["2606:2800:21f::1"] }, { text: "called" }],
  ["an inner IPv6 address", { A: ["93.184.215.14"], AAAA: ["::1"] }, { error: expect.stringContaining("not public") }],
  ["no address", {}, { error: expect.stringContaining("no address") }],
  ["nothing, for want of a network", undefined, { error: expect.stringContaining("could not be looked up") }],
])("looks up a name that has %s", async (_, addresses, expected) => {
  const calls = resolver(addresses);
  expect(await callOut(env, call)).toMatchObject(expected);
  expect(calls.filter(({ url }) => url === call.url)).toHaveLength("text" in expected ? 1 : 0);
});

test("does not call a forbidden URL, and loopback only if it is allowed", async () => {
  const calls = answering(() => new Response("ok"));
  const local = { ...call, url: "http://localhost:9/" };
  expect(await callOut(env, local, publicName)).toMatchObject({ error: expect.stringContaining("must start with https://") });
  expect(await callOut({ ...env, ALLOW_LOOPBACK: "on" } as Env, local, publicName)).toMatchObject({ status: 200 });
  expect(calls.map(({ url }) => url)).toEqual([local.url]);
});

test("reads at most 64 KiB of an answer, even an endless one", async () => {
  let isCancelled = false;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("é".repeat(10_000))),
    cancel: () => {
      isCancelled = true;
    },
  });
  answering((request) => {
    request.signal.addEventListener("abort", () => {
      isCancelled = true;
    });
    return new Response(endless);
  });
  const result = await callOut(env, call, publicName);
  expect("text" in result && result.text).toBe("é".repeat(32 * 1024));
  expect(isCancelled).toBe(true);
});

test("gives up after 10 s, whatever hangs", async () => {
  const never = new Promise<never>(() => undefined);
  const bodyHangs = new ReadableStream({ pull: () => never });
  answering(({ url }) => (url.endsWith("/body") ? new Response(bodyHangs) : never));
  const results = await Promise.all([
    callOut(env, call, () => never),
    callOut(env, call, publicName),
    callOut(env, { ...call, url: "https://hooks.example.com/body" }, publicName),
  ]);
  for (const result of results) {
    expect(result).toMatchObject({ error: "gave no answer within 10 s" });
    expect(result.durationMs).toBeGreaterThan(9_000);
  }
});
