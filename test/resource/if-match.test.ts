import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createUser } from "../support/factories.ts";
import { overtakenBy } from "../support/overtaken.ts";
import { kinds } from "./kinds.ts";

/** A plant with two admins who work at the same time. */
async function newPlant(role: "admin" | "superuser" = "admin") {
  const { companyId } = await createCompany();
  const [one, other] = [await createUser(companyId, role), await createUser(companyId, role)];
  const askAs =
    ({ token }: { token: string }) =>
    (method: string, path: string, body?: unknown, headers: Record<string, string> = {}, via?: ReturnType<typeof overtakenBy>) =>
      call(method, path, { token, body, headers, ...(via && { via }) });
  const entries = async () => (await askAs(one)("GET", "/v1/audit?limit=500")).body.data.length;
  return { companyId, ask: askAs(one), askAsOther: askAs(other), entries };
}

const isWhatChanged = ({ updatedAt }: { updatedAt: string }) => `"${updatedAt}"`;

describe.each(Object.entries(kinds))("two people who change the same of %s", (name, kind) => {
  const { path, body, change } = kind;

  async function newItem() {
    const plant = await newPlant(name === "companies" ? "superuser" : "admin");
    const made = await plant.ask("POST", path, await body(plant.companyId));
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return { ...plant, made, item: `${path}/${encodeURIComponent(String(made.body.id))}` };
  }

  it("see an ETag that every change makes another one", async () => {
    const { ask, made, item } = await newItem();
    const got = await ask("GET", item);
    expect(got.headers.get("etag")).toBe(isWhatChanged(got.body));
    expect(made.headers.get("etag")).toBe(isWhatChanged(made.body));
    const changed = await ask("PATCH", item, change);
    expect(changed.headers.get("etag")).toBe(isWhatChanged(changed.body));
    expect(changed.headers.get("etag")).not.toBe(got.headers.get("etag"));
    expect((await ask("GET", item)).headers.get("etag")).toBe(changed.headers.get("etag"));
    expectProblem(await ask("GET", item, undefined, { "if-match": isWhatChanged(got.body) }), 412);
  });

  it("do not overwrite each other: the second one is refused, and nothing changes", async () => {
    const { ask, askAsOther, item, entries } = await newItem();
    const { headers } = await ask("GET", item);
    const seen = { "if-match": headers.get("etag") ?? "" };
    const first = await ask("PATCH", item, change, seen);
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    const [before, audited] = [await ask("GET", item), await entries()];
    for (const tag of [seen["if-match"], `W/${before.headers.get("etag")}`, '"another"']) {
      for (const refused of [
        await askAsOther("PATCH", item, change, { "if-match": tag }),
        await askAsOther("PATCH", item, {}, { "if-match": tag }),
        await askAsOther("DELETE", item, undefined, { "if-match": tag }),
      ]) {
        expectProblem(refused, 412);
        expect(refused.headers.get("etag")).toBe(before.headers.get("etag"));
        expect(refused.body.detail).toContain(before.headers.get("etag"));
      }
    }
    expectProblem(await askAsOther("PATCH", item, change, { "if-match": "nonsense" }), 400, "/header/if-match");
    expect((await ask("GET", item)).body).toEqual(before.body);
    expect(await entries()).toBe(audited);
    expect((await askAsOther("PATCH", item, change, { "if-match": "*" })).status).toBe(200);
    const now = (await ask("GET", item)).headers.get("etag") ?? "";
    expect((await askAsOther("DELETE", item, undefined, { "if-match": `"another", ${now}` })).status).toBe(204);
  });

  it("do not overwrite each other either if one is faster than the other's commit", async () => {
    const { ask, askAsOther, item } = await newItem();
    const seen = { "if-match": (await ask("GET", item)).headers.get("etag") ?? "" };
    const [member = ["", ""]] = Object.entries(change);
    const faster = () => ask("PATCH", item, Object.fromEntries([member]));
    const refused = await askAsOther("PATCH", item, { ...change, ...Object.fromEntries([member]) }, seen, overtakenBy(faster));
    expectProblem(refused, 412);
    const now = await ask("GET", item);
    expect(now.body).toMatchObject(Object.fromEntries([member]));
    expect(refused.headers.get("etag")).toBe(now.headers.get("etag"));
    // The other members of the refused change are as they were.
    expect((await ask("PATCH", item, Object.fromEntries([member]))).body).toEqual(now.body);
  });

  it("do not delete what the other has changed, either before or while it is deleted", async () => {
    const { ask, askAsOther, item } = await newItem();
    const seen = { "if-match": (await ask("GET", item)).headers.get("etag") ?? "" };
    expectProblem(
      await askAsOther(
        "DELETE",
        item,
        undefined,
        seen,
        overtakenBy(() => ask("PATCH", item, change)),
      ),
      412,
    );
    expectProblem(await askAsOther("DELETE", item, undefined, seen), 412);
    expect((await ask("GET", item)).body).toMatchObject(change);
  });

  it("get the ETag of the first answer when they repeat a request", async () => {
    const { ask, item } = await newItem();
    const seen = (await ask("GET", item)).headers.get("etag") ?? "";
    const headers = { "if-match": seen, "idempotency-key": crypto.randomUUID() };
    const first = await ask("PATCH", item, change, headers);
    const again = await ask("PATCH", item, change, headers);
    expect([again.status, again.body, again.headers.get("etag")]).toEqual([200, first.body, first.headers.get("etag")]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });
});

describe("a change for another time", () => {
  const shift = { name: "Morning", start: "06:00", end: "14:00", days: ["monday"] };
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

  it.each([
    ["ahead", { effectiveFrom: at(20) }],
    ["of the past", { effectiveFrom: at(-20), effectiveUntil: at(-10), reason: "Forgotten" }],
  ])("%s is seen by whoever has read the item before, and so is its withdrawal", async (_when, dates) => {
    const { ask, askAsOther } = await newPlant();
    const { body: made } = await ask("POST", "/v1/shifts", shift);
    const item = `/v1/shifts/${made.id}`;
    const tagOf = async () => (await ask("GET", item)).headers.get("etag") ?? "";
    const seen = { "if-match": await tagOf() };
    const dated = await ask("PATCH", item, { end: "13:00", ...dates }, seen);
    expect(dated, JSON.stringify(dated.body)).toMatchObject({ status: 200, body: { end: "14:00" } });
    expect(dated.headers.get("etag")).toBe(await tagOf());
    expectProblem(await askAsOther("PATCH", item, { end: "12:00", ...dates }, seen), 412);
    expect((await ask("GET", item)).body.end).toBe("14:00");

    const after = { "if-match": await tagOf() };
    const [{ id }] = (await ask("GET", `${item}/versions`)).body.data;
    expect((await ask("DELETE", `${item}/versions/${id}`)).status).toBe(204);
    expectProblem(await askAsOther("DELETE", item, undefined, after), 412);
  });

  it("that is only tried has no ETag, and says if the item was changed", async () => {
    const { ask } = await newPlant();
    const { body: made } = await ask("POST", "/v1/shifts", shift);
    const item = `/v1/shifts/${made.id}`;
    const tried = await ask("PATCH", item, { end: "13:00", dryRun: true }, { "if-match": `"${made.updatedAt}"` });
    expect([tried.status, tried.headers.get("etag")]).toEqual([200, null]);
    await ask("PATCH", item, { name: "Early" });
    expectProblem(await ask("PATCH", item, { end: "13:00", dryRun: true }, { "if-match": `"${made.updatedAt}"` }), 412);
  });
});
