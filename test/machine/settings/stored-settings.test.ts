import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { migrate } from "../../../src/core/storage-steps.ts";
import { migrations } from "../../../src/machine/storage/steps.ts";
import type { Settings } from "../../../src/oee/settings.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { createOperator, createOperatorPlan, createSku, createUser, createVersion } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest, stopsOf } from "../../support/machines.ts";
import { settingsIn, takeBackSettingsParts } from "../../support/object-storage.ts";

stopClockAtNoon();

/** A machine with events, whose set-up therefore has versions. */
async function workingLine() {
  const line = await createLine({ commissionedAt: NOON - HOUR, noDataAfterSeconds: null });
  await ingest(line.token, [countAt(line.machine.nodeId, NOON - MINUTE)]);
  const operators = await Promise.all(Array.from({ length: 6 }, () => createOperator(line.companyId)));
  const plan = (since: number) => {
    const assignments = operators.map(({ operatorId }) => ({ operatorId, machineId: line.machine.id, shiftId: line.shiftId }));
    return createOperatorPlan(line.companyId, { since, until: since + DAY, assignments });
  };
  const configure = (configVersion: number) => {
    return env.DB_0.prepare("UPDATE machines SET config_version = ? WHERE id = ?")
      .bind(configVersion, line.machine.id)
      .run()
      .then(() => machineObject(env, line.machine.id).configure(configVersion));
  };
  const inObject = <T>(work: (storage: DurableObjectStorage) => T) =>
    runInDurableObject(machineObject(env, line.machine.id), (_, { storage }) => work(storage));
  return { ...line, operators, plan, configure, inObject };
}

const sizeOf = ({ sql }: DurableObjectStorage) =>
  sql.exec<{ bytes: number }>("SELECT ifnull(sum(length(key) + length(body) + 20), 0) AS bytes FROM settings_parts").one().bytes;

describe("the settings that an object keeps", () => {
  it("stay small with a plan for every day of five months, and the machine answers", async () => {
    const { companyId, machine, shiftId, plan, configure, inObject } = await workingLine();
    const { token } = await createUser(companyId, "admin");
    for (let day = 0; day < 150; day++) {
      await plan(NOON + day * DAY);
      await configure(day + 2);
    }
    await evictDurableObject(machineObject(env, machine.id));
    const state = await call("GET", `/v1/machines/${machine.id}/state`, { token });
    expect(state.status, JSON.stringify(state.body)).toBe(200);
    expect(await inObject(sizeOf)).toBeLessThan(20_000);
    const [last] = (await inObject(settingsIn)).slice(-1);
    expect(last?.plan.length).toBeLessThanOrEqual(6 * 15);
    expect(last?.plan).toContainEqual(expect.objectContaining({ shiftId, since: NOON, until: NOON + DAY }));
  });

  it("are joined by a plan from far ahead before it begins, though nobody changes anything", async () => {
    const { machine, token, operators, plan } = await workingLine();
    await plan(NOON + 40 * DAY);
    await env.DB_0.prepare("UPDATE machines SET config_version = 2 WHERE id = ?").bind(machine.id).run();
    await machineObject(env, machine.id).configure(2);
    for (let day = 5; day <= 40; day += 5) {
      vi.setSystemTime(NOON + day * DAY);
      await flushMachine(machine.id);
    }
    vi.setSystemTime(NOON + 40 * DAY + HOUR);
    await ingest(token, [countAt(machine.nodeId, NOON + 40 * DAY + MINUTE, 7)]);
    const shares = (await machineObject(env, machine.id).operators())?.shares;
    expect(shares?.map(({ operatorId, units }) => [operatorId, units])).toEqual(operators.map((one) => [one.operatorId, 7]));
  });

  it("cost each SKU that is added as many bytes and rows as the first ones", async () => {
    const { companyId, inObject, configure } = await workingLine();
    const sizes: number[] = [];
    for (let skus = 1; skus <= 60; skus++) {
      await createSku(companyId, { standards: [{ standardCycleSeconds: skus }] });
      await configure(skus + 1);
      if (skus % 20 === 0) sizes.push(await inObject(sizeOf));
    }
    const [first = 0, second = 0, third = 0] = sizes;
    expect(first).toBeLessThan(4_000);
    expect(third - second).toBeLessThan(1.1 * (second - first));
    const written = await inObject(({ sql }) => sql.exec("SELECT count(*) AS n FROM settings_parts WHERE kind = 'sku'").one().n);
    expect(written).toBe(60);
  });

  it("give the operators planned in a shift of the past their time again when a stop in it is edited", async () => {
    const { companyId, machine, token, operators, plan, configure } = await workingLine();
    await plan(NOON - HOUR);
    await configure(2);
    for (let day = 0; day <= 20; day++) {
      vi.setSystemTime(NOON + day * DAY + HOUR);
      await ingest(token, [countAt(machine.nodeId, NOON + day * DAY + MINUTE)]);
      await flushMachine(machine.id);
    }
    const operatorsOf = () =>
      env.DB_0.prepare(
        "SELECT operator_id, uptime_ms, downtime_ms FROM operator_shifts WHERE machine_id = ? ORDER BY operator_id, shift_start",
      )
        .bind(machine.id)
        .all()
        .then(({ results }) => results);
    const before = await operatorsOf();
    expect(before.length).toBeGreaterThanOrEqual(operators.length);
    const { token: admin } = await createUser(companyId, "admin");
    const [stop] = await stopsOf(machine.id);
    const body = { name: "Said much later" };
    const edited = await call("PATCH", `/v1/stops/${stop?.id}`, { token: admin, body });
    expect(edited.status, JSON.stringify(edited.body)).toBe(200);
    expect(await operatorsOf()).toEqual(before);
  });
});

