import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { createCompany, createMachine, createUser } from "../support/factories.ts";

type Fault = { pointer: string; code: string; message: string };

async function newPlant() {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  return { companyId, token };
}

describe("a value that breaks a schema is refused with the rule", () => {
  const machine = { name: "Press", ref: "P", nodeId: 1 };
  const rule = { name: "Stops", when: { kind: "stop", minutes: 5 } };
  const cases: [rule: string, path: string, body: unknown, pointer: string, code: string, message: string][] = [
    ["missing", "/v1/machines", { ref: "P", nodeId: 1 }, "/name", "required", "is required"],
    ["a missing choice", "/v1/users", { email: "a@b.test", name: "A" }, "/role", "required", "is required"],
    ["a missing kind", "/v1/alert-rules", { ...rule, when: { minutes: 5 } }, "/when/kind", "required", "is required"],
    ["text", "/v1/machines", { ...machine, name: 5 }, "/name", "invalid_type", "must be a string, not a number"],
    ["not null", "/v1/machines", { ...machine, name: null }, "/name", "invalid_type", "must be a string, not null"],
    ["a number", "/v1/machines", { ...machine, nodeId: "1" }, "/nodeId", "invalid_type", "must be a number, not a string"],
    ["an integer", "/v1/machines", { ...machine, nodeId: 1.5 }, "/nodeId", "invalid_type", "must be an integer, not a fraction"],
    ["an object", "/v1/machines", [], "", "invalid_type", "must be an object, not an array"],
    ["not empty", "/v1/machines", { ...machine, ref: "" }, "/ref", "too_small", "must not be empty"],
    ["length", "/v1/machines", { ...machine, ref: "x".repeat(101) }, "/ref", "too_big", "must have at most 100 characters"],
    ["least", "/v1/machines", { ...machine, hourlyRate: -1 }, "/hourlyRate", "too_small", "must be at least 0"],
    [
      "more",
      "/v1/machines",
      { ...machine, standardCycleSeconds: 0 },
      "/standardCycleSeconds",
      "too_small",
      "must be more than 0",
    ],
    ["a choice", "/v1/machines", { ...machine, signal: "x" }, "/signal", "invalid_value", 'must be one of "counts", "states"'],
    [
      "a time",
      "/v1/machines",
      { ...machine, commissionedAt: "2026-11-01" },
      "/commissionedAt",
      "invalid_format",
      "must be an ISO 8601 time with Z or an offset, such as 2026-03-02T09:14:05Z",
    ],
    [
      "different values",
      "/v1/alert-rules",
      { ...rule, levels: [{ afterMinutes: 0, personaIds: ["1", "1"], chatRoomIds: [] }] },
      "/levels/0/personaIds/1",
      "repeated",
      "is already in the list",
    ],
    [
      "known members",
      "/v1/machines",
      { ...machine, nodeID: 1 },
      "/nodeID",
      "unknown_member",
      "is unknown: this operation has no such member",
    ],
  ];

  it.each(cases)("%s", async (_, path, body, pointer, code, message) => {
    const { token } = await newPlant();
    const { status, body: answer } = await call("POST", path, { token, body });
    expect(status).toBe(400);
    expect(answer.errors.filter((one: Fault) => one.pointer === pointer)).toEqual([{ pointer, code, message }]);
  });

  it("an unknown kind, with the known ones", async () => {
    const { token } = await newPlant();
    const { body } = await call("POST", "/v1/alert-rules", { token, body: { ...rule, when: { kind: "none" } } });
    expect(body.errors[0].message).toMatch(/^must be one of "stop", "cause", .*"gateway_clock"$/);
  });

  it.each([
    ["limit=ten", "must be a number"],
    ["limit=501", "must be at most 500"],
    ["limit=0", "must be at least 1"],
    ["cursor=x", "must be the cursor of an earlier page of this list"],
  ])("in a query: %s", async (query, message) => {
    const { token } = await newPlant();
    const { body } = await call("GET", `/v1/machines?${query}`, { token });
    expect(body.errors.map((one: Fault) => one.message)).toEqual([message]);
  });

  it("of a malformed event", async () => {
    const { companyId, token } = await newPlant();
    const { id } = await createMachine(companyId);
    const events = [{ type: "state", at: "yesterday", machineId: id, state: "running" }, { type: "stat" }, 5];
    const { body } = await call("POST", "/v1/ingest", { token, body: { events } });
    expect(body.rejected.map((one: Fault) => one.message)).toEqual([
      "at: must be an ISO 8601 time with Z or an offset, such as 2026-03-02T09:14:05Z",
      'type: must be one of "count", "heartbeat", "state", "operator", "sku"',
      "must be an object, not a number",
    ]);
  });
});

it("a list that is not sorted by time says that it needs a range", async () => {
  const { token } = await newPlant();
  const faultsOf = async (query: string) => (await call("GET", `/v1/shift-records?sort=oee${query}`, { token })).body.errors;
  expect((await faultsOf("")).map(({ pointer, code }: Fault) => [pointer, code])).toEqual([
    ["/query/from", "required"],
    ["/query/to", "required"],
  ]);
  const year = "&from=2025-01-01T00:00:00Z&to=2026-03-01T00:00:00Z";
  expect((await faultsOf(year)).map(({ pointer, code }: Fault) => [pointer, code])).toEqual([["/query/to", "range_too_long"]]);
});

it("each list and report says that its range ends before it begins", async () => {
  const { token } = await newPlant();
  const range = "from=2026-11-05T00:00:00Z&to=2026-11-01T00:00:00Z";
  for (const path of ["/v1/stops", "/v1/shift-records", "/v1/stop-records", "/v1/incidents", "/v1/help-calls", "/v1/messages"]) {
    const { body } = await call("GET", `${path}?${range}`, { token });
    expect(body.errors, path).toEqual([{ pointer: "/query/from", code: "invalid_range", message: "must not be after `to`" }]);
  }
});

it("a forbidden request says what it needs", async () => {
  const { companyId, token } = await newPlant();
  const { token: readonly } = await createUser(companyId, "readonly");
  const detailOf = async (path: string, caller: string) => (await call("POST", path, { token: caller, body: {} })).body.detail;
  expect(await detailOf("/v1/machines", readonly)).toBe(
    "The role readonly may not do this: it takes the permission set-up:write.",
  );
  expect(await detailOf("/v1/public/reports/metrics", token)).toBe(
    "The role admin may not do this: it takes the role superuser.",
  );
  const { body: gateway } = await call("POST", "/v1/gateway-tokens", { token, body: { name: "Hall" } });
  expect(await detailOf("/v1/machines", gateway.token)).toBe(
    "A gateway token may not do this: it is for POST /v1/ingest and /v1/gateways/self only.",
  );
  expect(await detailOf("/tags/key", readonly)).toBe(
    "The role readonly may not do this: it takes one of the roles admin, superadmin, superuser.",
  );
});
