import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { roles } from "../../../src/db/schema.ts";
import { call } from "../../support/call.ts";
import { stopClock } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import {
  createChannels,
  createCompany,
  createGatewayToken,
  createMachine,
  createOperator,
  createShift,
  createSku,
  createStopCause,
  createUser,
} from "../../support/factories.ts";
import { guardSuite } from "../../support/guards.ts";

guardSuite({ method: "GET", path: "/v1/setup/check", roles });

interface Finding {
  code: string;
  severity: string;
  object: { type: string; id: number | string } | null;
}

async function newPlant() {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  const check = () => call("GET", "/v1/setup/check", { token });
  /** `code` for findings of the company, `code machine 7` for those of one of its objects. */
  const found = async () => {
    const { body } = await check();
    return body.data.map(({ code, object }: Finding) => (object ? `${code} ${object.type} ${object.id}` : code));
  };
  return { companyId, token, check, found };
}

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

describe("GET /v1/setup/check", () => {
  it("lists what a plant lacks until nothing is missing, in one trip", async () => {
    const { companyId, check, found } = await newPlant();
    // The caller is cached.
    stopClock();
    await check();
    const first = await check();
    expect(first.headers.get("server-timing")).toContain('"1 trip"');
    expect(first.body.more).toBe(0);
    expect(first.body.data[0]).toEqual({
      code: "no_machine",
      severity: "error",
      object: null,
      message: expect.stringMatching(/machine/),
      action: expect.stringMatching(/POST \/v1\/machines/),
    });
    expect(await found()).toEqual(["no_machine", "no_shift", "no_gateway_token", "no_stop_cause", "no_operator"]);
    await createGatewayToken(companyId);
    await createStopCause(companyId);
    await createOperator(companyId);
    const other = await createMachine(companyId, { standardCycleSeconds: 9, signal: "states" });
    await run("update machines set heard_at = 1 where id = ?", other.id);
    expect(await found()).toEqual(["no_shift"]);
    await createShift(companyId, { machineIds: [other.id] });
    expect(await found()).toEqual([]);

    const machine = await createMachine(companyId);
    const of = (code: string) => `${code} machine ${machine.id}`;
    expect(await found()).toEqual(["machine_in_no_shift", "no_count_sensor", "no_standard_cycle", "machine_not_heard"].map(of));
    await createShift(companyId, { machineIds: null });
    await createChannels(machine, [{ channel: 1, type: "total" }]);
    await run("update count_sensors set is_count_enabled = 0 where machine_id = ?", machine.id);
    expect(await found()).toEqual(["counting_disabled", "no_standard_cycle", "machine_not_heard"].map(of));
    await run("update count_sensors set is_count_enabled = 1 where machine_id = ?", machine.id);
    await run("update machines set heard_at = 1 where id = ?", machine.id);

    const [plain, own, any] = [await createSku(companyId), await createSku(companyId), await createSku(companyId)];
    const standard = "insert into sku_standards (company_id, sku_id, machine_id, standard_cycle_seconds) values (?, ?, ?, 10)";
    await run(standard, companyId, own.skuId, machine.id);
    await run(standard, companyId, any.skuId, 0);
    expect(await found()).toEqual([`sku_without_standard sku ${plain.skuId}`]);
    await run("update machines set standard_cycle_seconds = 5 where id = ?", machine.id);
    expect(await found()).toEqual([]);
  });

  it("checks only the own company's machines that are in service", async () => {
    const [plant, other] = [await newPlant(), await newPlant()];
    await createMachine(other.companyId);
    const gone = await createMachine(plant.companyId, { decommissionedAt: Date.now() - 1 });
    await createMachine(plant.companyId, { deletedAt: Date.now() });
    expect(await plant.found()).toContain("no_machine");
    expect((await plant.found()).join()).not.toContain(` ${gone.id}`);
    const { token } = await createUser((await createCompany()).companyId, "superuser");
    const asked = (id: number) => call("GET", `/v1/setup/check?companyId=${id}`, { token });
    expect((await asked(plant.companyId)).body).toEqual((await plant.check()).body);
    expectProblem(await asked(2 ** 40), 404, "/companyId");
    expectProblem(await call("GET", `/v1/setup/check?companyId=${plant.companyId}`, { token: other.token }), 404, "/companyId");
  });

  it("lists at most two hundred, and says how many more there are", async () => {
    const { companyId, check } = await newPlant();
    await createShift(companyId, { machineIds: null });
    const json = JSON.stringify(Array.from({ length: 150 }, (_, i) => i));
    await run(
      `insert into machines (company_id, name, ref, node_id, signal, commissioned_at, created_at, updated_at)
        select ?, 'M', 'M' || value, 1, 'states', 0, 0, 0 from json_each(?)`,
      companyId,
      json,
    );
    await run(
      "insert into skus (company_id, id, name, created_at, updated_at) select ?, 'S' || value, 'S', 0, 0 from json_each(?)",
      companyId,
      json,
    );
    const { body } = await check();
    expect(body.data).toHaveLength(200);
    // Three for the company, no standard and not heard of for each machine, and one for each SKU.
    expect(body.more).toBe(3 + 2 * 150 + 150 - 200);
    const severities = body.data.map(({ severity }: Finding) => severity);
    expect(severities).toEqual([...severities].sort());
  });
});
