import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { call } from "../../support/call.ts";
import { createCompany, createSubscription, createUser } from "../../support/factories.ts";
import { listSuite, newestFirst } from "../../support/lists.ts";

listSuite({
  path: "/v1/report-subscriptions",
  createFive: (companyId) =>
    newestFirst(async (createdAt) => {
      const subscription = await createSubscription(companyId);
      await env.DB.prepare("UPDATE report_subscriptions SET created_at = ? WHERE id = ?").bind(createdAt, subscription.id).run();
      return subscription;
    }),
});

it("leaves deleted ones out", async () => {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "readonly");
  const { id, name } = await createSubscription(companyId);
  await createSubscription(companyId, { deletedAt: 1 });
  const stamps = { createdAt: expect.any(String), updatedAt: expect.any(String) };
  expect((await call("GET", "/v1/report-subscriptions", { token })).body.data).toEqual([{ id, companyId, name, ...stamps }]);
});
