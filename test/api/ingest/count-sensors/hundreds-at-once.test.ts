import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createCompany, createUser } from "../../../support/factories.ts";

// In a file of its own: it wakes the objects of 500 machines, which go on for half a minute and would slow down the next file.

it("count sensors of hundreds of machines are set at once", { timeout: 600_000 }, async () => {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "superuser");
  const patch = (body: object) => call("PATCH", "/backoffice/machines/count-sensors", { token, body: { companyId, ...body } });
  const inForce = async (isEnabled: number) => {
    const query = "select count(*) as n from count_channels where company_id = ? and until is null and is_counted = ?";
    return await env.DB_0.prepare(query).bind(companyId, isEnabled).first("n");
  };
  await env.DB_0.prepare(
    `insert into machines (company_id, name, ref, node_id, signal, commissioned_at, created_at, updated_at)
     select ?, 'Machine', 'M-' || key, 7, 'counts', 0, 0, 0 from json_each(?)`,
  )
    .bind(companyId, JSON.stringify(Array(500).fill(0)))
    .run();
  const config = (channel: number) => ({ type: "cycle", countingFactor: 1, channel, nodeId: 7 });
  const entry = (i: number) => ({
    machineRef: `M-${i}`,
    isCountEnabled: true,
    configs: [0, 1, 2, 3].map((j) => config(4 * i + j)),
  });
  const machines = Array.from({ length: 500 }, (_, i) => entry(i));
  expect((await patch({ added: machines })).status).toBe(204);
  expect(await inForce(1)).toBe(2000);
  expect((await patch({ updated: machines.map((one) => ({ ...one, isCountEnabled: false })) })).status).toBe(204);
  expect([await inForce(1), await inForce(0)]).toEqual([0, 2000]);
  expectProblem(await patch({ added: [...machines, entry(500)] }), 400, "/added");
});