describe("what somebody dated", () => {
  type Said = { validFrom: number; validUntil?: number; isExplicit: boolean; recordedAt: number; stopAfterSeconds: number };
  const always: Said = { validFrom: NOON - HOUR, isExplicit: false, recordedAt: NOON - HOUR, stopAfterSeconds: 120 };
  const dated: Said = { validFrom: NOON - 40 * MINUTE, isExplicit: true, recordedAt: NOON, stopAfterSeconds: 600 };

  /** What holds since when, once a machine has read what was said of it while its clock shows an instant. */
  async function limitsReadAt(now: number, said: readonly Said[]) {
    const { companyId, machine, configure, inObject } = await workingLine();
    // From its first event on, a change does not hold from the beginning: D1 has to know of it.
    await flushMachine(machine.id);
    const others = { signal: "counts", noDataAfterSeconds: null, standardCycleSeconds: null, reportingSeconds: null };
    for (const { stopAfterSeconds, ...when } of said) {
      const body = { ...others, hourlyRate: null, stopAfterSeconds };
      await createVersion(companyId, { kind: "limits", entity: machine.id, body }, { ...when, dueAt: null });
    }
    vi.setSystemTime(now);
    await configure(2);
    return (await inObject(settingsIn)).map(({ since, stopAfterMs }) => [since, stopAfterMs / 1000]);
  }

  it("of the past holds for a machine whose clock was set back since", async () => {
    const said = [always, { ...dated, validUntil: NOON - 10 * MINUTE }];
    const expected = [
      [0, 120],
      [NOON - 40 * MINUTE, 600],
      [NOON - 10 * MINUTE, 120],
    ];
    expect(await limitsReadAt(NOON, said)).toEqual(expected);
    expect(await limitsReadAt(NOON - 50 * MINUTE, said)).toEqual(expected);
  });

  it("holds up to what was recorded after it, also by a clock that is ahead of the machine's", async () => {
    const later = NOON + 20_000;
    const said = [always, dated, { ...always, validFrom: later, recordedAt: later }];
    for (const now of [NOON, NOON - 50 * MINUTE]) {
      const [first, second, third, ...rest] = await limitsReadAt(now, said);
      expect([first, second, third?.[1], rest]).toEqual([[0, 120], [NOON - 40 * MINUTE, 600], 120, []]);
      // The machine's own clock does not go back behind what it has computed.
      expect(third?.[0]).toBeGreaterThanOrEqual(NOON - MINUTE);
      expect(third?.[0]).toBeLessThan(later);
    }
  });
});

describe("an object from before settings were stored in parts", () => {
  const version = (since: number, more: Partial<Settings>): Settings => ({
    ...{ since, timezone: "UTC", signal: "counts", stopAfterMs: 120_000, noDataAfterMs: null, commissionedAt: 0 },
    ...{ decommissionedAt: null, standardCycleMs: null, skuStandardsMs: {}, shifts: [], plan: [], signOutAtShiftEnd: true },
    ...more,
  });
  const planned = (operatorId: number, since: number, until: number) => ({ operatorId, shiftId: 1, since, until });

  it("has the same settings at every time", async () => {
    const { machine, inObject } = await workingLine();
    const shifts = [{ id: 1, start: "06:00", end: "14:00", days: [1], breaks: [] }];
    const week = planned(1, 50, 400);
    const versions = [
      version(0, { skuStandardsMs: { a: 1, b: 2 }, plan: [week] }),
      version(100, { skuStandardsMs: { a: 1, b: 3 }, plan: [week, planned(2, 150, 350)], shifts }),
      version(200, { skuStandardsMs: { b: 3 }, plan: [planned(2, 150, 350), planned(3, 900, 999)], shifts }),
      version(300, { skuStandardsMs: { b: 3, a: 1 }, plan: [week, planned(3, 900, 999)], shifts, timezone: "Europe/Madrid" }),
    ];
    await inObject((storage) => {
      takeBackSettingsParts(storage, versions);
      migrate(storage, migrations);
    });
    const migrated = await inObject(settingsIn);
    expect(migrated.map(({ since }) => since)).toEqual([0, 100, 200, 300]);
    const common = ({ plan: _, ...settings }: Settings) => settings;
    expect(migrated.map(common)).toEqual(versions.map(common));
    const plannedAt = (settings: Settings | undefined, at: number) =>
      settings?.plan
        .filter(({ since, until }) => since <= at && at < until)
        .map(({ operatorId }) => operatorId)
        .toSorted();
    for (let at = 0; at < 1000; at += 10) {
      const old = versions.findLast(({ since }) => since <= at);
      expect(plannedAt(migrated.at(-1), at), `at ${at}`).toEqual(plannedAt(old, at));
    }
    await evictDurableObject(machineObject(env, machine.id));
  });

  it("answers again after its copies of all plans had made it fail, and is small", async () => {
    const { companyId, machine, shiftId, inObject } = await workingLine();
    const { token } = await createUser(companyId, "admin");
    await inObject((storage) => {
      const [first] = settingsIn(storage);
      const plans: Settings["plan"][number][] = [];
      const copies: Settings[] = [];
      for (let day = 0; day < 150; day++) {
        for (let operatorId = 1; operatorId <= 6; operatorId++) {
          plans.push({ operatorId, shiftId, since: NOON + day * DAY, until: NOON + (day + 1) * DAY });
        }
        copies.push({ ...(first as Settings), since: day === 0 ? 0 : NOON - MINUTE + day, plan: [...plans] });
      }
      takeBackSettingsParts(storage, copies);
    });
    await evictDurableObject(machineObject(env, machine.id));
    expect((await call("GET", `/v1/machines/${machine.id}/state`, { token })).status).toBe(200);
    expect(await inObject(sizeOf)).toBeLessThan(2_000);
  });
});
