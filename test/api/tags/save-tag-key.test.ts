import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Role } from "../../../src/db/schema.ts";
import { type CallOptions, call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createCompany, createUser } from "../../support/factories.ts";
import { overtakenBy } from "../../support/overtaken.ts";

const path = "/tags/key";
const random = () => crypto.randomUUID();

async function newTagger(role: Role = "admin") {
  const { companyId } = await createCompany();
  const { token, userId } = await createUser(companyId, role);
  const tag = (more: object = {}) => ({
    companyId,
    sort: 1.5,
    subject: "Machines",
    tagKey: `Hall ${random()}`,
    description: "Where it stands",
    color: "#00aa00",
    isDefault: true,
    ...more,
  });
  const save = (body: unknown, headers: Record<string, string> = {}, via?: CallOptions["via"]) =>
    call("POST", path, { token, body, headers, ...(via && { via }) });
  return { companyId, userId, tag, save };
}

const stored = async (companyId: number) =>
  (await env.DB_0.prepare("select * from tag_keys where company_id = ? order by tag_key").bind(companyId).all()).results;

describe("saving a tag key", () => {
  it("creates it in the contract's shape", async () => {
    const { companyId, tag, save } = await newTagger();
    const sent = tag();
    await save({});
    const { status, body, headers } = await save({ ...sent, tagValue: "ignored", id: undefined, more: 1 });
    expect(status).toBe(200);
    expect(body).toStrictEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), ...sent, tagValue: "" });
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    const rows = await stored(companyId);
    expect(rows).toEqual([
      {
        id: body.id,
        company_id: companyId,
        sort: 1.5,
        subject: "Machines",
        tag_key: sent.tagKey,
        tag_value: "",
        description: sent.description,
        color: sent.color,
        is_default: 1,
        created_at: expect.any(Number),
        updated_at: expect.any(Number),
      },
    ]);
  });

  it("changes the tag of the same subject and key, which keeps its id and value", async () => {
    const { companyId, tag, save } = await newTagger();
    const first = (await save(tag({ tagKey: "Hall" }))).body;
    await env.DB_0.prepare("update tag_keys set tag_value = 'North \"1\"' where id = ?").bind(first.id).run();
    const changed = tag({ tagKey: "Hall", sort: -3, description: "", color: "", isDefault: false });
    const { status, body } = await save(changed);
    expect({ status, body }).toStrictEqual({ status: 200, body: { id: first.id, tagValue: 'North "1"', ...changed } });
    expect(await stored(companyId)).toMatchObject([{ id: first.id, sort: -3, is_default: 0, description: "", color: "" }]);
    await save(tag({ tagKey: "Hall", subject: "Skus" }));
    await save(tag({ tagKey: "hall" }));
    expect(await stored(companyId)).toHaveLength(3);
  });

  it("changes the tag with an id, also its subject and key", async () => {
    const { companyId, tag, save } = await newTagger();
    const { id } = (await save(tag())).body;
    const changed = tag({ id, subject: "Stops", tagKey: "Crew", sort: 2 });
    const { status, body } = await save(changed);
    expect({ status, body }).toStrictEqual({ status: 200, body: { ...changed, tagValue: "" } });
    expect((await save(changed)).body).toStrictEqual(body);
    expect(await stored(companyId)).toMatchObject([{ id, subject: "Stops", tag_key: "Crew", sort: 2 }]);
  });

  it("cannot take another tag's subject and key", async () => {
    const { companyId, tag, save } = await newTagger();
    await save(tag({ tagKey: "Area" }));
    const { id } = (await save(tag({ tagKey: "Zone" }))).body;
    const before = await stored(companyId);
    const answer = await save(tag({ id, tagKey: "Area" }));
    expectProblem(answer, 409, "/tagKey");
    expect(await stored(companyId)).toEqual(before);
    expect((await save(tag({ id, tagKey: "Area", subject: "Shifts" }))).status).toBe(200);
  });

  it("returns every text and number as it was sent", async () => {
    const { tag, save } = await newTagger();
    for (const sort of [0, -0.1, 1e-7, 0.1 + 0.2, 2 ** 53, -(2 ** 53)]) {
      const sent = tag({ sort, tagKey: `"\\/ \u2028é€😀'; -- ${random()}` });
      expect((await save(sent)).body).toMatchObject(sent);
    }
  });
});

