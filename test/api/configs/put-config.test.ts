import { expect, it } from "vitest";
import { roles } from "../../../src/db/schema.ts";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createCompany, createUser } from "../../support/factories.ts";
import { guardSuite } from "../../support/guards.ts";

guardSuite({ method: "PUT", path: "/v1/config", body: { config: {} }, roles });
guardSuite({ method: "GET", path: "/v1/config", roles });

it("keeps a user's config until the next one, for that user alone", async () => {
  const { companyId } = await createCompany();
  const { token, userId } = await createUser(companyId, "readonly");
  const other = await createUser(companyId, "readonly");
  const get = async () => (await call("GET", "/v1/config", { token })).body;
  const put = (config: object) => call("PUT", "/v1/config", { token, body: { config } });
  const none = { userId, companyId, config: {}, createdAt: null, updatedAt: null };
  expect(await get()).toEqual(none);
  const first = { theme: "dark", panes: [{ id: 1, open: null }], "\u{1f4a5}": "a\0b" };
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

it("takes a map of 64 KiB, and nothing else", async () => {
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
