import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keyIdOf, type Place, seal, unseal } from "../../src/core/cipher.ts";
import { keyRing } from "../../src/core/keys.ts";
import { rotateKey } from "../../src/jobs/rotate-key.ts";
import { call } from "../support/call.ts";
import { createChatRoom, createCompany, createUser } from "../support/factories.ts";
import { changed, serviceWith } from "../support/service.ts";
import { createWebhookSubscription } from "../support/webhooks.ts";

const next = { ENCRYPTION_KEY: Buffer.alloc(32, 21).toString("base64"), ENCRYPTION_KEY_PREVIOUS: env.ENCRYPTION_KEY };
const rotated = { ...env, ...next } as Env;
const [oldKey, newKey] = [keyRing(env)[0].id, keyRing(rotated)[0].id];
const DAY = 86_400_000;
const now = Date.UTC(2026, 10, 26);

const rows = async <T>(query: string) => (await env.DB_0.prepare(query).all()).results as T[];
const uses = () => rows("SELECT key, is_current, texts, unused_since, counted_at FROM key_uses ORDER BY key");
const useOf = async (keyId: string) => (await uses()).find((row) => (row as { key: string }).key === keyId);

/** Only this file's texts are sealed. */
async function clear() {
  for (const table of ["webhook_secrets", "webhook_deliveries", "webhook_subscriptions", "chat_rooms", "key_uses"]) {
    await env.DB_0.exec(`DELETE FROM ${table}`);
  }
}
beforeEach(async () => {
  vi.spyOn(console, "log").mockReturnValue(undefined);
  await clear();
});
afterEach(async () => {
  vi.restoreAllMocks();
  // Otherwise `/health` would miss a key in the tests that follow.
  await clear();
});

/** A company with a sealed text in each column. */
async function office() {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  const secret = (await call("GET", "/webhook-subscriptions/secret", { token })).body;
  await call("POST", "/v1/webhook-secret/rotate", { token });
  const hook = await createWebhookSubscription(companyId);
  await call("POST", `/v1/webhook-subscriptions/${hook.id}/rotate-secret`, { token });
  const room = await createChatRoom(companyId);
  return { companyId, token, secret, hook, room };
}

const texts = () =>
  rows<{ place: string; id: string | number; sealed: string }>(`
    SELECT 'webhook_secrets.sealed_secret' AS place, company_id AS id, sealed_secret AS sealed FROM webhook_secrets
    UNION ALL SELECT 'webhook_secrets.previous_sealed_secret', company_id, previous_sealed_secret FROM webhook_secrets
    UNION ALL SELECT 'webhook_subscriptions.sealed_secret', id, sealed_secret FROM webhook_subscriptions
    UNION ALL SELECT 'webhook_subscriptions.previous_sealed_secret', id, previous_sealed_secret FROM webhook_subscriptions
    UNION ALL SELECT 'chat_rooms.sealed_url', id, sealed_url FROM chat_rooms`);
const opened = async (by: Env) =>
  await Promise.all((await texts()).map(({ place, id, sealed }) => unseal(by, [place, id] as unknown as Place, sealed)));