describe("tags of companies", () => {
  it.each(["admin", "superadmin"] as const)("%s saves only for the own company", async (role) => {
    const { tag, save } = await newTagger(role);
    const other = await newTagger();
    const { id } = (await other.save(other.tag({ tagKey: "Theirs" }))).body;
    const before = await stored(other.companyId);
    expectProblem(await save(tag({ companyId: other.companyId })), 404);
    expectProblem(await save(tag({ companyId: other.companyId, id })), 404);
    expectProblem(await save(tag({ id })), 404);
    expectProblem(await save(tag({ companyId: 2 ** 40 })), 404);
    expect((await save(tag({ tagKey: "Theirs" }))).status).toBe(200);
    expect(await stored(other.companyId)).toEqual(before);
  });

  it("superuser saves for any existing company", async () => {
    const { tag, save } = await newTagger("superuser");
    const other = await newTagger();
    const { status, body } = await save(other.tag());
    expect({ status, companyId: body.companyId }).toEqual({ status: 200, companyId: other.companyId });
    expect((await save(other.tag({ id: body.id }))).status).toBe(200);
    expectProblem(await save(tag({ id: body.id })), 404);
    expectProblem(await save(tag({ id: random() })), 404);
    expectProblem(await save(tag({ companyId: 2 ** 40 })), 404);
  });
});

describe("bad input", () => {
  it("names each fault", async () => {
    const { companyId, tag, save } = await newTagger();
    const faulty: [string, object][] = [
      ["/companyId", { companyId: String(companyId) }],
      ["/companyId", { companyId: 1.5 }],
      ["/companyId", { companyId: 2 ** 53 }],
      ["/sort", { sort: "1" }],
      ["/sort", { sort: 2 ** 53 + 2 }],
      ["/sort", { sort: null }],
      ["/subject", { subject: "machines" }],
      ["/tagKey", { tagKey: "" }],
      ["/tagKey", { tagKey: "k".repeat(201) }],
      ["/tagKey", { tagKey: "a\0b" }],
      ["/tagKey", { tagKey: "\ud800" }],
      ["/description", { description: "d".repeat(2001) }],
      ["/color", { color: "c".repeat(51) }],
      ["/color", { color: ["red"] }],
      ["/isDefault", { isDefault: 1 }],
      ["/id", { id: "7" }],
      ["/id", { id: null }],
    ];
    for (const [pointer, bad] of faulty) expectProblem(await save(tag(bad)), 400, pointer);
    const all = ["/companyId", "/sort", "/subject", "/tagKey", "/description", "/color", "/isDefault"];
    expectProblem(await save({}), 400, ...all);
    expectProblem(await save(JSON.stringify(tag()).replace('"sort":1.5', '"sort":1e400')), 400, "/sort");
    for (const body of ["", "{", "[]", "null"]) expectProblem(await save(body), 400, "");
    expect(await stored(companyId)).toEqual([]);
  });
});

