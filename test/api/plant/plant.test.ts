import { runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Role } from "../../../src/db/schema.ts";
import type { Settings } from "../../../src/oee/settings.ts";
import { call } from "../../support/call.ts";
import { eventually } from "../../support/eventually.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import {
  createChannels,
  createCompany,
  createMachine,
  createOperator,
  createOperatorPlan,
  createShift,
  createSku,
  createStopCause,
  createUser,
} from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest, recordsOf } from "../../support/machines.ts";
import { settingsIn } from "../../support/object-storage.ts";
import { serviceWith } from "../../support/service.ts";

const minute = 60_000;
const everyDay = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const versions = (machineId: number) =>
  env.DB_0.prepare("select config_version, configured_version from machines where id = ?").bind(machineId).first();

async function newPlant(role: Role = "admin", companyId?: number) {
  const company = companyId ?? (await createCompany()).companyId;
  const { token, userId } = await createUser(company, role);
  const ask = (method: string, path: string, body?: unknown) => call(method, path, { token, body });
  const made = async (path: string, body: object) => {
    const answer = await ask("POST", path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  return { companyId: company, userId, token, ask, made };
}

/** Waits until a machine's object has taken over this version of its set-up, and D1 has that version. */
async function tookOver(machineId: number, configVersion: number) {
  await eventually(async () => {
    await flushMachine(machineId);
    expect(await versions(machineId)).toEqual({ config_version: configVersion, configured_version: configVersion });
  });
}

describe("a company", () => {
  it("signs operators out at the end of a shift by default, and notifies its machines of a change", async () => {
    const { companyId, ask } = await newPlant("superadmin");
    const machine = await createMachine(companyId);
    const version = async () => (await versions(machine.id))?.config_version;
    const path = `/v1/companies/${companyId}`;
    expect((await ask("GET", path)).body).toMatchObject({ signOutAtShiftEnd: true });
    const before = Number(await version());
    expect((await ask("PATCH", path, { signOutAtShiftEnd: false })).body).toMatchObject({ signOutAtShiftEnd: false });
    expect((await ask("GET", path)).body).toMatchObject({ signOutAtShiftEnd: false });
    expect(await version()).toBe(before + 1);
    expect((await ask("PATCH", path, { signOutAtShiftEnd: false, name: "Same" })).body).toMatchObject({
      signOutAtShiftEnd: false,
    });
    expect(await version()).toBe(before + 1);
    expectProblem(await ask("PATCH", path, { signOutAtShiftEnd: null }), 400, "/signOutAtShiftEnd");
    const superuser = await newPlant("superuser");
    const made = await superuser.made("/v1/companies", { name: "A", timezone: "UTC", signOutAtShiftEnd: false });
    expect(made.signOutAtShiftEnd).toBe(false);
  });
});

describe("the jurisdiction of a company", () => {
  const body = { name: "A", timezone: "UTC" };

  it("is none, unless the service's database has one", async () => {
    const { token, ask, made } = await newPlant("superuser");
    expect(await made("/v1/companies", body)).toMatchObject({ jurisdiction: null });
    const answer = await ask("POST", "/v1/companies", { ...body, name: "In the EU", jurisdiction: "eu" });
    expectProblem(answer, 400, "/jurisdiction");
    expect(answer.body.errors[0].message).toMatch(/^must be null, which is that of the service's database/);
    expectProblem(await ask("POST", "/v1/companies", { ...body, jurisdiction: "atlantis" }), 400, "/jurisdiction");
    const stored = await env.DB_0.prepare("SELECT id FROM companies WHERE name = 'In the EU'").all();
    expect(stored.results).toEqual([]);

    const inEurope = (method: string, path: string, body?: unknown) =>
      call(method, path, { token, body, via: serviceWith({ DB_0_JURISDICTION: "eu" }) });
    const { status, body: made2 } = await inEurope("POST", "/v1/companies", { ...body, jurisdiction: "eu" });
    expect([status, made2.jurisdiction]).toEqual([201, "eu"]);
    expect((await inEurope("GET", `/v1/companies/${made2.id}`)).body.jurisdiction).toBe("eu");
    for (const jurisdiction of [undefined, null, "us"]) {
      const refused = await inEurope("POST", "/v1/companies", { ...body, jurisdiction });
      expectProblem(refused, 400, "/jurisdiction");
      expect(refused.body.errors[0].message).toMatch(/^must be eu, /);
    }
  });

  it("cannot be changed", async () => {
    const { companyId, ask } = await newPlant("superuser");
    const path = `/v1/companies/${companyId}`;
    const { body: before } = await ask("GET", path);
    const answer = await ask("PATCH", path, { name: "Other", jurisdiction: "eu" });
    expectProblem(answer, 400, "/jurisdiction");
    expect(answer.body.errors[0]).toMatchObject({ code: "fixed", message: "is fixed: null for ever" });
    expect((await ask("GET", path)).body).toEqual(before);
    expect((await ask("PATCH", path, { jurisdiction: null })).body).toEqual(before);
  });
});

describe("a machine", () => {
  it("is live at once: its shift begins without any event", async () => {
    const { companyId, made } = await newPlant();
    const shift = await made("/v1/shifts", { name: "All day", start: "00:00", end: "00:00", days: everyDay });
    const machine = await made("/v1/machines", { name: "Press", ref: "P", nodeId: 1 });
    expect(machine).toMatchObject({ signal: "counts", stopAfterSeconds: 120, noDataAfterSeconds: 300, decommissionedAt: null });
    expect(Math.abs(Date.parse(machine.commissionedAt) - Date.now())).toBeLessThan(10_000);
    const publishedByItself = async () => expect(await recordsOf(machine.id)).toMatchObject([{ shiftId: shift.id, companyId }]);
    await eventually(publishedByItself);
    expect(await versions(machine.id)).toEqual({ config_version: 1, configured_version: 1 });
  });

  it("applies a change from now on, and closed shifts keep their numbers", async () => {
    const { companyId, shiftId, machine, token } = await createLine({ stopAfterSeconds: 3600, noDataAfterSeconds: null });
    const { ask } = await newPlant("admin", companyId);
    const now = Date.now();
    const yesterday = Math.floor(now / (24 * 60 * minute)) * 24 * 60 * minute - 12 * 60 * minute;
    await ingest(
      token,
      [0, 30, 60].map((n) => countAt(machine.nodeId, yesterday + n * minute)),
    );
    await flushMachine(machine.id);
    const closed = (await recordsOf(machine.id)).filter(({ endAt }) => endAt <= now);
    expect(closed.length).toBeGreaterThan(0);

    expect((await ask("PATCH", `/v1/machines/${machine.id}`, { stopAfterSeconds: 60, standardCycleSeconds: 5 })).status).toBe(
      200,
    );
    await tookOver(machine.id, 2);
    const standards = [{ machineId: null, standardCycleSeconds: 3 }];
    expect((await ask("POST", "/v1/skus", { name: "Bottle", standards })).status).toBe(201);
    await tookOver(machine.id, 3);
    expect((await ask("PATCH", `/v1/shifts/${shiftId}`, { start: "06:00", end: "06:00" })).status).toBe(200);
    await tookOver(machine.id, 4);
    await flushMachine(machine.id);
    expect((await recordsOf(machine.id)).filter(({ endAt }) => endAt <= now)).toEqual(closed);
    const settings = await settingsOf(machine.id);
    expect(settings.at(-1)).toMatchObject({ stopAfterMs: 60_000, standardCycleMs: 5_000, shifts: [{ start: "06:00" }] });
    expect(settings.at(-1)?.since).toBeGreaterThanOrEqual(now);
    expect(settings[0]).toMatchObject({ stopAfterMs: 3_600_000, standardCycleMs: null, shifts: [{ start: "00:00" }] });
  });

  it("has a unique ref in its company, which is free again after the machine is deleted", async () => {
    const { ask, made } = await newPlant();
    const other = await newPlant();
    const body = { name: "Press", ref: "PRESS", nodeId: 1 };
    const { id } = await made("/v1/machines", body);
    await other.made("/v1/machines", body);
    const second = await made("/v1/machines", { ...body, ref: "PRESS 2" });
    expectProblem(await ask("POST", "/v1/machines", body), 409, "/ref");
    expectProblem(await ask("PATCH", `/v1/machines/${second.id}`, { ref: "PRESS" }), 409, "/ref");
    expect((await ask("PATCH", `/v1/machines/${id}`, { ref: "PRESS", name: "Same" })).status).toBe(200);
    const answers = await Promise.all([1, 2, 3].map(() => ask("POST", "/v1/machines", { ...body, ref: "RACE" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await ask("DELETE", `/v1/machines/${id}`)).status).toBe(204);
    await made("/v1/machines", body);
  });

  it("can end at a future time, which is fixed once it has passed", async () => {
    const { ask, made } = await newPlant();
    const since = "2026-01-01T00:00:00.000Z";
    const { id } = await made("/v1/machines", { name: "Press", ref: "PRESS", nodeId: 1, commissionedAt: since });
    const end = (decommissionedAt: string | null) => ask("PATCH", `/v1/machines/${id}`, { decommissionedAt });
    expectProblem(await end(new Date(Date.now() - 1000).toISOString()), 400, "/decommissionedAt");
    for (const at of ["2031-01-01T00:00:00.000Z", "2030-01-01T00:00:00.000Z", null]) expect((await end(at)).status).toBe(200);
    const imported = {
      name: "Old press",
      ref: "OLD",
      nodeId: 1,
      commissionedAt: since,
      decommissionedAt: "2026-02-01T00:00:00.000Z",
    };
    const path = `/v1/machines/${(await made("/v1/machines", imported)).id}`;
    expectProblem(await ask("PATCH", path, { decommissionedAt: null }), 400, "/decommissionedAt");
    expect((await ask("PATCH", path, { name: "Older press", decommissionedAt: imported.decommissionedAt })).status).toBe(200);
  });

  it("that is deleted is out of service, its channels are free, and its object is notified", async () => {
    const { companyId, ask } = await newPlant();
    const machine = await createMachine(companyId);
    await createChannels(machine, [{ channel: 1, type: "total" }]);
    await machineObject(env, machine.id).configure(1);
    expect((await ask("DELETE", `/v1/machines/${machine.id}`)).status).toBe(204);
    const { data } = (await ask("GET", "/v1/machines?includeDeleted=true")).body;
    expect(data).toEqual([expect.objectContaining({ id: machine.id, decommissionedAt: data[0].deletedAt })]);
    for (const inForce of ["count_sensors where", "count_channels where until is null and"]) {
      expect(await env.DB_0.prepare(`select * from ${inForce} machine_id = ?`).bind(machine.id).first()).toBeNull();
    }
    await tookOver(machine.id, 2);
    // It had no event, so it was never in service.
    expect((await settingsOf(machine.id)).at(-1)?.decommissionedAt).toBe(machine.commissionedAt);
  });
});

describe("a shift", () => {
  const morning = { name: "Morning", start: "06:00", end: "14:00", days: ["monday", "tuesday"] };
  const at = (start: string, end: string, days: string[], machineIds: number[] | null = null) => ({
    ...{ name: "Other", start, end, days, machineIds },
  });

  it("cannot overlap another one of the same machines in the week", async () => {
    const { ask, made } = await newPlant();
    await made("/v1/shifts", morning);
    const refused = [
      at("13:59", "15:00", ["tuesday"]),
      at("05:00", "06:01", ["monday"]),
      at("07:00", "08:00", ["friday", "monday"]),
      at("22:00", "06:01", ["sunday"]),
      at("22:00", "06:01", ["monday"]),
      at("15:00", "15:00", ["sunday"]),
      at("06:00", "06:00", ["monday"]),
    ];
    for (const body of refused) {
      const answer = await ask("POST", "/v1/shifts", body);
      expectProblem(answer, 409, "/start");
      expect(answer.body.detail).toContain("Morning");
    }
    for (const body of [
      at("14:00", "22:00", ["monday"]),
      at("22:00", "06:00", ["sunday"]),
      at("07:00", "07:00", ["wednesday"]),
    ]) {
      await made("/v1/shifts", body);
    }
    await (await newPlant()).made("/v1/shifts", morning);
  });

  it("may overlap one of other machines, and one that is deleted", async () => {
    const { companyId, ask, made } = await newPlant();
    const [a, b, c] = [await createMachine(companyId), await createMachine(companyId), await createMachine(companyId)];
    const first = await made("/v1/shifts", { ...morning, machineIds: [a.id, b.id] });
    await made("/v1/shifts", { ...morning, machineIds: [c.id] });
    expectProblem(await ask("POST", "/v1/shifts", { ...morning, machineIds: [b.id] }), 409, "/start");
    expectProblem(await ask("POST", "/v1/shifts", morning), 409, "/start");
    expectProblem(await ask("PATCH", `/v1/shifts/${first.id}`, { machineIds: null }), 409, "/start");
    expect((await ask("PATCH", `/v1/shifts/${first.id}`, { machineIds: [a.id], end: "13:00" })).status).toBe(200);
    await made("/v1/shifts", { ...morning, machineIds: [b.id] });
    expect((await ask("DELETE", `/v1/shifts/${first.id}`)).status).toBe(204);
    await made("/v1/shifts", { ...morning, machineIds: [a.id] });
    const foreign = await createMachine((await createCompany()).companyId);
    const deleted = await createMachine(companyId, { deletedAt: Date.now() });
    const named = { ...morning, start: "15:00", end: "16:00", machineIds: [a.id, foreign.id, deleted.id] };
    expectProblem(await ask("POST", "/v1/shifts", named), 400, "/machineIds/1");
  });

  it("has breaks only inside it, and one at a time", async () => {
    const { ask, made } = await newPlant();
    const planned = (start: string, end: string) => ({ name: "Pause", start, end });
    const night = { name: "Night", start: "22:00", end: "06:00", days: everyDay };
    const good = [planned("22:00", "22:10"), planned("23:50", "00:10"), planned("00:10", "00:20"), planned("05:30", "06:00")];
    const shift = await made("/v1/shifts", { ...night, breaks: good });
    expect(shift.breaks).toEqual(good.map((one) => ({ ...one, isIncludedInAvailability: false })));
    const faulty: [string, object[]][] = [
      ["/breaks/0", [planned("21:59", "22:30")]],
      ["/breaks/1", [planned("23:00", "23:30"), planned("05:30", "06:01")]],
      ["/breaks/1", [planned("23:50", "00:10"), planned("00:09", "00:20")]],
      ["/breaks/0", [planned("12:00", "12:00")]],
      ["/breaks/0/start", [planned("25:00", "06:00")]],
    ];
    for (const [pointer, breaks] of faulty) expectProblem(await ask("PATCH", `/v1/shifts/${shift.id}`, { breaks }), 400, pointer);
    // Unchanged members are checked together with changed ones.
    expectProblem(await ask("PATCH", `/v1/shifts/${shift.id}`, { end: "05:00" }), 400, "/breaks/3");
    expect((await ask("GET", `/v1/shifts/${shift.id}`)).body).toEqual(shift);
  });

  it("changes only the set-up of its machines before and after the change", async () => {
    const { companyId, ask } = await newPlant();
    const [a, b, c] = [await createMachine(companyId), await createMachine(companyId), await createMachine(companyId)];
    const { shiftId } = await createShift(companyId, { machineIds: [a.id] });
    const all = async () => Promise.all([a, b, c].map(async ({ id }) => (await versions(id))?.config_version));
    await ask("PATCH", `/v1/shifts/${shiftId}`, { machineIds: [b.id] });
    expect(await all()).toEqual([2, 2, 1]);
    await ask("DELETE", `/v1/shifts/${shiftId}`);
    expect(await all()).toEqual([2, 3, 1]);
    expectProblem(await ask("POST", "/v1/shifts", { name: "Bad", start: "01:00", end: "02:00", days: ["x"] }), 400, "/days/0");
    expect(await all()).toEqual([2, 3, 1]);
    await ask("POST", "/v1/shifts", morning);
    expect(await all()).toEqual([3, 4, 2]);
  });
});

describe("an SKU", () => {
  it("has a unique id in its company, which may be used again", async () => {
    const { companyId, ask, made } = await newPlant();
    const other = await newPlant();
    const { id: machineId } = await createMachine(companyId);
    const standards = [{ machineId, standardCycleSeconds: 12.5 }];
    await made("/v1/skus", { id: "A", name: "First", standards });
    await other.made("/v1/skus", { id: "A", name: "Theirs" });
    expectProblem(await ask("POST", "/v1/skus", { id: "A", name: "Second" }), 409, "/id");
    expect((await ask("GET", "/v1/skus/A")).body).toMatchObject({ name: "First", standards });
    expect((await ask("DELETE", "/v1/skus/A")).status).toBe(204);
    expect(await made("/v1/skus", { id: "A", name: "Second" })).toMatchObject({ id: "A", name: "Second", standards: [] });
    expect((await other.ask("GET", "/v1/skus/A")).body).toMatchObject({ name: "Theirs" });
    const { id } = await made("/v1/skus", { name: "No id" });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("belongs to the superuser's own company unless another one is named", async () => {
    const superuser = await newPlant("superuser");
    const { companyId } = await newPlant();
    await createSku(companyId, { id: "A", name: "Theirs" });
    expectProblem(await superuser.ask("GET", "/v1/skus/A"), 404);
    await superuser.made("/v1/skus", { id: "A", name: "Mine" });
    expect((await superuser.ask("GET", "/v1/skus/A")).body).toMatchObject({ name: "Mine" });
    expect((await superuser.ask("GET", `/v1/skus/A?companyId=${companyId}`)).body).toMatchObject({ name: "Theirs", companyId });
  });

  it("notifies the machines for which it has standards", async () => {
    const { companyId, ask, made } = await newPlant();
    const [a, b] = [await createMachine(companyId), await createMachine(companyId)];
    const all = async () => Promise.all([a, b].map(async ({ id }) => (await versions(id))?.config_version));
    await made("/v1/skus", { id: "A", name: "A", standards: [{ machineId: a.id, standardCycleSeconds: 1 }] });
    expect(await all()).toEqual([2, 1]);
    await ask("PATCH", "/v1/skus/A", { name: "B" });
    expect(await all()).toEqual([2, 1]);
    await ask("PATCH", "/v1/skus/A", { standards: [{ machineId: b.id, standardCycleSeconds: 1 }] });
    expect(await all()).toEqual([3, 2]);
    await ask("PATCH", "/v1/skus/A", { standards: [{ machineId: null, standardCycleSeconds: 2 }] });
    expect(await all()).toEqual([4, 3]);
    const foreign = await createMachine((await createCompany()).companyId);
    const unknown = {
      standards: [
        { machineId: null, standardCycleSeconds: 1 },
        { machineId: foreign.id, standardCycleSeconds: 1 },
      ],
    };
    expectProblem(await ask("PATCH", "/v1/skus/A", unknown), 400, "/standards/1/machineId");
    expect(await all()).toEqual([4, 3]);
  });
});

describe("a stop cause", () => {
  it("has a parent that its level allows", async () => {
    const { companyId, ask, made } = await newPlant();
    const general = await made("/v1/stop-causes", { level: "general", name: "Breakdown" });
    expect(general).toMatchObject({ parentId: null, isProgrammed: false, isIncludedInAvailability: true });
    const specific = await made("/v1/stop-causes", { level: "specific", parentId: general.id, name: "Jam" });
    const component = await made("/v1/stop-causes", { level: "component", parentId: specific.id, name: "Belt" });
    const part = await made("/v1/stop-causes", { level: "component", parentId: component.id, name: "Buckle" });
    await made("/v1/stop-causes", { level: "component", name: "Motor" });
    const { causeId: foreign } = await createStopCause((await createCompany()).companyId);
    const { causeId: deleted } = await createStopCause(companyId, { deletedAt: Date.now() });
    const refused = [
      { level: "general", parentId: general.id },
      { level: "specific" },
      { level: "specific", parentId: specific.id },
      { level: "specific", parentId: foreign },
      { level: "component", parentId: deleted },
    ];
    for (const body of refused) expectProblem(await ask("POST", "/v1/stop-causes", { name: "No", ...body }), 400, "/parentId");
    for (const parentId of [component.id, part.id]) {
      expectProblem(await ask("PATCH", `/v1/stop-causes/${component.id}`, { parentId }), 409, "/parentId");
    }
    expectProblem(await ask("DELETE", `/v1/stop-causes/${component.id}`), 409);
    expect((await ask("DELETE", `/v1/stop-causes/${part.id}`)).status).toBe(204);
    expect((await ask("DELETE", `/v1/stop-causes/${component.id}`)).status).toBe(204);
  });

  it("has the flags of its parent, unless it has its own", async () => {
    const { ask, made } = await newPlant();
    const flags = { isProgrammed: true, isIncludedInAvailability: false };
    const none = { isProgrammed: null, isIncludedInAvailability: null };
    const general = await made("/v1/stop-causes", { level: "general", name: "Planned", ...flags });
    expect(general).toMatchObject({ ...flags, ownFlags: flags });
    const below = { level: "specific", parentId: general.id };
    const silent = await made("/v1/stop-causes", { ...below, name: "Changeover" });
    expect(silent).toMatchObject({ ...flags, ownFlags: none });
    expect(await made("/v1/stop-causes", { ...below, name: "Cleaning", ...none })).toMatchObject({ ...flags, ownFlags: none });
    const own = await made("/v1/stop-causes", { ...below, name: "Repair", isProgrammed: false });
    const ofOwn = { isProgrammed: false, isIncludedInAvailability: false };
    expect(own).toMatchObject({ ...ofOwn, ownFlags: { ...none, isProgrammed: false } });
    const part = await made("/v1/stop-causes", { level: "component", parentId: own.id, name: "Belt" });
    // A component's flags are not applied to stops.
    expect(part).toMatchObject({ isProgrammed: false, isIncludedInAvailability: true, ownFlags: none });

    const shown = async ({ id }: { id: number }) => (await ask("GET", `/v1/stop-causes/${id}`)).body;
    const put = async ({ id }: { id: number }, body: object) => (await ask("PATCH", `/v1/stop-causes/${id}`, body)).body;
    expect(await put(general, { isProgrammed: null })).toMatchObject({
      isProgrammed: false,
      ownFlags: { ...flags, isProgrammed: null },
    });
    expect(await shown(silent)).toMatchObject({ isProgrammed: false, isIncludedInAvailability: false, ownFlags: none });
    expect(await put(silent, { isProgrammed: true, name: "Tool change" })).toMatchObject({ isProgrammed: true });
    expect(await put(silent, { isIncludedInAvailability: true })).toMatchObject({
      ownFlags: { isProgrammed: true, isIncludedInAvailability: true },
    });
    expect(await put(silent, none)).toMatchObject({ isProgrammed: false, isIncludedInAvailability: false, ownFlags: none });
    const { data } = (await ask("GET", "/v1/stop-causes")).body;
    expect(data).toContainEqual(await shown(part));
    const { body } = await ask("GET", "/v1/audit");
    expect(body.data[0]).toMatchObject({ action: "stop-cause.change", after: { ownFlags: none } });
    expect(body.data[0].after).not.toHaveProperty("isProgrammed");
  });

  it("has a unique name among the causes of its level under its parent", async () => {
    const { ask, made } = await newPlant();
    const [first, second] = [
      await made("/v1/stop-causes", { level: "general", name: "Breakdown" }),
      await made("/v1/stop-causes", { level: "general", name: "Planned" }),
    ];
    const jam = await made("/v1/stop-causes", { level: "specific", parentId: first.id, name: "Jam" });
    const other = await made("/v1/stop-causes", { level: "specific", parentId: second.id, name: "Jam" });
    await made("/v1/stop-causes", { level: "component", name: "Breakdown" });
    const taken = async (method: string, id: string, body: object) => {
      const answer = await ask(method, `/v1/stop-causes${id}`, body);
      expectProblem(answer, 409, "/name");
      expect(answer.body.errors[0].code).toBe("taken");
    };
    await taken("POST", "", { level: "general", name: "Breakdown" });
    await taken("POST", "", { level: "specific", parentId: String(first.id), name: "Jam" });
    await taken("POST", "", { level: "component", name: "Breakdown" });
    await taken("PATCH", `/${second.id}`, { name: "Breakdown" });
    await taken("PATCH", `/${other.id}`, { parentId: first.id });
    expect((await ask("PATCH", `/v1/stop-causes/${other.id}`, { name: "Jam", isProgrammed: true })).status).toBe(200);
    const twins = [1, 2, 3].map(() => ask("POST", "/v1/stop-causes", { level: "general", name: "Twin" }));
    expect((await Promise.all(twins)).map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await ask("DELETE", `/v1/stop-causes/${jam.id}`)).status).toBe(204);
    expect((await ask("PATCH", `/v1/stop-causes/${other.id}`, { parentId: first.id })).status).toBe(200);
  });
});

describe("an operator plan", () => {
  it("notifies its machines, and follows its dates", async () => {
    const { companyId, ask, made } = await newPlant();
    const [a, b] = [await createMachine(companyId), await createMachine(companyId)];
    const { operatorId } = await createOperator(companyId);
    const { shiftId } = await createShift(companyId);
    const at = (hours: number) => new Date(Date.now() + hours * 60 * minute).toISOString();
    const assignments = [{ operatorId, machineId: a.id, shiftId }];
    const plan = await made("/v1/operator-plans", { title: "Week", since: at(-1), until: at(1), assignments });
    expect(plan).toMatchObject({ status: "Active", fileId: null, operatorCount: 1, machineCount: 1, assignments });
    const path = `/v1/operator-plans/${plan.id}`;
    expectProblem(await ask("PATCH", path, { title: "Other", assignments: [] }), 409, "/title", "/assignments");
    expectProblem(await ask("PATCH", path, { until: at(-0.5) }), 400, "/until");
    expect((await ask("PATCH", path, { until: at(2), title: "Week" })).status).toBe(200);
    expect((await versions(a.id))?.config_version).toBe(3);
    expect((await versions(b.id))?.config_version).toBe(1);

    const past = await createOperatorPlan(companyId, { since: 0, until: 1 });
    expectProblem(await ask("PATCH", `/v1/operator-plans/${past.id}`, { title: "Other" }), 409);
    const future = await made("/v1/operator-plans", { title: "Next", since: at(1), until: at(2), assignments });
    const twice = { assignments: [...assignments, ...assignments] };
    expectProblem(await ask("PATCH", `/v1/operator-plans/${future.id}`, twice), 400, "/assignments/1");
    const moved = { assignments: [{ operatorId, machineId: b.id, shiftId }] };
    expect((await ask("PATCH", `/v1/operator-plans/${future.id}`, moved)).body).toMatchObject(moved);
    expect((await versions(a.id))?.config_version).toBe(5);
    expect((await versions(b.id))?.config_version).toBe(2);
    expect((await ask("DELETE", `/v1/operator-plans/${future.id}`)).status).toBe(204);
    expect((await versions(b.id))?.config_version).toBe(3);
  });
});

describe("an operator plan from a CSV file", () => {
  const head = "operatorCode,machineRef,shiftName";
  const dates = "title=Week%2047&since=2100-01-01T00:00:00Z&until=2100-01-08T00:00:00Z";

  async function newCrew() {
    const plant = await newPlant();
    const { companyId, token } = plant;
    const [press, saw] = [
      await createMachine(companyId, { ref: "P 1" }),
      await createMachine(companyId, { ref: 'The "saw", big' }),
    ];
    const operator = await createOperator(companyId, { code: "O-1" });
    const ofPress = await createShift(companyId, { name: "Morning", machineIds: [press.id] });
    const ofSaw = await createShift(companyId, { name: "Morning", machineIds: [saw.id] });
    const upload = (file: string, query = dates, type = "text/csv; charset=utf-8") =>
      call("POST", `/v1/operator-plans/csv?${query}`, { token, body: file, headers: { "content-type": type } });
    return { ...plant, press, saw, operator, ofPress, ofSaw, upload };
  }

  it("is created from the names in it", async () => {
    const { press, saw, operator, ofPress, ofSaw, upload, ask } = await newCrew();
    const file = `${head}\r\nO-1, P 1 ,Morning\r\n\r\n"O-1","The ""saw"", big",Morning`;
    const plan = await upload(`\uFEFF${file}`);
    expect(plan.status, JSON.stringify(plan.body)).toBe(201);
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(file));
    expect(plan.body).toMatchObject({
      title: "Week 47",
      status: "future",
      fileId: Buffer.from(hash).toString("hex"),
      operatorCount: 1,
      machineCount: 2,
      assignments: [
        { operatorId: operator.id, machineId: press.id, shiftId: ofPress.id },
        { operatorId: operator.id, machineId: saw.id, shiftId: ofSaw.id },
      ],
    });
    expect((await ask("GET", `/v1/operator-plans/${plan.body.id}`)).body).toEqual(plan.body);
    expect((await versions(press.id))?.config_version).toBe(2);
  });

  it.each([
    ["semicolons", "operatorCode;machineRef;shiftName\r\n007;PRE-1;Mañana\r\n"],
    ["semicolons and a byte order mark", "\uFEFFoperatorCode;machineRef;shiftName\r\n007;PRE-1;Mañana\r\n"],
    ["commas in a quoted name between semicolons", 'shiftName;machineRef;operatorCode\r\n"Mañana";"PRE-1";"007"\r\n'],
    ["columns in another order", "machineRef,shiftName,operatorCode\nPRE-1,Mañana,007\n"],
    ["decomposed letters", "operatorCode,machineRef,shiftName\n007,PRE-1,Mañana\n".normalize("NFD")],
  ])("is read with %s", async (_, file) => {
    const { companyId, upload } = await newCrew();
    const machine = await createMachine(companyId, { ref: "PRE-1" });
    const operator = await createOperator(companyId, { code: "007" });
    const shift = await createShift(companyId, { name: "Mañana" });
    const { status, body } = await upload(file);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.assignments).toEqual([{ operatorId: operator.id, machineId: machine.id, shiftId: shift.id }]);
  });

  it("finds names that are stored in decomposed letters", async () => {
    const { companyId, upload } = await newCrew();
    const [machine, operator, shift] = [
      await createMachine(companyId, { ref: "Ñ-1".normalize("NFD") }),
      await createOperator(companyId, { code: "É".normalize("NFD") }),
      await createShift(companyId, { name: "Mañana".normalize("NFD") }),
    ];
    const { body } = await upload(`${head}\nÉ,Ñ-1,Mañana`);
    expect(body.assignments).toEqual([{ operatorId: operator.id, machineId: machine.id, shiftId: shift.id }]);
  });

  it.each([
    ["Windows-1252", Buffer.from(`${head}\nO-1,P 1,Mañana`, "latin1")],
    ["UTF-16", Buffer.from(`\uFEFF${head}\nO-1,P 1,Morning`, "utf16le")],
    ["UTF-16", Buffer.from(`${head}\nO-1,P 1,Morning`, "utf16le")],
  ])("in %s is refused, and the encoding is named", async (encoding, bytes) => {
    const { token } = await newCrew();
    const request = new Request(`http://andon.test/v1/operator-plans/csv?${dates}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "text/csv", "idempotency-key": crypto.randomUUID() },
      body: new Uint8Array(bytes),
    });
    const answer = await exports.default.fetch(request);
    expect(answer.status).toBe(400);
    const { detail } = (await answer.json()) as { detail: string };
    expect(detail).toContain("not UTF-8");
    expect(detail).toContain(encoding);
  });

  it("is another request for an Idempotency-Key if its query differs", async () => {
    const { token } = await newCrew();
    const headers = { "content-type": "text/csv", "idempotency-key": crypto.randomUUID() };
    const body = `${head}\nO-1,P 1,Morning`;
    const upload = (query: string) => call("POST", `/v1/operator-plans/csv?${query}`, { token, body, headers });
    expect((await upload(dates)).status).toBe(201);
    expectProblem(await upload(dates.replace("47", "48")), 409);
  });

  it("is not created if lines are wrong, which are named", async () => {
    const { companyId, upload, ask } = await newCrew();
    await createShift(companyId, { name: "Twice" });
    await createShift(companyId, { name: "Twice" });
    const lines = [
      "O-1,P 1,Morning",
      "O-2,P 1,Morning",
      "O-1,P 2,Morning",
      "O-1,P 1,Noon",
      '"O-1"',
      "O-1,P 1,Morning",
      "O-1,P 1,Twice",
    ];
    expectProblem(
      await upload([head, ...lines].join("\n")),
      400,
      ...["/lines/3/operatorCode", "/lines/4/machineRef", "/lines/5/shiftName", "/lines/6", "/lines/7", "/lines/8/shiftName"],
    );
    for (const line of ['O-1,P "1",Morning', '"O-1,P 1,Morning', '"O-1"x,P 1,Morning']) {
      expectProblem(await upload([head, "O-1,P 1,Morning", line].join("\n")), 400, "/lines/3");
    }
    for (const file of ["", "a,b", `${head},more`, lines.join("\n")]) expectProblem(await upload(file), 400, "/lines/1");
    expectProblem(await upload(head, dates, "application/json"), 415);
    expectProblem(await upload(head, "title="), 400, "/query/title", "/query/since", "/query/until");
    expectProblem(await upload(`${head}\nO-1,P 1,Morning`, dates.replace("2100-01-08", "2099-01-08")), 400, "/until");
    expectProblem(await upload(head, `${dates}&companyId=${companyId + 1}`), 404, "/companyId");
    expect((await ask("GET", "/v1/operator-plans")).body.data).toEqual([]);
  });
});

async function settingsOf(machineId: number): Promise<Settings[]> {
  return await runInDurableObject(machineObject(env, machineId), (_object, { storage }) => settingsIn(storage));
}
