import { describe, expect, it } from "vitest";
import { createAlertRule, createIncident } from "../../../support/alerts.ts";
import { call } from "../../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../../support/clock.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import {
  createChatRoom,
  createCompany,
  createLine,
  createMachine,
  createPersona,
  createShift,
  createStopCause,
  createUser,
} from "../../../support/factories.ts";

stopClockAtNoon();

const path = "/v1/alert-rules";
const stop = { kind: "stop", minutes: 5 };

/** A company with a machine, a line, an 8 h shift, a cause, a persona and a room. */
async function createPlant() {
  const { companyId } = await createCompany();
  const { lineId } = await createLine(companyId);
  const machine = await createMachine(companyId, { lineId, stopAfterSeconds: 120, noDataAfterSeconds: 300 });
  const { shiftId } = await createShift(companyId, { start: "06:00", end: "14:00" });
  const { causeId } = await createStopCause(companyId);
  const persona = await createPersona(companyId);
  const room = await createChatRoom(companyId);
  const { token } = await createUser(companyId, "admin");
  const ids = { machineId: machine.id, lineId, shiftId, causeId, personaId: persona.id, chatRoomId: room.id };
  return { companyId, token, ...ids };
}

type Plant = Awaited<ReturnType<typeof createPlant>>;

const levelOf = (more: object, afterMinutes = 0) => ({ afterMinutes, personaIds: [], chatRoomIds: [], ...more });
const texts = (en: string, es = "{machine} parada") => ({ texts: { en, es } });

/** Rules that are refused, and the pointers of their faults. `foreign` is another company. */
const refused: [name: string, rule: (foreign: Plant, own: Plant) => object, ...pointers: string[]][] = [
  ["an unknown kind", () => ({ when: { kind: "fire" } }), "/when/kind"],
  ["another kind's member", () => ({ when: { ...stop, count: 3 } }), "/when/count"],
  ["no time", () => ({ when: { kind: "stop", minutes: 0 } }), "/when/minutes"],
  ["more than a day", () => ({ when: { kind: "stop", minutes: 1441 } }), "/when/minutes"],
  ["a stop that is none yet", () => ({ when: { kind: "stop", minutes: 1 } }), "/when/minutes"],
  ["a stop without a cause that is none yet", () => ({ when: { kind: "unclassified", minutes: 1 } }), "/when/minutes"],
  ["silence that is not known yet", () => ({ when: { kind: "no_data", minutes: 4 } }), "/when/minutes"],
  ["more than a shift of not running", () => ({ when: { kind: "not_running", minutes: 480 } }), "/when/minutes"],
  ["an OEE after the shift", () => ({ when: { kind: "oee", percent: 50, afterMinutes: 480 } }), "/when/afterMinutes"],
  ["more than all of the OEE", () => ({ when: { kind: "oee", percent: 101, afterMinutes: 0 } }), "/when/percent"],
  ["more short stops than fit", () => ({ when: { kind: "short_stops", count: 30 } }), "/when/count"],
  ["nothing but rejects", () => ({ when: { kind: "defects", percent: 100, units: 10 } }), "/when/percent"],
  ["no cause", () => ({ when: { kind: "cause", causeIds: [], minutes: 5 } }), "/when/causeIds"],
  ["another company's machine", ({ machineId }) => ({ machineIds: [machineId] }), "/machineIds/0"],
  ["another company's machine beside its own", (one, own) => ({ machineIds: [own.machineId, one.machineId] }), "/machineIds/1"],
  ["another company's line", ({ lineId }) => ({ lineIds: [lineId] }), "/lineIds/0"],
  ["another company's shift", ({ shiftId }) => ({ shiftIds: [shiftId] }), "/shiftIds/0"],
  [
    "another company's cause",
    ({ causeId }) => ({ when: { kind: "cause", causeIds: [causeId], minutes: 5 } }),
    "/when/causeIds/0",
  ],
  [
    "another company's persona",
    ({ personaId }) => ({ levels: [levelOf({ personaIds: [personaId] })] }),
    "/levels/0/personaIds/0",
  ],
  [
    "another company's room",
    ({ chatRoomId }) => ({ levels: [levelOf({ chatRoomIds: [chatRoomId] })] }),
    "/levels/0/chatRoomIds/0",
  ],
  ["no machine", () => ({ machineIds: [] }), "/machineIds"],
  ["a machine twice", (_, { machineId }) => ({ machineIds: [machineId, machineId] }), "/machineIds/1"],
  ["a first level that waits", () => ({ levels: [levelOf({}, 5)] }), "/levels/0/afterMinutes"],
  ["levels at one time", () => ({ levels: [levelOf({}), levelOf({}, 5), levelOf({}, 5)] }), "/levels/2/afterMinutes"],
  ["a text with an unknown variable", () => texts("{machin} stands"), "/texts/en"],
  ["one with an unknown variable in Spanish", () => texts("{machine} stands", "{maquina} parada"), "/texts/es"],
  ["one with an empty variable", () => texts("{} stands"), "/texts/en"],
  ["one with an open brace", () => texts("{machine stands"), "/texts/en"],
  ["one with a member of objects", () => texts("{constructor} stands"), "/texts/en"],
  ["a text in one language", () => ({ texts: { en: "{machine} stands" } }), "/texts/es"],
  ["an unknown member", () => ({ machines: [] }), "/machines"],
];

