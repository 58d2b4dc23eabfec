import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Role } from "../../../../src/db/schema.ts";
import { call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createCompany, createNotification, createUser } from "../../../support/factories.ts";

const path = "/notifications/markRead";

async function newReader(role: Role = "readonly") {
  const { companyId } = await createCompany();
  const { token, userId } = await createUser(companyId, role);
  const mark = (notificationIds: unknown) => call("PATCH", path, { token, body: { notificationIds } });
  return { companyId, token, userId, mark };
}

const readAt = (id: string) =>
  env.DB_0.prepare("select read_at from notifications where id = ?").bind(id).first<number>("read_at");

describe("marking notifications as read", () => {
  it("marks the given ones", async () => {
    const { userId, mark } = await newReader();
    const [first, second, third] = [
      await createNotification(userId),
      await createNotification(userId),
      await createNotification(userId),
    ];
    await mark(null);
    const before = Date.now();
    const { status, body } = await mark([first.id, second.id]);
    expect({ status, body }).toEqual({ status: 204, body: null });
    for (const { id } of [first, second]) {
      expect(await readAt(id)).toBeGreaterThanOrEqual(before);
      expect(await readAt(id)).toBeLessThanOrEqual(Date.now());
    }
    expect(await readAt(third.id)).toBeNull();
  });

  it("is answered after it is stored", async () => {
    const { userId, mark } = await newReader();
    const { id } = await createNotification(userId);
    const error = vi.spyOn(console, "error").mockReturnValue(undefined);
    await env.DB_0.prepare("CREATE TRIGGER full BEFORE UPDATE ON notifications BEGIN SELECT RAISE(ABORT, 'full'); END").run();
    try {
      expectProblem(await mark([id]), 500);
    } finally {
      await env.DB_0.prepare("DROP TRIGGER full").run();
      error.mockRestore();
    }
    expect((await mark([id])).status).toBe(204);
  });

  it("keeps the time of those read before", async () => {
    const { userId, mark } = await newReader();
    const { id } = await createNotification(userId, { readAt: 5000 });
    for (let i = 0; i < 2; i++) expect((await mark([id])).status).toBe(204);
    expect(await readAt(id)).toBe(5000);
  });

  it("ignores those of other users, also for superusers", async () => {
    const { companyId, userId, mark } = await newReader("superuser");
    const colleague = await createNotification((await createUser(companyId, "user")).userId);
    const foreign = await createNotification((await newReader()).userId);
    const own = await createNotification(userId);
    expect((await mark([colleague.id, "unknown", "", own.id, foreign.id])).status).toBe(204);
    expect([await readAt(colleague.id), await readAt(foreign.id)]).toEqual([null, null]);
    expect(await readAt(own.id)).not.toBeNull();
  });

  it("accepts from none to a thousand ids", async () => {
    const { userId, mark } = await newReader();
    const { id } = await createNotification(userId);
    const others = Array.from({ length: 999 }, () => crypto.randomUUID());
    expect((await mark([])).status).toBe(204);
    expect((await mark([...others, id])).status).toBe(204);
    expect(await readAt(id)).not.toBeNull();
    expectProblem(await mark([...others, id, "more"]), 400, "/notificationIds");
  });

  it("names each fault of the ids", async () => {
    const { token, userId, mark } = await newReader();
    const { id } = await createNotification(userId);
    for (const bad of [null, id, { 0: id }, 7]) expectProblem(await mark(bad), 400, "/notificationIds");
    const faulty = [7, null, "i".repeat(101), "a\0", "\ud800"];
    for (const bad of faulty) expectProblem(await mark([id, bad]), 400, "/notificationIds/1");
    expectProblem(await mark([id, "a", id, "b", "a"]), 400, "/notificationIds/2", "/notificationIds/4");
    expectProblem(await call("PATCH", path, { token, body: {} }), 400, "/notificationIds");
    for (const body of ["", "{", "[]", "null"]) expectProblem(await call("PATCH", path, { token, body }), 400, "");
    expect(await readAt(id)).toBeNull();
  });
});
