import { env } from "cloudflare:workers";
import { afterEach, describe, expect, inject, it, vi } from "vitest";
import { call } from "../support/call.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createUser } from "../support/factories.ts";
import { changed, serviceWith } from "../support/service.ts";

// Files that are read while they are being sent.

declare module "vitest" {
  interface ProvidedContext {
    transfer: { rows: number };
  }
}

afterEach(() => vi.useRealTimers());

const path = "/v1/operators?format=csv";

async function companyWith(operators: number) {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  await env.DB_0.prepare("INSERT INTO quotas VALUES (?, 'skus-and-operators', ?)").bind(companyId, operators).run();
  await env.DB_0.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
      INSERT INTO operators (company_id, name, code, created_at, updated_at) SELECT ?1, 'Operator ' || i, i, 0, 0 FROM n`,
  )
    .bind(companyId, operators)
    .run();
  return { companyId, token };
}

/** The service with a database that reports each requested page of operators. */
function watched(onPage: (page: number) => void) {
  let pages = 0;
  const withSession = (start?: string) => {
    const session = env.DB_0.withSession(start);
    const prepare = (query: string) => {
      if (query.includes('from "operators"')) onPage(++pages);
      return session.prepare(query);
    };
    return changed(session, { prepare });
  };
  return serviceWith({ DB_0: changed(env.DB_0, { withSession }) });
}

async function open(token: string, via = serviceWith({})) {
  const response = await via(new Request(`http://andon.test${path}`, { headers: { authorization: `Bearer ${token}` } }));
  return { response, reader: (response.body as ReadableStream<Uint8Array>).getReader() };
}

const { rows } = inject("transfer");

it("a file has any number of items, read a few at a time", { timeout: 600_000 }, async () => {
  const { token } = await companyWith(rows);
  let pages = 0;
  const { response, reader } = await open(
    token,
    watched((page) => {
      pages = page;
    }),
  );
  expect(response.status).toBe(200);
  let [lines, largest] = [0, 0];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    largest = Math.max(largest, part.value.byteLength);
    for (const byte of part.value) if (byte === 10) lines += 1;
  }
  expect(lines).toBe(rows + 1);
  expect(largest).toBeLessThan(2_000_000);
  // D1 allows 1,000 queries per request.
  expect(pages).toBeLessThanOrEqual(rows / 2000 + 2);
});

describe("a file that cannot be read completely", () => {
  it("is aborted, and never looks like a shorter file", async () => {
    const { token } = await companyWith(6000);
    const logged = vi.spyOn(console, "log");
    const { response, reader } = await open(
      token,
      watched((page) => {
        if (page === 3) throw new Error("D1_ERROR: Network connection lost.");
      }),
    );
    expect(response.status).toBe(200);
    expect((await reader.read()).done).toBe(false);
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow();
    expect(logged.mock.lastCall?.[0]).toContain('"file":"failed"');
    logged.mockRestore();
  });

  it("is refused if its beginning cannot be read", async () => {
    const { token } = await companyWith(1);
    const via = watched(() => {
      throw new Error("D1_ERROR: Network connection lost.");
    });
    expectProblem(await call("GET", path, { token, via }), 503);
  });

  it("is aborted if its caller reads nothing for a minute", async () => {
    const { token } = await companyWith(6000);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { reader } = await open(token);
    expect((await reader.read()).done).toBe(false);
    await eventually(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
    await vi.advanceTimersByTimeAsync(61_000);
    await expect(reader.read()).rejects.toThrow("takes nothing");
  });
});

describe("callers who read their files slowly", () => {
  it("delay nobody else, and are limited in number", async () => {
    const { token } = await companyWith(6000);
    let pages = 0;
    const via = watched(() => {
      pages += 1;
    });
    const files = [];
    for (let i = 0; i < 8; i++) files.push(await open(token, via));
    for (const { reader } of files) expect((await reader.read()).done).toBe(false);
    expect((await call("GET", "/v1/operators", { token })).status).toBe(200);
    expectProblem(await call("GET", path, { token }), 503);
    // The first page, and one that waits to be read.
    expect(pages).toBeLessThanOrEqual(16);
    for (const { reader } of files) await reader.cancel();
    const again = await open(token);
    expect(again.response.status).toBe(200);
    await again.reader.cancel();
  });
});
