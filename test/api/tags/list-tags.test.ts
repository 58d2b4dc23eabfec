import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import { expect, it } from "vitest";
import { tagKeys } from "../../../src/db/schema.ts";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createCompany, createUser } from "../../support/factories.ts";
import { listSuite } from "../../support/lists.ts";

async function createTag(companyId: number, options: Partial<typeof tagKeys.$inferInsert> = {}) {
  const tag = {
    companyId,
    sort: 1,
    subject: "Machines" as const,
    tagKey: crypto.randomUUID(),
    description: "",
    color: "",
    isDefault: false,
  };
  const row = { id: crypto.randomUUID(), ...tag, createdAt: 1, updatedAt: 1, ...options };
  return await drizzle(env.DB_0).insert(tagKeys).values(row).returning().get();
}

listSuite({
  path: "/v1/tags",
  createFive: async (companyId) => {
    const tags = [
      await createTag(companyId, { subject: "Stops", tagKey: "a" }),
      await createTag(companyId, { subject: "Machines", tagKey: "b" }),
      await createTag(companyId, { subject: "Machines", tagKey: "a" }),
      await createTag(companyId, { subject: "Operators", tagKey: "z" }),
      await createTag(companyId, { subject: "Stops", tagKey: "b" }),
    ] as const;
    const [stopsA, machinesB, machinesA, operators, stopsB] = tags;
    return [machinesA, machinesB, operators, stopsA, stopsB].map(({ id }) => id);
  },
});

it("lists tags in the contract's shape, also only those of a subject", async () => {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "readonly");
  const tag = await createTag(companyId, { subject: "Skus", tagKey: "Line", tagValue: "4", color: "#f00", isDefault: true });
  await createTag(companyId);
  const { body } = await call("GET", "/v1/tags?subject=Skus", { token });
  const { createdAt: _, updatedAt: __, ...shown } = tag;
  expect(body.data).toEqual([shown]);
  expectProblem(await call("GET", "/v1/tags?subject=Things", { token }), 400, "/query/subject");
});
