import { expect, it } from "vitest";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createLine, createMachine, createShift, createStopCause, createUser } from "../support/factories.ts";
import { operations } from "../table/operations.ts";
import { requests } from "../table/requests.ts";
import { createWorld, type World } from "../table/world.ts";

/** Objects of another company, by the parameter that would name them. */
async function foreignIds(): Promise<Record<string, number | string>> {
  const { companyId } = await createCompany();
  const cause = (level: "general" | "specific" | "component") => createStopCause(companyId, { level });
  return {
    machineIds: (await createMachine(companyId)).id,
    lineIds: (await createLine(companyId)).lineId,
    shiftIds: (await createShift(companyId)).id,
    generalCauseIds: (await cause("general")).id,
    specificCauseIds: (await cause("specific")).id,
    componentIds: (await cause("component")).id,
  };
}

/** The path of a good request to an operation about a world, whose query only has one id and the required parameters. */
async function pathWith(
  operation: (typeof operations)[number],
  world: World,
  member: string,
  id: number | string,
): Promise<string> {
  const [path = "", sent] = (await requests[operation.id](world)).path.split("?");
  const needed = operation.parameters.filter((one) => one.in === "query" && one.required).map(({ name }) => name);
  const kept = [...new URLSearchParams(sent)].filter(([name]) => needed.includes(name));
  return `${path}?${new URLSearchParams([...kept, [member, String(id)]])}`;
}

it("a list or report refuses an id that does not exist in the company, instead of being empty", async () => {
  const [world, foreign] = [await createWorld(), await foreignIds()];
  const { token } = await createUser(world.companyId, "admin");
  const refusing = new Set<string>();
  for (const operation of operations) {
    if (operation.method !== "GET" || !operation.path.startsWith("/v1/")) continue;
    for (const { name } of operation.parameters) {
      if (foreign[name] === undefined) continue;
      for (const id of [foreign[name], 2 ** 49]) {
        const answer = await call("GET", await pathWith(operation, world, name, id), { token });
        expectProblem(answer, 404, `/query/${name}`);
      }
      refusing.add(operation.id);
    }
  }
  expect([...refusing]).toEqual(
    expect.arrayContaining(["listStops", "listMachines", "listWorkOrders", "listOperatorShifts", "getSummary"]),
  );
});

it("a superuser may name any company's ids if the list is of all companies", async () => {
  const foreign = await foreignIds();
  const { token } = await createUser((await createCompany()).companyId, "superuser");
  expect((await call("GET", `/v1/stops?machineIds=${foreign.machineIds}`, { token })).status).toBe(200);
  expectProblem(await call("GET", `/v1/stops?machineIds=${2 ** 49}`, { token }), 404, "/query/machineIds");
});