describe("a rule is refused", () => {
  it.each(refused)("with %s, also when it is changed or tried", async (_, ruleOf, ...pointers) => {
    const own = await createPlant();
    const { token, companyId } = own;
    const rule = ruleOf(await createPlant(), own);
    expectProblem(await call("POST", path, { token, body: { name: "Rule", when: stop, ...rule } }), 400, ...pointers);
    const tried = await call("POST", `${path}/try`, { token, body: { rule: { name: "Rule", when: stop, ...rule } } });
    expectProblem(tried, 400, ...pointers.map((pointer) => `/rule${pointer}`));
    const { id } = await createAlertRule(companyId);
    const before = (await call("GET", `${path}/${id}`, { token })).body;
    expectProblem(await call("PATCH", `${path}/${id}`, { token, body: rule }), 400, ...pointers);
    expect((await call("GET", `${path}/${id}`, { token })).body).toEqual(before);
  });

  it("if it can never be true, with the reason", async () => {
    const { token } = await createPlant();
    const { body } = await call("POST", path, { token, body: { name: "Rule", when: { kind: "stop", minutes: 1 } } });
    expect(body.errors).toMatchObject([{ pointer: "/when/minutes", code: "never_holds" }]);
  });

  it("if it is about no machine, or about no data where there is never no data", async () => {
    const { companyId } = await createCompany();
    const { token } = await createUser(companyId, "admin");
    const create = (when: object) => call("POST", path, { token, body: { name: "Rule", when } });
    const refused = await create(stop);
    expectProblem(refused, 400, "/machineIds");
    expect(refused.body.errors[0].message).toBe("selects all machines, but the company has none: create its machines first");
    const line = await call("POST", "/v1/lines", { token, body: { name: "Empty" } });
    const ofLine = { name: "Rule", when: stop, lineIds: [line.body.id] };
    expectProblem(await call("POST", path, { token, body: ofLine }), 400, "/lineIds");
    await createMachine(companyId, { noDataAfterSeconds: null });
    expectProblem(await create({ kind: "no_data", minutes: 60 }), 400, "/when/kind");
    expect((await create(stop)).status).toBe(201);
  });

  it("unless it can just be true", async () => {
    const { token } = await createPlant();
    for (const when of [
      { kind: "stop", minutes: 2 },
      { kind: "no_data", minutes: 5 },
      { kind: "not_running", minutes: 479 },
      { kind: "short_stops", count: 29 },
    ]) {
      const { status, body } = await call("POST", path, {
        token,
        body: { name: "Rule", when, ...texts("{machine}: {minutes}") },
      });
      expect(status, JSON.stringify(body)).toBe(201);
    }
  });
});

it("a rule about gateways names no machines, lines and shifts, and needs no machine", async () => {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  const send = (method: string, where: string, body: object) => call(method, where, { token, body });
  const rule = { name: "Silent", when: { kind: "gateway_silent", seconds: 120 } };
  const { body, status } = await send("POST", path, rule);
  expect(status).toBe(201);
  expect(body.when).toEqual(rule.when);
  const { machineId, token: own } = await createPlant();
  const named = { machineIds: [machineId] };
  expectProblem(await call("POST", path, { token: own, body: { ...rule, ...named } }), 400, "/machineIds");
  for (const [wrong, pointer] of [
    [{ kind: "gateway_silent", seconds: 59 }, "/when/seconds"],
    [{ kind: "gateway_silent", minutes: 2 }, "/when/seconds"],
    [{ kind: "gateway_queue", minutes: 0 }, "/when/minutes"],
    [{ kind: "gateway_clock", minutes: 1.5 }, "/when/minutes"],
  ] as const) {
    expect((await send("PATCH", `${path}/${body.id}`, { when: wrong })).body.errors[0].pointer).toContain(pointer.slice(0, 5));
  }
});

