import { env } from "cloudflare:workers";
import { and, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { describe, expect, it } from "vitest";
import { auditedVerbs } from "../../src/core/audit.ts";
import { kindNumber, kindNumbers, verbNumbers } from "../../src/db/audit-columns.ts";
import { audit } from "../../src/db/schema.ts";

const db = drizzle(env.DB_0);

/** Stores an entry of a company that nobody else has, and reads it back. */
async function stored(companyId: number, values: { action?: string; objectId?: string; requestId?: string }) {
  const row = { companyId, at: 1, nr: 2, userId: 3, action: "stop.split", objectId: "4", form: 0, changes: null, ...values };
  await db.insert(audit).values({ ...row, changes: [null, null] });
  return await db.select().from(audit).where(eq(audit.companyId, companyId)).get();
}

describe("the numbers of actions", () => {
  it("never change, because entries that are stored keep theirs", () => {
    const kinds =
      "company user line machine shift operator sku stop-cause operator-plan gateway-token api-token widget dashboard count-sensors events held-events " +
      "help-call stop work-order tag alert-rule incident persona chat-room role-permission config quota report-subscription webhook-secret " +
      "webhook-subscription login stop-classification import recalculation calendar-day defect-reason correction event-withdrawal orphaned-edit run presence book-closing hand-over action set-up-import";
    const verbs =
      "create change delete run sign-in sign-out promote set-thumbnail archive unarchive ingest accept drop answer record classify split merge set-target " +
      "report-progress save acknowledge test leave rotate rotate-secret replay ping success failure undo reopen restore";
    const numbered = (names: string) => Object.fromEntries(names.split(" ").map((name, i) => [name, i + 1]));
    expect(kindNumbers).toEqual(numbered(kinds));
    expect(verbNumbers).toEqual(numbered(verbs));
  });

  it("give back every action", () => {
    const actions = Object.entries(auditedVerbs).flatMap(([kind, all]) => all.map((verb) => `${kind}.${verb}`));
    const numbers = actions.map((action) => audit.action.mapToDriverValue(action));
    expect(new Set(numbers).size).toBe(actions.length);
    expect(numbers.map((number) => audit.action.mapFromDriverValue(number as number))).toEqual(actions);
  });
});

it.each(["stop.split", "stop.unheard-of", "login.success"])("the action %s is stored and found", async (action) => {
  const companyId = 2 ** 40 + action.length;
  expect(await stored(companyId, { action })).toMatchObject({
    action,
    kind: kindNumber(action.split(".")[0] ?? "") * Number(!/unheard/.test(action)),
  });
  expect(
    await db
      .select({ at: audit.at })
      .from(audit)
      .where(and(eq(audit.companyId, companyId), eq(audit.action, action))),
  ).toHaveLength(1);
});

it.each([
  ["8858370048001", "integer"],
  ["-5", "integer"],
  ["007", "text"],
  ["9007199254740993", "text"],
  ["1e3", "text"],
  ["", "text"],
  ["3f2b8c1e-0000-4000-8000-000000000000", "text"],
])("the id %s is stored as %s and found", async (objectId, type) => {
  const companyId = 2 ** 41 + [...objectId].reduce((sum, sign) => sum * 7 + sign.charCodeAt(0), 1);
  expect(await stored(companyId, { objectId })).toMatchObject({ objectId });
  const asked = env.DB_0.prepare("SELECT typeof(object_id) AS type FROM audit WHERE company_id = ?").bind(companyId);
  expect(await asked.first("type")).toBe(type);
  expect(
    await db
      .select({ at: audit.at })
      .from(audit)
      .where(and(eq(audit.companyId, companyId), eq(audit.objectId, objectId))),
  ).toHaveLength(1);
});

it.each([
  ["0123abcd-4567-89ab-8def-0123456789ab", 16],
  ["0123ABCD-4567-89AB-8DEF-0123456789AB", 36],
  ["ray-7", 5],
])("the request %s takes %d bytes", async (requestId, bytes) => {
  const companyId = 2 ** 42 + bytes;
  expect(await stored(companyId, { requestId })).toMatchObject({ requestId });
  const asked = env.DB_0.prepare("SELECT length(request_id) AS bytes FROM audit WHERE company_id = ?").bind(companyId);
  expect(await asked.first("bytes")).toBe(bytes);
});
