import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { pieces, type Version, versionAt } from "../../src/oee/versions.ts";
import { call } from "../support/call.ts";
import { createCompany, createLine, createMachine, createStopCause, createUser } from "../support/factories.ts";

interface Stored extends Version {
  kind: string;
  entity: string;
  machineId: number;
  body: Record<string, unknown> | null;
  userId: number | null;
  reason: string | null;
}

async function newPlant() {
  const { companyId } = await createCompany();
  const { token, userId } = await createUser(companyId, "superuser");
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, { token, body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  return { companyId, userId, ask };
}

async function storedVersions(companyId: number): Promise<Stored[]> {
  const { results } = await env.DB_0.prepare(
    `select id, kind, entity, machine_id as machineId, valid_from as validFrom, valid_until as validUntil, is_explicit as isExplicit, body,
      recorded_at as recordedAt, withdrawn_at as withdrawnAt, user_id as userId, reason from set_up_versions where company_id = ? order by id`,
  )
    .bind(companyId)
    .all<Stored & { body: string | null }>();
  return results.map((row) => ({ ...row, isExplicit: Boolean(row.isExplicit), body: row.body && JSON.parse(row.body) }));
}

/** What is in force by the versions: bodies by kind, item and machine. */
async function inForce(companyId: number): Promise<Record<string, unknown>> {
  const all = Map.groupBy(await storedVersions(companyId), ({ kind, entity, machineId }) => `${kind} ${entity} ${machineId}`);
  const found = [...all].map(([key, some]) => [key, versionAt(pieces(some, 0), Date.now() + 1000)?.body ?? null]);
  return Object.fromEntries(found.filter(([, body]) => body !== null));
}

/** What the tables of the set-up have: of the items of a company that are not deleted. */
async function inTables(companyId: number): Promise<Record<string, unknown>> {
  const rowsOf = async (sql: string) =>
    (await env.DB_0.prepare(sql).bind(companyId).all<{ key: string; body: string }>()).results;
  const rows = [
    ...(await rowsOf(`select 'limits ' || id || ' 0' as key, json_object('signal', signal, 'stopAfterSeconds', stop_after_seconds,
      'noDataAfterSeconds', no_data_after_seconds, 'standardCycleSeconds', standard_cycle_seconds, 'reportingSeconds', reporting_seconds,
      'hourlyRate', hourly_rate) as body from machines where company_id = ? and deleted_at is null`)),
    ...(await rowsOf(`select 'line ' || id || ' 0' as key, json_object('lineId', line_id) as body from machines
      where company_id = ? and deleted_at is null`)),
    ...(await rowsOf(`select 'service ' || id || ' 0' as key, json_object('commissionedAt', commissioned_at, 'decommissionedAt',
      decommissioned_at) as body from machines where company_id = ? and deleted_at is null`)),
    ...(await rowsOf(`select 'shift ' || id || ' 0' as key, json_object('start', start, 'end', "end", 'days', json(days), 'breaks',
      json(breaks), 'machineIds', json(machine_ids)) as body from shifts where company_id = ? and deleted_at is null`)),
    ...(await rowsOf(`select 'standard ' || id || ' ' || machine_id as key, json_object('standardCycleSeconds', standard_cycle_seconds)
      as body from skus join sku_standards on sku_standards.company_id = skus.company_id and sku_id = id
      where skus.company_id = ? and deleted_at is null`)),
    ...(await rowsOf(`select 'cause ' || id || ' 0' as key, json_object('parentId', parent_id, 'isProgrammed',
      json(iif(is_programmed, 'true', iif(is_programmed is null, 'null', 'false'))), 'isIncludedInAvailability',
      json(iif(is_included_in_availability, 'true', iif(is_included_in_availability is null, 'null', 'false')))) as body
      from stop_causes where company_id = ? and deleted_at is null`)),
    ...(await rowsOf(`select 'rules ' || id || ' 0' as key, json_object('timezone', timezone, 'signOutAtShiftEnd',
      json(iif(sign_out_at_shift_end, 'true', 'false')), 'productionDay', production_day, 'weekStart', week_start) as body
      from companies where id = ? and deleted_at is null`)),
  ];
  return Object.fromEntries(rows.map(({ key, body }) => [key, JSON.parse(body)]));
}

/** The operations on each resource: a body of POST, and changes of each member, one after the other. */
const writes: Record<
  string,
  { path: string; kinds: string[]; body(companyId: number): Promise<object>; changes(companyId: number): Promise<object[]> }
> = {
  machines: {
    path: "/v1/machines",
    kinds: ["limits", "line", "service"],
    body: async () => ({ name: "Press", ref: "P-1", nodeId: 1 }),
    changes: async (companyId) => [
      { name: "Press 1" },
      { signal: "states" },
      { stopAfterSeconds: 61.5 },
      { noDataAfterSeconds: null },
      { standardCycleSeconds: 0.3 },
      { reportingSeconds: 60 },
      { hourlyRate: 12.34 },
      { holdFactor: null },
      { oeeThresholds: { badBelow: 10, goodFrom: 20 } },
      { lineId: (await createLine(companyId)).lineId },
      { commissionedAt: "2026-01-01T00:00:00Z" },
      { decommissionedAt: "2040-01-01T00:00:00Z", lineId: null, stopAfterSeconds: 90 },
    ],
  },
  shifts: {
    path: "/v1/shifts",
    kinds: ["shift"],
    body: async () => ({ name: "Early", start: "06:00", end: "14:00", days: ["monday"] }),
    changes: async (companyId) => [
      { name: "Morning" },
      { start: "05:00" },
      { end: "13:00" },
      { days: ["monday", "sunday"] },
      { breaks: [{ name: "Lunch", start: "10:00", end: "10:30" }] },
      { machineIds: [(await createMachine(companyId)).machineId] },
      { machineIds: null },
    ],
  },
  SKUs: {
    path: "/v1/skus",
    kinds: ["standard"],
    body: async () => ({ id: "B 500", name: "Bottle", standards: [{ machineId: null, standardCycleSeconds: 12 }] }),
    changes: async (companyId) => {
      const { machineId } = await createMachine(companyId);
      const [any, one] = [
        { machineId: null, standardCycleSeconds: 12 },
        { machineId, standardCycleSeconds: 9.5 },
      ];
      return [
        { name: "Bottle, 500 ml" },
        { standards: [any, one] },
        { standards: [any, { ...one, standardCycleSeconds: 9 }] },
        { standards: [one] },
        { standards: [] },
        { standards: [any] },
      ];
    },
  },
  companies: {
    path: "/v1/companies",
    kinds: ["rules"],
    body: async () => ({ name: "Plant", timezone: "Europe/Madrid" }),
    changes: async () => [
      { name: "Plant 1" },
      { timezone: "Europe/Lisbon" },
      { signOutAtShiftEnd: false },
      { currency: "USD" },
      { oeeThresholds: { badBelow: 10, goodFrom: 20 } },
    ],
  },
  "stop causes": {
    path: "/v1/stop-causes",
    kinds: ["cause"],
    body: async (companyId) => ({ level: "specific", name: "Jam", parentId: (await createStopCause(companyId)).causeId }),
    changes: async (companyId) => [
      { name: "Big jam" },
      { isProgrammed: true },
      { isProgrammed: false, isIncludedInAvailability: false },
      { parentId: (await createStopCause(companyId)).causeId },
      { isIncludedInAvailability: null },
    ],
  },
};

describe.each(Object.entries(writes))("versions of %s", (_name, { path, kinds, body, changes }) => {
  /** What concerns one item: factories write others without versions. */
  const only = (all: Record<string, unknown>, id: unknown) => {
    const isOne = (key: string) => kinds.some((kind) => key.startsWith(`${kind} ${id} `));
    return Object.fromEntries(Object.entries(all).filter(([key]) => isOne(key)));
  };
  const expectSame = async (companyId: number, id: unknown) =>
    expect(only(await inForce(companyId), id)).toEqual(only(await inTables(companyId), id));

  it("say what the row says after each write of each member, and end when it is deleted", async () => {
    const { companyId: own, userId, ask } = await newPlant();
    const { id } = await ask("POST", path, await body(own));
    const companyId = path === "/v1/companies" ? id : own;
    const item = `${path}/${encodeURIComponent(id)}`;
    await expectSame(companyId, id);
    expect(Object.keys(only(await inForce(companyId), id))).toHaveLength(kinds.length);
    for (const change of await changes(own)) {
      const before = await storedVersions(companyId);
      await ask("PATCH", item, change);
      await expectSame(companyId, id);
      const hasVersions = !Object.keys(change).every((member) =>
        ["name", "holdFactor", "currency", "oeeThresholds"].includes(member),
      );
      const recorded = (await storedVersions(companyId)).slice(before.length);
      expect(recorded.length > 0, JSON.stringify(change)).toBe(hasVersions);
      for (const one of recorded) expect(one).toMatchObject({ entity: String(id), userId, reason: null, isExplicit: false });
    }
    await ask("DELETE", item);
    expect(only(await inForce(companyId), id)).toEqual({});
    if (path !== "/v1/skus") return;
    await ask("POST", path, await body(companyId));
    await expectSame(companyId, id);
  });

  it("of an item that a release without versions stored begin with what it had", async () => {
    const { companyId: own, ask } = await newPlant();
    const { id } = await ask("POST", path, await body(own));
    const companyId = path === "/v1/companies" ? id : own;
    await env.DB_0.prepare("delete from set_up_versions where company_id = ?").bind(companyId).run();
    const before = only(await inTables(companyId), id);
    const item = `${path}/${encodeURIComponent(id)}`;
    const { updatedAt } = await ask("GET", item);
    const [, change = {}] = await changes(own);
    await ask("PATCH", item, change);
    const [first, second] = await storedVersions(companyId);
    const key = `${first?.kind} ${first?.entity} ${first?.machineId}`;
    expect(first).toMatchObject({ reason: "before versions", userId: null, validFrom: Date.parse(updatedAt), body: before[key] });
    expect(second).toMatchObject({ reason: null, userId: expect.any(Number) });
    const [found, stored] = [only(await inForce(companyId), id), only(await inTables(companyId), id)];
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, stored[name]])));
  });
});

