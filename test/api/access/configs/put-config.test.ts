import { expect, it } from "vitest";
import { auditEntries } from "../../../support/audit.ts";
import { type CallOptions, call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createCompany, createUser } from "../../../support/factories.ts";
import { overtakenBy } from "../../../support/overtaken.ts";

it("keeps a user's config until the next one, only for that user", async () => {
  const { companyId } = await createCompany();
  const { token, userId } = await createUser(companyId, "readonly");
  const other = await createUser(companyId, "readonly");
  const get = async () => (await call("GET", "/v1/config", { token })).body;
  const put = (config: object) => call("PUT", "/v1/config", { token, body: { config } });
  const none = { userId, companyId, config: {}, createdAt: null, updatedAt: null };
  expect(await get()).toEqual(none);
  const first = { theme: "dark", panes: [{ id: 1, open: null }], "\u{1f4a5}": "a\n\tb" };
  const saved = await put(first);
  expect(saved.body).toEqual({ ...none, config: first, createdAt: expect.any(String), updatedAt: expect.any(String) });
  expect(await get()).toEqual(saved.body);
  const again = await put({ theme: "light" });
  expect(again.body).toMatchObject({ config: { theme: "light" }, createdAt: saved.body.createdAt });
  expect((await get()).config).toEqual({ theme: "light" });
  expect((await call("GET", "/v1/config", { token: other.token })).body.config).toEqual({});
  expect((await call("DELETE", "/config", { token, body: { userId, companyId } })).status).toBe(204);
  expect(await get()).toEqual(none);
});

it("accepts only a map, in a body of at most 64 KiB", async () => {
  const { token } = await createUser((await createCompany()).companyId, "user");
  const put = (body: unknown) => call("PUT", "/v1/config", { token, body });
  expectProblem(await put({}), 400, "/config");
  expectProblem(await put({ config: [] }), 400, "/config");
  expectProblem(await put({ config: "dark" }), 400, "/config");
  const around = JSON.stringify({ config: { a: "" } }).length;
  const room = 64 * 1024 - around;
  expect((await put({ config: { a: "x".repeat(room) } })).status).toBe(200);
  expectProblem(await put({ config: { a: "x".repeat(room + 1) } }), 413);
  const nested = (depth: number) => `{"config":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}}`;
  expectProblem(await put(nested(30_000)), 400, "/config");
  expectProblem(await put(nested(50)), 400, "/config");
  expect((await put(nested(49))).status).toBe(200);
});

it("does not change or audit a config that is sent again", async () => {
  const { token, userId } = await createUser((await createCompany()).companyId, "user");
  const put = (config: object) => call("PUT", "/v1/config", { token, body: { config } });
  const first = await put({ theme: "dark", panes: [1, 1e21] });
  await scheduler.wait(2);
  expect((await put({ theme: "dark", panes: [1, 1e21] })).body).toEqual(first.body);
  expect(await auditEntries({ action: "config.save", objectId: userId })).toHaveLength(1);
});

it("stores the last of two at the same time, one after the other", async () => {
  const { companyId } = await createCompany();
  const { token, userId } = await createUser(companyId, "user");
  const put = (config: object, via?: CallOptions["via"]) =>
    call("PUT", "/v1/config", { token, body: { config }, ...(via && { via }) });
  const audited = async () => (await auditEntries({ companyId })).map(({ before, after }) => ({ before, after }));
  // Neither finds a config.
  const overtaken = await put(
    { last: true },
    overtakenBy(() => put({})),
  );
  expect(overtaken).toMatchObject({ status: 200, body: { config: { last: true } } });
  expect(await audited()).toEqual([
    { before: null, after: { characters: 2 } },
    { before: { characters: 2 }, after: { characters: 13 } },
  ]);
  const remove = () => call("DELETE", "/config", { token, body: { userId, companyId } });
  expect((await put({ last: 1 }, overtakenBy(remove))).status).toBe(200);
  expect((await audited()).at(-1)).toEqual({ before: null, after: { characters: 10 } });
});
