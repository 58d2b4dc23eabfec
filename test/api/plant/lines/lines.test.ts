import { describe, expect, it } from "vitest";
import { call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createCompany, createLine, createMachine, createUser } from "../../../support/factories.ts";

async function plant() {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  const ask = (method: string, path: string, body?: unknown) => call(method, path, { token, body });
  return { companyId, ask };
}

describe("a machine's line", () => {
  it("is set, changed and removed, one at a time", async () => {
    const { companyId, ask } = await plant();
    const [first, second] = [await createLine(companyId), await createLine(companyId)];
    const body = { name: "Press", ref: "P-1", nodeId: 1, lineId: String(first.lineId) };
    const made = await ask("POST", "/v1/machines", body);
    expect(made.body).toMatchObject({ lineId: first.lineId });
    const path = `/v1/machines/${made.body.id}`;
    expect((await ask("PATCH", path, { lineId: second.lineId })).body.lineId).toBe(second.lineId);
    expect((await ask("PATCH", path, { name: "Big press" })).body.lineId).toBe(second.lineId);
    expect((await ask("PATCH", path, { lineId: null })).body.lineId).toBeNull();
  });

  it("must be an existing one of the company", async () => {
    const { companyId, ask } = await plant();
    const foreign = await createLine((await createCompany()).companyId);
    const { lineId } = await createLine(companyId);
    const { machineId } = await createMachine(companyId);
    expectProblem(await ask("PATCH", `/v1/machines/${machineId}`, { lineId: foreign.lineId }), 400, "/lineId");
    expect((await ask("DELETE", `/v1/lines/${lineId}`)).status).toBe(204);
    expectProblem(await ask("PATCH", `/v1/machines/${machineId}`, { lineId }), 400, "/lineId");
    expectProblem(await ask("POST", "/v1/machines", { name: "Press", ref: "P", nodeId: 1, lineId }), 400, "/lineId");
  });
});

it("lines select their machines", async () => {
  const { companyId, ask } = await plant();
  const [first, second] = [await createLine(companyId), await createLine(companyId)];
  const a = await createMachine(companyId, { lineId: first.lineId });
  const b = await createMachine(companyId, { lineId: second.lineId });
  const c = await createMachine(companyId);
  const listed = async (query: string) =>
    (await ask("GET", `/v1/machines${query}`)).body.data.map(({ id }: { id: number }) => id);
  expect(await listed("")).toEqual([a.id, b.id, c.id]);
  expect(await listed(`?lineIds=${second.lineId}`)).toEqual([b.id]);
  expect(await listed(`?lineIds=${second.lineId},${first.lineId}`)).toEqual([a.id, b.id]);
  expect(await listed(`?lineIds=${first.lineId}&ref=${b.ref}`)).toEqual([]);
});

describe("a line", () => {
  it("cannot be deleted while it has machines that are not deleted", async () => {
    const { companyId, ask } = await plant();
    const { lineId } = await createLine(companyId);
    const { machineId } = await createMachine(companyId, { lineId });
    const refused = await ask("DELETE", `/v1/lines/${lineId}`);
    expectProblem(refused, 409);
    expect(refused.body.errors).toMatchObject([{ code: "in_use" }]);
    expect((await ask("DELETE", `/v1/machines/${machineId}`)).status).toBe(204);
    expect((await ask("DELETE", `/v1/lines/${lineId}`)).status).toBe(204);
  });

  it("has a unique name among those that are not deleted", async () => {
    const { ask } = await plant();
    const made = await ask("POST", "/v1/lines", { name: "Filling" });
    expect(made.body).toMatchObject({ name: "Filling", order: 0 });
    expectProblem(await ask("POST", "/v1/lines", { name: "Filling" }), 409, "/name");
    expect((await ask("DELETE", `/v1/lines/${made.body.id}`)).status).toBe(204);
    expect((await ask("POST", "/v1/lines", { name: "Filling" })).status).toBe(201);
  });

  it("cannot get a machine and be deleted at the same time", async () => {
    const { companyId, ask } = await plant();
    for (let round = 0; round < 5; round++) {
      const { lineId } = await createLine(companyId);
      const { machineId } = await createMachine(companyId);
      const [moved, deleted] = await Promise.all([
        ask("PATCH", `/v1/machines/${machineId}`, { lineId }),
        ask("DELETE", `/v1/lines/${lineId}`),
      ]);
      expect([moved.status, deleted.status].filter((status) => status < 300)).toHaveLength(1);
    }
  });
});