it("a change by a release without versions is stored before the next one", async () => {
  const { companyId, ask } = await newPlant();
  const standards = [{ machineId: null, standardCycleSeconds: 12 }];
  const machine = await ask("POST", "/v1/machines", { name: "Press", ref: "P-1", nodeId: 1 });
  await ask("POST", "/v1/skus", { id: "B", name: "Bottle", standards });
  const at = Date.now() + 50;
  const old = (sql: string, ...values: unknown[]) =>
    env.DB_0.prepare(sql)
      .bind(...values)
      .run();
  await old("update machines set stop_after_seconds = 77, updated_at = ? where id = ?", at, machine.id);
  await old("delete from sku_standards where company_id = ?", companyId);
  await old("insert into sku_standards values (?, 'B', ?, 8)", companyId, machine.id);
  await old("update skus set updated_at = ? where company_id = ?", at, companyId);
  const before = await storedVersions(companyId);
  await ask("PATCH", `/v1/machines/${machine.id}`, { hourlyRate: 5 });
  await ask("PATCH", "/v1/skus/B", { standards: [{ machineId: machine.id, standardCycleSeconds: 7 }] });
  const noted = { reason: "before versions", userId: null, validFrom: at };
  const recorded = (await storedVersions(companyId)).slice(before.length);
  expect(recorded).toMatchObject([
    { ...noted, kind: "limits", body: { stopAfterSeconds: 77, hourlyRate: null } },
    { reason: null, kind: "limits", body: { stopAfterSeconds: 77, hourlyRate: 5 } },
    { ...noted, kind: "standard", machineId: 0, body: null },
    { ...noted, kind: "standard", machineId: machine.id, body: { standardCycleSeconds: 8 } },
    { reason: null, kind: "standard", machineId: machine.id, body: { standardCycleSeconds: 7 } },
  ]);
  expect(recorded).toHaveLength(5);
  const { [`rules ${companyId} 0`]: _, ...stored } = await inTables(companyId);
  expect(await inForce(companyId)).toEqual(stored);
});
