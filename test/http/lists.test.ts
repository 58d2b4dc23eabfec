import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { stopClock } from "../support/clock.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createUser } from "../support/factories.ts";

/** A company with operators of these names, and an admin. */
async function companyWith(names: readonly string[]) {
  const { companyId } = await createCompany();
  const { token, userId } = await createUser(companyId, "admin");
  const now = Date.now();
  await env.DB_0.prepare(
    `INSERT INTO operators (company_id, name, code, created_at, updated_at)
      SELECT ?1, value, 'C' || key, ?2, ?2 FROM json_each(?3)`,
  )
    .bind(companyId, now, JSON.stringify(names))
    .run();
  return { companyId, token, userId };
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `Operator ${i}`);
const linesOf = (text: string) => text.split("\r\n").slice(0, -1);

describe("a list as a file", () => {
  it("is CSV with a header and all items, of many pages", async () => {
    const { token } = await companyWith(numbered(1203));
    const answer = await call("GET", "/v1/operators?format=csv", { token });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="operators.csv"');
    const [head, ...rows] = linesOf(answer.body);
    expect(head).toBe("id,companyId,name,code,hasPin,createdAt,updatedAt,deletedAt");
    expect(rows.map((row) => row.split(",")[2])).toEqual(numbered(1203));
  });

  it("is NDJSON with the items of the JSON answer", async () => {
    const { token } = await companyWith(numbered(3));
    const { body } = await call("GET", "/v1/operators", { token });
    const answer = await call("GET", "/v1/operators", { token, headers: { accept: "application/x-ndjson" } });
    expect(answer.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    expect(answer.headers.get("vary")).toContain("Accept");
    expect(
      answer.body
        .split("\n")
        .slice(0, -1)
        .map((line: string) => JSON.parse(line)),
    ).toEqual(body.data);
  });

  it("has limit items from the cursor on", async () => {
    const { token } = await companyWith(numbered(9));
    const { body } = await call("GET", "/v1/operators?limit=2", { token });
    const { body: text } = await call("GET", `/v1/operators?format=csv&limit=3&cursor=${body.cursor}`, { token });
    expect(linesOf(text).map((line) => line.split(",")[2])).toEqual(["name", "Operator 2", "Operator 3", "Operator 4"]);
  });

  it("is in the format that Accept prefers, unless the query names one", async () => {
    const { token } = await companyWith(["A"]);
    const typeOf = async (accept: string, query = "") =>
      (await call("GET", `/v1/operators${query}`, { token, headers: { accept } })).headers
        .get("content-type")
        ?.replace(/;.*/, "");
    expect(await typeOf("text/csv")).toBe("text/csv");
    expect(await typeOf("application/json;q=0.5, text/csv")).toBe("text/csv");
    expect(await typeOf("text/html, */*;q=0.8")).toBe("application/json");
    expect(await typeOf("text/csv", "?format=json")).toBe("application/json");
  });

  it("protects against formulas, and quotes values that need it", async () => {
    const names = [
      "=1+1",
      "+1",
      "-1",
      "@x",
      "\tx",
      'a "b", c',
      "two\r\nlines",
      "plain - text",
      "＝1",
      "a;=1+1;b",
      "a|@x",
      "a,-1,+2",
    ];
    const { token } = await companyWith(names);
    const { body } = await call("GET", "/v1/operators?format=csv", { token });
    for (const cell of [
      "'=1+1",
      "'+1",
      "'-1",
      "'@x",
      "'\tx",
      '"a ""b"", c"',
      '"two\r\nlines"',
      "plain - text",
      "'＝1",
      "a;'=1+1;b",
      "a|'@x",
      "\"a,'-1,'+2\"",
    ]) {
      expect(body).toContain(`,${cell},`);
    }
  });

  it("can be read by an Excel with decimal commas", async () => {
    const { companyId } = await createCompany();
    const { token } = await createUser(companyId, "admin");
    const machine = { name: "a;b", ref: `M-${companyId}`, nodeId: 4, standardCycleSeconds: 12.5 };
    const made = await call("POST", "/v1/machines", { token, body: machine });
    expect(made.body).toMatchObject({ name: "a;b" });
    const { body } = await call("GET", "/v1/machines?format=csv&decimal=comma", { token });
    const response = await exports.default.fetch(
      new Request("http://andon.test/v1/machines?format=csv&decimal=comma", { headers: { authorization: `Bearer ${token}` } }),
    );
    expect([...new Uint8Array(await response.arrayBuffer()).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(body).toContain(';"a;b";');
    expect(body).toContain(";12,5;");
  });

  it("has local times on request", async () => {
    const { companyId } = await createCompany({ timezone: "Europe/Madrid" });
    const { token } = await createUser(companyId, "admin");
    const at = Date.parse("2026-07-01T22:30:05.123Z");
    await env.DB_0.prepare("INSERT INTO operators (company_id, name, code, created_at, updated_at) VALUES (?, 'A', 'C', ?, ?)")
      .bind(companyId, at, Date.parse("2026-01-01T23:00:00Z"))
      .run();
    const { body } = await call("GET", "/v1/operators?format=csv&tz=local", { token });
    expect(body).toContain(",2026-07-02T00:30:05+02:00,2026-01-02T00:00:00+01:00,");
    const ndjson = await call("GET", "/v1/operators?format=ndjson&tz=local", { token });
    expect(JSON.parse(ndjson.body)).toMatchObject({
      createdAt: "2026-07-02T00:30:05+02:00",
      updatedAt: "2026-01-02T00:00:00+01:00",
    });
  });

  it("refuses options that are only for CSV in other formats", async () => {
    const { token } = await companyWith([]);
    expectProblem(await call("GET", "/v1/operators?decimal=comma", { token }), 400, "/query/decimal");
    expectProblem(await call("GET", "/v1/operators?tz=local", { token }), 400, "/query/tz");
    expectProblem(await call("GET", "/v1/operators?decimal=comma&format=ndjson", { token }), 400, "/query/decimal");
    expectProblem(await call("GET", "/v1/operators?format=xml", { token }), 400, "/query/format");
  });
});

describe("the total of a list", () => {
  it("counts all pages in the same trip", async () => {
    const { token } = await companyWith(numbered(7));
    stopClock();
    const first = await call("GET", "/v1/operators?limit=2&total=true", { token });
    expect(first.body).toMatchObject({ data: { length: 2 }, total: 7 });
    const second = await call("GET", `/v1/operators?limit=2&total=true&cursor=${first.body.cursor}`, { token });
    expect(second.body.total).toBe(7);
    expect(second.headers.get("server-timing")).toContain('"1 trip"');
  });
});
