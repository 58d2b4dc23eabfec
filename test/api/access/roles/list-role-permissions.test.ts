import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { permissions } from "../../../../src/db/schema.ts";
import { call } from "../../../support/call.ts";
import { createCompany, createUser } from "../../../support/factories.ts";

it("lists every grant once, page by page", async () => {
  const { token } = await createUser((await createCompany()).companyId, "readonly");
  const { results } = await env.DIRECTORY.prepare("SELECT id FROM role_permissions ORDER BY id").all<{ id: string }>();
  const seen: { id: string; roleId: string; permissionId: string }[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body } = await call("GET", `/v1/role-permissions?limit=7${cursor && `&cursor=${cursor}`}`, { token });
    seen.push(...body.data);
    cursor = body.cursor;
  }
  expect(seen.map(({ id }) => id)).toEqual(results.map(({ id }) => id));
  // Every permission is initially granted to some role.
  expect([...new Set(seen.map(({ permissionId }) => permissionId))].sort()).toEqual([...permissions].sort());
  const writers = seen.filter(({ permissionId }) => permissionId === "stops:write").map(({ roleId }) => roleId);
  expect(writers.sort()).toEqual(["admin", "superadmin", "user"]);
});
