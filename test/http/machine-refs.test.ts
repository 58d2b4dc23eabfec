import { expect, it } from "vitest";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createMachine, createSku, createUser, createWorkOrder } from "../support/factories.ts";
import { operations } from "../table/operations.ts";

async function newPlant() {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  const [press, saw] = [await createMachine(companyId), await createMachine(companyId)];
  return { companyId, token, press, saw };
}

it("each operation that selects machines by id can select them by ref", () => {
  const byId = operations.filter(
    ({ path, parameters }) => path.startsWith("/v1/") && parameters.some(({ name }) => name === "machineIds"),
  );
  expect(byId.length).toBeGreaterThan(2);
  for (const { id, parameters } of byId)
    expect(
      parameters.map(({ name }) => name),
      id,
    ).toContain("machineRefs");
});

it("a ref finds its machine", async () => {
  const { token, press } = await newPlant();
  const { body } = await call("GET", `/v1/machines?ref=${press.ref}`, { token });
  expect(body.data.map(({ id }: { id: number }) => id)).toEqual([press.id]);
  expect((await call("GET", "/v1/machines?ref=none", { token })).body).toEqual({ data: [], cursor: null });
});

it("refs select what their machines' ids select", async () => {
  const { companyId, token, press, saw } = await newPlant();
  const { skuId } = await createSku(companyId);
  for (const machine of [press, saw]) await createWorkOrder(machine, skuId);
  const machinesOf = async (query: string) => {
    const answer = await call("GET", `/v1/work-orders?${query}`, { token });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.data.map(({ machineIds }: { machineIds: number[] }) => machineIds);
  };
  expect(await machinesOf(`machineRefs=${saw.ref}`)).toEqual([[saw.id]]);
  expect(await machinesOf(`machineRefs=${saw.ref}`), "again").toEqual([[saw.id]]);
  expect(await machinesOf(`machineRefs=${saw.ref}&machineIds=${press.id}`)).toHaveLength(2);
});

it("the ref of an unknown or another company's machine is refused and named", async () => {
  const [own, other] = [await newPlant(), await newPlant()];
  const ask = (refs: string, token = own.token) => call("GET", `/v1/stops?machineRefs=${refs}`, { token });
  expectProblem(await ask(`${own.press.ref},none`), 404, "/query/machineRefs/1");
  expectProblem(await ask(other.press.ref), 404, "/query/machineRefs/0");
  const { token } = await createUser(own.companyId, "superuser");
  expectProblem(await ask(other.press.ref, token), 404, "/query/machineRefs/0");
  expect((await ask(`${other.press.ref}&companyId=${other.companyId}`, token)).status).toBe(200);
});
