import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createCompany, createMachine, createUser } from "../../support/factories.ts";
import { serviceWith } from "../../support/service.ts";

// The demo of `npm start` on one's own computer: its first page has a code that makes an empty plant beside the demo plant.

const startCode = "CDFG-3467";
const url = "http://localhost:8787";
const plant = { DEMO_PLANT: '{"password":"demo"}' } as Partial<Env>;
const demo = { ...plant, DEMO_START_CODE: startCode } as Partial<Env>;
const claim = { name: "Ana Ruiz", password: "seven violet kettles hum", companyName: "Plant of caps", timezone: "Europe/Madrid" };

interface From {
  url?: string;
  headers?: Record<string, string>;
  settings?: Partial<Env>;
}

/** Sends a request from somewhere; by default as a browser on this computer does. */
const send = (method: string, path: string, { url: at = url, headers, settings = demo, ...more }: From & { body?: object }) =>
  call(method, path, {
    ...{ ...more, headers: { accept: "text/html", ...headers } },
    via: (request) => serviceWith(settings)(new Request(at + path, request)),
  });
const start = (from: From = {}, changes: object = {}) =>
  send("POST", "/v1/claim", { ...from, body: { ...claim, email: "ana@plant.test", code: startCode, ...changes } });
const isOffered = async (from: From = {}) => String((await send("GET", "/", from)).body).includes(startCode);
const count = async (table: string) => (await env.DB_0.prepare(`SELECT count(*) AS n FROM ${table}`).first<{ n: number }>())?.n;

beforeEach(async () => {
  await env.DIRECTORY.prepare("DELETE FROM login_attempts").run();
});

it("makes a company with an admin of its own, who sees nothing of the demo plant, which stays", async () => {
  const owner = await createCompany();
  const ofDemo = await createUser(owner.companyId, "admin");
  const machine = await createMachine(owner.companyId);
  expect(await isOffered()).toBe(true);
  const { status, body } = await start({ headers: { origin: url, "cf-connecting-ip": "127.0.0.1" } });
  expect(status).toBe(201);
  const signedIn = await call("POST", "/identity/login", { body: { email: "ana@plant.test", password: claim.password } });
  expect(signedIn.body.data).toMatchObject({ companyId: body.companyId, role: "admin" });
  const { token } = signedIn.body.data.jwt;
  expect((await call("GET", "/v1/machines", { token })).body.data).toEqual([]);
  expectProblem(await call("GET", `/v1/machines/${machine.machineId}`, { token }), 404);
  expectProblem(await call("GET", `/v1/machines?companyId=${owner.companyId}`, { token }), 404);
  expect((await call("GET", `/v1/machines/${machine.machineId}`, ofDemo)).status).toBe(200);
  // The same code makes another one, with another account.
  expectProblem(await start(), 409);
  expect((await start({}, { email: "ben@plant.test" })).status).toBe(201);
});

it("is neither offered nor possible on a deployment, through a proxy or a tunnel, by another name, or from another page", async () => {
  const before = [await count("companies"), await count("users")];
  const elsewhere: From[] = [
    { settings: {} },
    { settings: plant },
    { url: "http://192.168.1.20:8787" },
    { url: "https://andon.example" },
    { url: "http://localhost.andon.example" },
    { url: "http://127.0.0.1.nip.io:8787" },
    { url: "http://0.0.0.0:8787" },
    { headers: { "cf-connecting-ip": "192.168.1.7" } },
    { headers: { "cf-connecting-ip": "2001:db8::7" } },
    { headers: { "cf-connecting-ip": "127.0.0.1, 192.168.1.7" } },
    { headers: { origin: "http://evil.example" } },
    { headers: { origin: "http://localhost:8788" } },
    { headers: { origin: "null" } },
    { headers: { forwarded: "for=127.0.0.1" } },
    { headers: { "x-forwarded-for": "127.0.0.1" } },
    { headers: { "x-forwarded-host": "localhost" } },
    { headers: { "x-forwarded-proto": "http" } },
    { headers: { "x-real-ip": "127.0.0.1" } },
    { headers: { via: "1.1 proxy" } },
  ];
  for (const from of elsewhere) {
    expect([from, await isOffered(from)]).toEqual([from, false]);
    const refused = await start(from, { email: "eve@plant.test" });
    expect([from, refused.status, refused.body.detail]).toEqual([from, 409, expect.stringContaining("sign in")]);
  }
  expect([await count("companies"), await count("users")]).toEqual(before);
});

it("locks after ten wrong codes, and no code of a deployment makes a second superuser", async () => {
  for (const code of ["-", " - ", ...Array(8).fill("WRNG-3467")]) {
    const refused = await start({}, { code, email: "eve@plant.test" });
    expectProblem(refused, 400);
    expect(refused.body.errors).toMatchObject([{ pointer: "/code", code: "wrong" }]);
  }
  expectProblem(await start({}, { email: "eve@plant.test" }), 429);
  expect(await count("users WHERE email = 'eve@plant.test'")).toBe(0);
});

it("makes no more than 100 companies in the service, also at once", async () => {
  while (Number(await count("companies")) < 99) await createCompany();
  const answers = await Promise.all([1, 2, 3].map((i) => start({}, { email: `eve${i}@plant.test` })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const refused = await start({}, { email: "eve4@plant.test" });
  expectProblem(refused, 409);
  expect(refused.body.detail).toContain("too many plants");
  expect(await count("companies")).toBe(100);
});