describe("a try is refused", () => {
  const at = (ms: number) => new Date(NOON + ms).toISOString();
  it.each([
    ["of late orders", { rule: { name: "Late", when: { kind: "order_late" } } }, "/rule/when/kind"],
    ["of gateways", { rule: { name: "Clock", when: { kind: "gateway_clock", minutes: 2 } } }, "/rule/when/kind"],
    ["of more than 31 days", { from: at(-31 * DAY - 1) }, "/from"],
    ["of more than 31 days before its end", { from: at(-40 * DAY), to: at(-DAY) }, "/from"],
    ["of the future", { from: at(MINUTE) }, "/from"],
    ["that ends before it begins", { from: at(-HOUR), to: at(-2 * HOUR) }, "/from"],
    ["without a rule", { rule: undefined }, "/rule"],
    ["with a time that is none", { from: "yesterday" }, "/from"],
  ])("%s", async (_, more, pointer) => {
    const { token } = await createPlant();
    const body = { rule: { name: "Rule", when: stop }, ...more };
    expectProblem(await call("POST", `${path}/try`, { token, body }), 400, pointer);
  });

  it("of another company, unless a superuser asks", async () => {
    const [own, foreign] = [await createPlant(), await createPlant()];
    const body = { rule: { name: "Rule", when: stop, machineIds: [foreign.machineId] }, companyId: foreign.companyId };
    expect([403, 404]).toContain((await call("POST", `${path}/try`, { token: own.token, body })).status);
    const { token } = await createUser(own.companyId, "superuser");
    const { status, body: answer } = await call("POST", `${path}/try`, { token, body });
    expect([status, answer.count]).toEqual([200, 0]);
  });
});

describe("GET /v1/incidents", () => {
  it("has what the filters select, and nothing of other companies", async () => {
    const plant = await createPlant();
    const { companyId, token, machineId, lineId } = plant;
    const other = await createMachine(companyId);
    const [rule, second] = [await createAlertRule(companyId), await createAlertRule(companyId)];
    const old = await createIncident(rule, { machineId, openedAt: NOON - HOUR, resolvedAt: NOON - MINUTE });
    const recent = await createIncident(second, { machineId: other.id, openedAt: NOON - MINUTE });
    const foreign = await createPlant();
    await createIncident(await createAlertRule(foreign.companyId), { machineId: foreign.machineId });
    const list = (query: string) => call("GET", `/v1/incidents?${query}`, { token });
    const idsOf = async (query: string) => (await list(query)).body.data.map(({ id }: { id: string }) => id);
    const since = encodeURIComponent(new Date(NOON - 30 * MINUTE).toISOString());
    expect(await idsOf("")).toEqual([recent.id, old.id]);
    expect(await idsOf("sort=openedAt")).toEqual([old.id, recent.id]);
    for (const query of ["isOpen=false", `ruleIds=${rule.id}`, `machineIds=${machineId}`, `lineIds=${lineId}`, `to=${since}`]) {
      expect(await idsOf(query), query).toEqual([old.id]);
    }
    for (const query of ["isOpen=true", `ruleIds=${second.id}`, `machineIds=${other.id}`, `from=${since}`]) {
      expect(await idsOf(query), query).toEqual([recent.id]);
    }
    expect(await idsOf("ruleIds=none")).toEqual([]);
    const first = (await list("limit=1")).body;
    expect(await idsOf(`limit=1&cursor=${encodeURIComponent(first.cursor)}`)).toEqual([old.id]);
  });

  it("hides other companies' incidents, which also cannot be acknowledged", async () => {
    const { companyId, token } = await createPlant();
    const foreign = await createPlant();
    const { id } = await createIncident(await createAlertRule(foreign.companyId), { machineId: foreign.machineId });
    expectProblem(await call("GET", `/v1/incidents/${id}`, { token }), 404);
    expectProblem(await call("POST", `/v1/incidents/${id}/acknowledge`, { token }), 404);
    expect((await call("GET", `/v1/incidents/${id}`, { token: foreign.token })).body).toMatchObject({ id, acknowledgedAt: null });
    const superuser = await createUser(companyId, "superuser");
    expect((await call("GET", `/v1/incidents/${id}`, { token: superuser.token })).status).toBe(200);
  });

  it("refuses unknown filters, and other companies' machines and lines", async () => {
    const { token } = await createPlant();
    const foreign = await createPlant();
    for (const [query, pointer] of [
      ["isOpen=maybe", "/query/isOpen"],
      ["isopen=true", "/query/isopen"],
      ["sort=level", "/query/sort"],
      ["from=now", "/query/from"],
      ["cursor=x", "/query/cursor"],
    ]) {
      expectProblem(await call("GET", `/v1/incidents?${query}`, { token }), 400, pointer as string);
    }
    for (const query of [`machineIds=${foreign.machineId}`, `lineIds=${foreign.lineId}`]) {
      expect([400, 404], query).toContain((await call("GET", `/v1/incidents?${query}`, { token })).status);
    }
  });
});
