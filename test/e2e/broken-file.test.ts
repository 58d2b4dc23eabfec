import { readdirSync, readFileSync, rmSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { login } from "./api.ts";
import { migratedFolder, startBuilt, stopBuilt } from "./built-service.ts";
import { freePort, newPlant } from "./plant.ts";

const OPERATORS = 20_000;

/** The service with a database that fails after the third page of operators. */
const wrapper = `
import worker from "./index.js";
export * from "./index.js";

export default {
  ...worker,
  fetch(request, env, ctx) {
    let pages = 0;
    const withSession = (start) => {
      const session = env.DB_0.withSession(start);
      return {
        prepare: (query) => session.prepare(query.includes('from "operators"') && ++pages > 3 ? "SELECT * FROM nowhere" : query),
        batch: (statements) => session.batch(statements),
        getBookmark: () => session.getBookmark(),
      };
    };
    return worker.fetch(request, { ...env, DB_0: { withSession } }, ctx);
  },
};
`;

const stateFolder = migratedFolder();
let url: URL;
let token: string;

beforeAll(async () => {
  const plant = await newPlant(stateFolder, 1);
  const folder = join(stateFolder, "v3/d1/miniflare-D1DatabaseObject");
  const file = readdirSync(folder).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name));
  const database = new DatabaseSync(join(folder, String(file)));
  database.exec(readFileSync(plant.sqlFile, "utf8"));
  database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${OPERATORS})
    INSERT INTO operators (company_id, name, code, created_at, updated_at) SELECT ${plant.companyId}, 'Operator ' || i, i, 0, 0 FROM n`);
  database.close();
  const service = await startBuilt({ stateFolder, port: await freePort(), wrapper });
  url = new URL(`${service.url}/v1/operators?format=csv`);
  token = await login(service.url, plant);
});

afterAll(async () => {
  await stopBuilt();
  rmSync(stateFolder, { recursive: true, force: true });
});

test("a client notices that a file is incomplete if reading it failed", async () => {
  const answer = await new Promise<IncomingMessage>((done) => get(url, { headers: { authorization: `Bearer ${token}` } }, done));
  expect(answer.statusCode).toBe(200);
  const parts: string[] = [];
  const read = async () => {
    for await (const part of answer) parts.push(String(part));
  };
  await expect(read()).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(answer.complete).toBe(false);
  const lines = parts.join("").split("\r\n");
  expect(lines[0]).toMatch(/^id,/);
  expect(lines.length).toBeGreaterThan(500);
  expect(lines.length).toBeLessThan(OPERATORS);
});

test("fetch rejects the body of such a file", async () => {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow("terminated");
});

test("the last chunk is never sent", async () => {
  const socket = connect(Number(url.port), url.hostname);
  socket.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: andon\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  const parts: Buffer[] = [];
  socket.on("data", (part) => parts.push(part));
  socket.on("error", () => {});
  await new Promise((closed) => socket.once("close", closed));
  const text = Buffer.concat(parts).toString();
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(text.toLowerCase()).toContain("transfer-encoding: chunked");
  expect(text.slice(-5)).not.toBe("0\r\n\r\n");
});
