import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { roles } from "../../../src/db/schema.ts";
import { call } from "../../support/call.ts";
import { createCompany, createSubscription, createUser } from "../../support/factories.ts";
import { listSuite, newestFirst } from "../../support/lists.ts";

listSuite({
  path: "/v1/report-subscriptions",
  createFive: (companyId) =>
    newestFirst(async (createdAt) => {
      const subscription = await createSubscription(companyId);
      await env.DB_0.prepare("UPDATE report_subscriptions SET created_at = ? WHERE id = ?")
        .bind(createdAt, subscription.id)
        .run();
      return subscription;
    }),
});

it("excludes deleted ones", async () => {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "readonly");
  const { id, name } = await createSubscription(companyId, { addresses: ["hall1@example.test"] });
  await createSubscription(companyId, { deletedAt: 1 });
  const [first, ...others] = (await call("GET", "/v1/report-subscriptions", { token })).body.data;
  expect(others).toEqual([]);
  expect(first).toEqual({
    ...{ id, companyId, name, kind: "shift", time: null, weekdays: null, machineIds: null, lineIds: null, shiftIds: null },
    ...{
      personaIds: [],
      addresses: null,
      leftAddresses: null,
      webhookSubscriptionIds: [],
      language: "en",
      isActive: false,
      nextRunAt: null,
    },
    ...{ createdAt: expect.any(String), updatedAt: expect.any(String), deletedAt: null },
  });
});

it("shows addresses only to those who may see personas", async () => {
  const { companyId } = await createCompany();
  const { id } = await createSubscription(companyId, { addresses: ["hall1@example.test"] });
  for (const role of roles) {
    const { token } = await createUser(companyId, role);
    const addresses = /admin|super/.test(role) ? ["hall1@example.test"] : null;
    expect((await call("GET", `/v1/report-subscriptions/${id}`, { token })).body, role).toMatchObject({ addresses });
  }
});
