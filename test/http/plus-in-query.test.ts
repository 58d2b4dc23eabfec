import { expect, it } from "vitest";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createUser } from "../support/factories.ts";
import { operations } from "../table/operations.ts";
import { requests } from "../table/requests.ts";
import { createWorld } from "../table/world.ts";

/** All time parameters of queries. */
const times = operations.flatMap((operation) =>
  operation.parameters
    .filter((one) => one.in === "query" && one.schema.format === "date-time")
    .map(({ name }) => ({ operation, name })),
);

it("a time whose + arrived as a space is refused with the reason, in each query that has times", async () => {
  const world = await createWorld();
  const { token } = await createUser(world.companyId, "superuser");
  expect(times.length).toBeGreaterThan(10);
  for (const { operation, name } of times) {
    const { path, body } = await requests[operation.id](world);
    const url = new URL(path, "http://andon.test");
    url.searchParams.delete(name);
    const query = `${url.search ? `${url.search}&` : "?"}${name}=2026-11-02T06:00:00+01:00`;
    const answer = await call(operation.method, `${url.pathname}${query}`, { token, body });
    expectProblem(answer, 400, `/query/${name}`);
    const fault = answer.body.errors.find(({ pointer }: { pointer: string }) => pointer === `/query/${name}`);
    expect(fault.message, operation.id).toBe(
      "has a space where the + of its offset should be: in a query, write + as %2B, or use Z",
    );
  }
});

it("with the + written as %2B it is accepted", async () => {
  const world = await createWorld();
  const { token } = await createUser(world.companyId, "user");
  expect((await call("GET", "/v1/stops?from=2026-11-02T06:00:00%2B01:00", { token })).status).toBe(200);
});
