import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { createCompany, createMachine, createUser } from "../support/factories.ts";
import { kinds } from "./kinds.ts";

async function newPlant() {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "superuser");
  const machine = await createMachine(companyId);
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(method, path, { token, body, headers });
  return { companyId, machine, ask };
}

const entries = (companyId: number) =>
  env.DB_0.prepare("select count(*) from audit where company_id = ?").bind(companyId).first<number>("count(*)");
const versions = async (companyId: number) =>
  (await env.DB_0.prepare("select config_version from machines where company_id = ?").bind(companyId).all()).results;

/** The members of an unchanged item that its resource accepts in a change. */
function sendable({ path }: { path: string }, item: Record<string, unknown>): Record<string, unknown> {
  const { id, companyId, createdAt, updatedAt, deletedAt, archivedAt, isSystem, isFavorited, level, ownFlags, ...rest } = item;
  const { thumbnailUrl, compressedThumbnailUrl, fileId, status, operatorCount, machineCount, token, ...known } = rest;
  const { nextRunAt, isRecalculating, hasPin, hasOwnSecret, failingSince, endedAt, endedBecause, secret, ...members } = known;
  if (path === "/v1/api-tokens") return { name: members.name, expiresAt: members.expiresAt };
  if (path === "/v1/dashboards") {
    const instances = members.instances as { id: string; widgetId: string; specOverride: object; visualConfig: object }[];
    const own = instances.map((one) => ({
      id: one.id,
      widgetId: one.widgetId,
      specOverride: one.specOverride,
      visualConfig: one.visualConfig,
    }));
    return { ...members, instances: own };
  }
  return members;
}

describe.each(Object.entries(kinds))("a change of %s that changes nothing", (_name, kind) => {
  it("writes, audits and sends nothing", async () => {
    const { companyId, ask } = await newPlant();
    const { id } = (
      await ask("POST", kind.path, { ...(await kind.body(companyId)), ...(kind.path !== "/v1/companies" && { companyId }) })
    ).body;
    const path = `${kind.path}/${encodeURIComponent(String(id))}`;
    const got = await ask("GET", path);
    expect(got.status, JSON.stringify(got.body)).toBe(200);
    const before = [await entries(companyId), await versions(companyId)];
    for (const body of [{}, sendable(kind, got.body)]) {
      const answer = await ask("PATCH", path, body);
      expect([answer.status, answer.body], JSON.stringify(body)).toEqual([200, got.body]);
    }
    const key = { "idempotency-key": crypto.randomUUID() };
    expect((await ask("PATCH", path, {}, key)).body).toEqual(got.body);
    const again = await ask("PATCH", path, {}, key);
    expect([again.status, again.headers.get("idempotent-replayed"), again.body]).toEqual([200, "true", got.body]);
    expect((await ask("GET", path)).body).toEqual(got.body);
    expect([await entries(companyId), await versions(companyId)]).toEqual(before);
  });
});
