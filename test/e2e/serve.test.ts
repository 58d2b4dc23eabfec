import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { secretsOf } from "../../scripts/secrets.ts";
import { executeSqlFile } from "../../scripts/service.ts";
import { runScript } from "./admin.ts";
import { ingest, login, settledTotal } from "./api.ts";
import { factor, freePort, newPlant } from "./plant.ts";
import { buildServed, endServed, main, serve, stateFolder } from "./served.ts";

// The first start would build it.
beforeAll(buildServed, 300_000);

afterAll(endServed);

/** The processes that a process has started, and theirs. */
function descendants(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  const children = existsSync(path) ? readFileSync(path, "utf8").split(" ").filter(Boolean).map(Number) : [];
  return children.flatMap((child) => [child, ...descendants(child)]);
}

test("npm run serve serves pages, API and static files in two processes, and keeps what it acknowledged when it is ended or killed", async () => {
  const folder = stateFolder();
  const plant = await newPlant(folder, 1);
  await executeSqlFile(folder, plant.sqlFile);
  const port = await freePort();
  let server = await serve(folder, port);
  const statusOf = async (path: string) => (await fetch(server.url + path)).status;
  for (const path of ["/health", "/wall", "/docs", "/docs/swagger-ui.css", "/openapi.json"])
    expect([path, await statusOf(path)]).toEqual([path, 200]);
  // What a development server answers there: jobs, SQL, mails, files.
  for (const path of [
    "local/scheduled?cron=*+*+*+*+*",
    "handler/scheduled",
    "explorer",
    "platform-proxy",
    "mf/r2/andon-thumbnails/x",
  ]) {
    const answer = await fetch(`${server.url}/cdn-cgi/${path}`);
    expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, 404, "application/problem+json"]);
  }
  expect(descendants(server.process.pid ?? 0).length).toBe(1);

  const token = await login(server.url, plant);
  const events = (minute: number) =>
    Array.from({ length: 50 }, (_, i) => {
      const at = new Date(plant.commissionedAt + minute * 60_000 + i * 1000).toISOString();
      return { type: "count" as const, at, nodeId: plant.nodeId, channel: plant.channel, value: 1 };
    });
  expect(await ingest(server.url, token, events(1))).toMatchObject({ accepted: 50 });
  const stoppedAt = Date.now();
  server.process.kill("SIGTERM");
  expect(await server.ended).toBe(0);
  expect(Date.now() - stoppedAt).toBeLessThan(6000);
  await expect(fetch(`${server.url}/health`)).rejects.toThrow();

  server = await serve(folder, port);
  expect(await ingest(server.url, token, events(2))).toMatchObject({ accepted: 50 });
  const [workerd] = descendants(server.process.pid ?? 0);
  server.process.kill("SIGKILL");
  await server.ended;
  if (process.platform === "linux") await expect.poll(() => existsSync(`/proc/${workerd}`), { timeout: 5000 }).toBe(false);

  server = await serve(folder, port);
  expect(await settledTotal(server.url, token, plant.machineId, 100 * factor)).toBe(100 * factor);
  expect(await ingest(server.url, token, [...events(1), ...events(2)])).toMatchObject({ accepted: 0, duplicates: 100 });

  // A runtime that ends by itself ends the service, whose supervisor starts it again.
  process.kill(descendants(server.process.pid ?? 0)[0] ?? 0, "SIGKILL");
  expect(await server.ended).toBe(1);
  expect(server.output).toContain("The runtime ended with SIGKILL.");
});

test("each state folder has secrets of its own, and one from before that keeps its encryption key but not what signs tokens", () => {
  const [one, other, older] = [stateFolder(), stateFolder(), stateFolder()];
  for (const folder of [one, other]) rmSync(join(folder, "v3"), { recursive: true });
  const shared = join(older, "dev.vars");
  writeFileSync(
    shared,
    `JWT_SECRET=${"a".repeat(43)}\nENCRYPTION_KEY=${"b".repeat(43)}=\nSMTP_URL='smtps://me:p w@mail.example'\n`,
  );
  const [first, second, kept] = [one, other, older].map((folder) => secretsOf(folder, shared));
  for (const name of ["JWT_SECRET", "ENCRYPTION_KEY"]) {
    expect(Buffer.from(first?.[name] ?? "", "base64")).toHaveLength(32);
    expect(second?.[name]).not.toBe(first?.[name]);
  }
  expect(secretsOf(one, shared)).toEqual(first);
  expect(statSync(join(one, "secrets.env")).mode & 0o777).toBe(0o600);
  expect(kept).toMatchObject({
    ENCRYPTION_KEY: `${"b".repeat(43)}=`,
    SMTP_URL: "smtps://me:p w@mail.example",
    JWT_SECRET_PREVIOUS: "",
  });
  expect(kept?.JWT_SECRET).not.toBe("a".repeat(43));
  expect(secretsOf(older, shared)).toEqual(kept);
});

test("npm run serve counts the requests of an address together, whatever address a client claims", async () => {
  const { url } = await serve(stateFolder(), await freePort());
  const left = async (headers: Record<string, string>) => {
    const answer = await fetch(`${url}/identity/login`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: "{}",
    });
    return Number(/r=(\d+)/.exec(answer.headers.get("ratelimit") ?? "")?.[1]);
  };
  const claims = [
    {},
    { "cf-connecting-ip": "192.0.2.1" },
    { "mf-cf-blob": '{"clientIp":"192.0.2.2:1"}' },
    { "x-real-ip": "192.0.2.3" },
  ];
  const first = await left({});
  const others = [];
  for (const claim of claims) others.push(await left(claim));
  expect(others).toEqual(claims.map((_, i) => first - 1 - i));
});

test("npm run serve explains itself, and refuses a state folder in use, a port in use and wrong settings", async () => {
  const folder = stateFolder();
  const port = await freePort();
  const { url, process: first } = await serve(folder, port);
  const run = (args: string[], env: NodeJS.ProcessEnv) =>
    runScript([main, ...args], { ANDON_STATE: folder, PORT: String(port), ...env });
  const help = await run(["--help"], {});
  expect([help.status, help.output]).toEqual([0, expect.stringContaining("ANDON_STATE")]);
  const second = await run([], { PORT: String(await freePort()) });
  expect(second.status).toBe(1);
  expect(second.errors).toContain(`is in use by npm run serve (process ${first.pid}), whose service is on ${url}`);
  const elsewhere = await run([], { ANDON_STATE: stateFolder() });
  expect([elsewhere.status, elsewhere.errors]).toEqual([1, expect.stringContaining(`Port ${port} is taken`)]);
  for (const [env, message] of [
    [{ PORT: "a" }, "PORT is a"],
    [{ HOST: "here" }, "HOST is here"],
  ] as const) {
    const refused = await run([], env);
    expect([refused.status, refused.errors]).toEqual([1, expect.stringContaining(message)]);
  }
});