describe("a replaced encryption key", () => {
  it("opens all texts, which are then sealed again with the new one, and is not needed any more", async () => {
    const { token, secret } = await office();
    const before = await opened(env);
    expect(before).toHaveLength(5);
    expect(before).toContain(secret);
    await rotateKey(env, now);
    expect(await uses()).toEqual([{ key: oldKey, is_current: 1, texts: 5, unused_since: null, counted_at: now }]);

    const via = serviceWith(next);
    expect((await call("GET", "/health", { via })).body).toMatchObject({ encryptionKey: "ok", missingKeys: [] });
    await rotateKey(rotated, now + 1);
    expect(await opened({ ...rotated, ENCRYPTION_KEY_PREVIOUS: "" } as Env)).toEqual(before);
    expect((await texts()).map(({ sealed }) => keyIdOf(sealed))).toEqual(Array(5).fill(newKey));
    expect(await useOf(newKey)).toEqual({ key: newKey, is_current: 1, texts: 5, unused_since: null, counted_at: now + 1 });
    expect(await useOf(oldKey)).toEqual({ key: oldKey, is_current: 0, texts: 0, unused_since: now + 1, counted_at: now + 1 });
    expect((await call("GET", "/webhook-subscriptions/secret", { token, via })).status).toBe(200);

    // Nothing is left: it counts again after a day, and the time since when the old key is unused stays.
    await rotateKey(rotated, now + DAY);
    expect(await useOf(oldKey)).toMatchObject({ counted_at: now + 1 });
    await rotateKey(rotated, now + DAY + 2);
    expect(await useOf(oldKey)).toMatchObject({ unused_since: now + 1, counted_at: now + DAY + 2 });
    await rotateKey(rotated, now + 91 * DAY + 3);
    expect(await useOf(oldKey)).toBeUndefined();
  });

  it("is replaced in bounded steps, and texts that cannot be opened do not hold up the others", async () => {
    const { companyId } = await createCompany();
    const lost = { ...env, ENCRYPTION_KEY: Buffer.alloc(32, 22).toString("base64") } as Env;
    const rooms = await Promise.all(Array.from({ length: 230 }, () => createChatRoom(companyId)));
    for (const { id } of rooms.slice(0, 40)) {
      const sealed = await seal(lost, ["chat_rooms.sealed_url", id], "https://hooks.example.com/");
      await env.DB_0.prepare("UPDATE chat_rooms SET sealed_url = ? WHERE id = ?").bind(sealed, id).run();
    }
    const left: unknown[] = [];
    for (let run = 0; run < 12; run++) {
      await rotateKey(rotated, now + run);
      left.push((((await useOf(oldKey)) ?? {}) as { texts?: number }).texts);
    }
    expect(left[0]).toBeGreaterThanOrEqual(90);
    expect(left.at(-1)).toBe(0);
    const lostKey = keyRing(lost)[0].id;
    expect(await useOf(lostKey)).toMatchObject({ texts: 40, is_current: 0, unused_since: null });
    const { body } = await call("GET", "/health", { via: serviceWith(next) });
    expect(body).toMatchObject({ encryptionKey: "lost", missingKeys: [lostKey] });
  });

  it("leaves a text alone that was changed meanwhile", async () => {
    const { companyId } = await createCompany();
    const { id } = await createChatRoom(companyId);
    const newer = await seal(rotated, ["chat_rooms.sealed_url", id], "https://hooks.example.com/new");
    // Just before the job replaces what it has read.
    let batches = 0;
    const withSession = (start: string) => {
      const session = env.DB_0.withSession(start);
      const batch = async (statements: D1PreparedStatement[]) => {
        if (batches++ === 0) await env.DB_0.prepare("UPDATE chat_rooms SET sealed_url = ? WHERE id = ?").bind(newer, id).run();
        return await session.batch(statements);
      };
      return changed(session, { batch } as object);
    };
    await rotateKey({ ...rotated, DB_0: changed(env.DB_0, { withSession } as object) } as Env, now);
    expect(await rows("SELECT sealed_url FROM chat_rooms")).toEqual([{ sealed_url: newer }]);
  });

  it("still recognizes requests that were answered before with their Idempotency-Key", async () => {
    const { companyId } = await createCompany();
    const { token } = await createUser(companyId, "admin");
    const room = { name: "R", service: "slack", language: "en", url: "https://hooks.example.com/1" };
    const headers = { "idempotency-key": crypto.randomUUID() };
    const send = (body: object, via?: ReturnType<typeof serviceWith>) =>
      call("POST", "/v1/chat-rooms", { token, body, headers, ...(via && { via }) });
    const first = await send(room);
    const again = await send(room, serviceWith(next));
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect((await send({ ...room, name: "S" }, serviceWith(next))).status).toBe(409);
    expect((await rows("SELECT id FROM chat_rooms")).length).toBe(1);
  });
});
