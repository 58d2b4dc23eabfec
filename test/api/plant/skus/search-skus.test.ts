import { expect, it } from "vitest";
import { call } from "../../../support/call.ts";
import { createCompany, createUser } from "../../../support/factories.ts";

it("SKUs are found by parts of their id and name, page by page, and only those of the company", async () => {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  const { token: stranger } = await createUser((await createCompany()).companyId, "user");
  for (const [id, name] of [
    ["B-500", "Bottle, 500 ml"],
    ["B-750", "Bottle, 750 ml"],
    ["C-500", "Cap"],
    ["D-1", "Deleted bottle"],
  ]) {
    expect((await call("POST", "/v1/skus", { token, body: { id, name } })).status).toBe(201);
  }
  await call("DELETE", "/v1/skus/D-1", { token });
  const get = async (query: string, by = token) => (await call("GET", `/v1/skus?${query}`, { token: by })).body;
  const find = async (text: string) => (await get(`search=${encodeURIComponent(text)}`)).data.map(({ id }: { id: string }) => id);
  expect(await find("500")).toEqual(["B-500", "C-500"]);
  expect(await find("bottle 500")).toEqual(["B-500"]);
  expect(await find("BOTTLE")).toEqual(["B-500", "B-750"]);
  expect(await find("500bottle")).toEqual([]);
  expect(await find("%")).toEqual([]);
  const first = await get("search=500&limit=1&total=true");
  expect([first.data[0].id, first.total]).toEqual(["B-500", 2]);
  expect((await get(`search=500&limit=1&cursor=${first.cursor}`)).data.map(({ id }: { id: string }) => id)).toEqual(["C-500"]);
  expect((await get("search=500", stranger)).data).toEqual([]);
});
