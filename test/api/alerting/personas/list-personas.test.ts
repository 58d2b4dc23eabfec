import { expect, it } from "vitest";
import { call } from "../../../support/call.ts";
import { createCompany, createUser } from "../../../support/factories.ts";
import { listSuite } from "../../../support/lists.ts";

/** Creates personas as a superuser, and returns them as answered. */
async function createPersonas(companyId: number, names: string[]) {
  const { token } = await createUser(companyId, "superuser");
  const personas = [];
  for (const name of names) {
    const { body } = await call("PUT", "/v2/alert-settings/superuser/persona/new", { token, body: { name, companyId } });
    personas.push(body.data);
  }
  return personas;
}

listSuite({
  path: "/v1/personas",
  roles: ["superuser", "superadmin", "admin"],
  createFive: async (companyId) => {
    // Two have the same name, and a page ends between them.
    const personas = await createPersonas(companyId, ["Zoe", "Ben", "Ann", "Ben", "Cleo"]);
    const keyOf = ({ name, id }: { name: string; id: string }) => `${name} ${id}`;
    return personas.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).map(({ id }) => id);
  },
});

it("lists personas as they were created", async () => {
  const { companyId } = await createCompany();
  const [persona] = await createPersonas(companyId, ["Ann"]);
  const { token } = await createUser(companyId, "admin");
  expect((await call("GET", "/v1/personas", { token })).body.data).toEqual([persona]);
});