describe("with an Idempotency-Key", () => {
  it("a repeated request gets the first answer and does nothing", async () => {
    const { companyId, tag, save } = await newTagger();
    const key = { "idempotency-key": random() };
    const sent = tag({ tagKey: 'A "\u2028/😀', sort: 1e-7 });
    const first = await save(sent, key);
    await save({ ...sent, color: "changed since" });
    const again = await save(sent, key);
    expect(again.status).toBe(200);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
    expect(again.body).toStrictEqual(first.body);
    expect(await stored(companyId)).toMatchObject([{ color: "changed since" }]);
    expectProblem(await save({ ...sent, sort: 2 }, key), 409);
  });

  it("the answer is replayed byte for byte", async () => {
    const { companyId } = await createCompany();
    const { token } = await createUser(companyId, "admin");
    const body = {
      companyId,
      sort: 1,
      subject: "Skus",
      tagKey: '\\"/é😀',
      description: "",
      color: "",
      isDefault: true,
    };
    const bytes: string[] = [];
    const via = async (request: Request) => {
      const response = await exports.default.fetch(request);
      bytes.push(await response.clone().text());
      return response;
    };
    const key = { "idempotency-key": random() };
    const { id } = (await call("POST", path, { token, body, headers: key, via })).body;
    await env.DB_0.prepare("update tag_keys set tag_value = ? where id = ?").bind('\b\u001f\u007f\\"/\u2028é😀', id).run();
    await call("POST", path, { token, body, headers: key, via });
    expect(bytes[1]).toBe(bytes[0]);
    const another = { "idempotency-key": random() };
    for (let i = 0; i < 2; i++) await call("POST", path, { token, body, headers: another, via });
    expect(bytes[2]).not.toBe(bytes[0]);
    expect(bytes[3]).toBe(bytes[2]);
  });

  it("a repeated request also gets the warning about ignored members", async () => {
    const { tag, save } = await newTagger();
    const sent = { ...tag(), more: 1 };
    const key = { "idempotency-key": random() };
    const [first, again] = [await save(sent, key), await save(sent, key)];
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(first.headers.get("x-ignored-members")).toBe("/more");
    expect(again.headers.get("x-ignored-members")).toBe("/more");
  });

  it("a refusal is not stored, and a change by id is answered in the same way", async () => {
    const { tag, save } = await newTagger();
    const key = { "idempotency-key": random() };
    const { id } = (await save(tag({ tagKey: "Hall" }))).body;
    const other = (await save(tag({ tagKey: "Area" }))).body;
    const wanted = tag({ id, tagKey: "Area" });
    expectProblem(await save(wanted, key), 409, "/tagKey");
    expectProblem(await save(tag({ id: random() }), key), 404);
    expect((await save(tag({ id: other.id, tagKey: "Area 2" }))).status).toBe(200);
    const done = await save(wanted, key);
    expect(done.status).toBe(200);
    expect(done.headers.get("idempotent-replayed")).toBeNull();
    expect((await save(wanted, key)).body).toStrictEqual(done.body);
  });

  it("two requests at the same time do the work once and get the same answer", async () => {
    const { companyId, tag, save } = await newTagger();
    const key = { "idempotency-key": random() };
    const sent = tag();
    const answers = await Promise.all([1, 2, 3, 4].map(() => save(sent, key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.has("idempotent-replayed"))).toHaveLength(3);
    expect(await stored(companyId)).toHaveLength(1);
  });
});

describe("requests at the same time", () => {
  it("that save one subject and key make one tag", async () => {
    const { companyId, tag, save } = await newTagger();
    const answers = await Promise.all([1, 2, 3, 4, 5].map((sort) => save(tag({ tagKey: "Hall", sort }))));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await stored(companyId)).toHaveLength(1);
  });

  it("for one key of two tags: one gets it, the other a conflict", async () => {
    const { companyId, tag, save } = await newTagger();
    const ids = [(await save(tag({ tagKey: "A" }))).body.id, (await save(tag({ tagKey: "B" }))).body.id];
    const answers = await Promise.all(ids.map((id) => save(tag({ id, tagKey: "C" }))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await stored(companyId)).filter(({ tag_key }) => tag_key === "C")).toHaveLength(1);
  });

  it("that another one overtakes between reading and writing start over", async () => {
    const { companyId, tag, save } = await newTagger();
    const others: string[] = [];
    const savesHall = async () => others.push((await save(tag({ tagKey: "Hall", sort: others.length }))).body.id);
    const overtaken = await save(tag({ tagKey: "Hall", sort: 7 }), {}, overtakenBy(savesHall, savesHall));
    expect([overtaken.status, overtaken.body.id]).toEqual([200, others[0]]);
    expect(await stored(companyId)).toMatchObject([{ id: others[0], sort: 7 }]);

    const { id } = (await save(tag({ tagKey: "Area" }))).body;
    const takesKey = () => save(tag({ tagKey: "Zone" }));
    expectProblem(await save(tag({ id, tagKey: "Zone" }), {}, overtakenBy(takesKey)), 409, "/tagKey");
    expect(await stored(companyId)).toMatchObject([{ id, tag_key: "Area" }, { tag_key: "Hall" }, { tag_key: "Zone" }]);
  });

  it("that others overtake again and again are refused", async () => {
    const { companyId, tag, save } = await newTagger();
    const saves = Array.from({ length: 10 }, (_, sort) => () => save(tag({ tagKey: "Hall", sort })));
    const overtaken = await save(tag({ tagKey: "Hall", sort: 20 }), {}, overtakenBy(...saves));
    expectProblem(overtaken, 409);
    expect(await stored(companyId)).toMatchObject([{ sort: 9 }]);
  });
});
