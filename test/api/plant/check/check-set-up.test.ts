import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { seal } from "../../../../src/core/cipher.ts";
import { keyRing } from "../../../../src/core/keys.ts";
import { call } from "../../../support/call.ts";
import { stopClock } from "../../../support/clock.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
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
} from "../../../support/factories.ts";
import { serviceWith } from "../../../support/service.ts";

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
  env.DB_0.prepare(sql)
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
    // Three for the company, no standard and not started for each machine, and one for each SKU.
    expect(body.more).toBe(3 + 2 * 150 + 150 - 200);
    const severities = body.data.map(({ severity }: Finding) => severity);
    expect(severities).toEqual([...severities].sort());
  });
});

it("says how many machines it did not check", async () => {
  const { companyId, check } = await newPlant();
  await run(
    `insert into machines (company_id, name, ref, node_id, signal, commissioned_at, created_at, updated_at)
     select ?, 'Machine', 'M-' || key, 7, 'counts', 0, 0, 0 from json_each(?)`,
    companyId,
    JSON.stringify(Array(5003).fill(0)),
  );
  expect((await check()).body.uncheckedMachines).toBe(3);
});

it("says which kinds it did not check completely, and that there are more broken references than it lists", async () => {
  const { companyId, check } = await newPlant();
  const add = (count: number, machineIds: string | null) =>
    run(
      `insert into shifts (company_id, name, start, "end", days, breaks, machine_ids, created_at, updated_at)
       select ?, 'Shift ' || key, '06:00', '14:00', '[]', '[]', ?, 0, 0 from json_each(?)`,
      companyId,
      machineIds,
      JSON.stringify(Array(count).fill(0)),
    );
  await add(20, "[1000000]");
  const { body: some } = await check();
  expect([some.partlyChecked, some.more]).toEqual([[], 0]);
  await add(1, "[1000000]");
  const { body: more } = await check();
  expect([more.partlyChecked, more.more]).toEqual([[], 1]);
  expect(more.data.filter(({ code }: Finding) => code === "names_deleted")).toHaveLength(20);
  await add(5000, null);
  expect((await check()).body.partlyChecked).toEqual(["shift"]);
});

it("says that it did not try all encrypted texts", async () => {
  const { companyId, check } = await newPlant();
  const add = async (count: number) => {
    const ids = Array.from({ length: count }, () => crypto.randomUUID());
    const rooms = ids.map(async (id) => [id, await seal(env, ["chat_rooms.sealed_url", id], "https://chat.example.com")]);
    await run(
      `insert into chat_rooms (id, company_id, name, service, sealed_url, language, is_active, created_at, updated_at)
       select value->>0, ?, 'Room', 'slack', value->>1, 'en', 1, 0, 0 from json_each(?)`,
      companyId,
      JSON.stringify(await Promise.all(rooms)),
    );
  };
  await add(100);
  expect((await check()).body.partlyChecked).toEqual([]);
  await add(1);
  expect((await check()).body.partlyChecked).toEqual(["chat-room"]);
});

describe("A lost or replaced ENCRYPTION_KEY", () => {
  it("is reported by the check of the set-up and by the health, and a new secret heals what it can at once", async () => {
    const { companyId, token, found } = await newPlant();
    const ask = (method: string, path: string, body?: unknown) => call(method, path, { token, body });
    const secret = (await ask("GET", "/webhook-subscriptions/secret")).body;
    const about = { url: "https://erp.example.com/in", isActive: true, description: "ERP" };
    const hook = (await ask("POST", "/v1/webhook-subscriptions", about)).body;
    const room = { name: "R", service: "slack", language: "en", url: "https://hooks.example.com/1" };
    const { id: roomId } = (await ask("POST", "/v1/chat-rooms", room)).body;
    const lost = async () => (await found()).filter((one: string) => /lost/.test(one));
    expect(await lost()).toEqual([]);
    // What another key has encrypted.
    const other = { ...env, ENCRYPTION_KEY: Buffer.alloc(32, 9).toString("base64") } as Env;
    await run(
      "update webhook_secrets set sealed_secret = ? where company_id = ?",
      await seal(other, ["webhook_secrets.sealed_secret", companyId], secret),
      companyId,
    );
    await run(
      "update webhook_subscriptions set sealed_secret = ? where id = ?",
      await seal(other, ["webhook_subscriptions.sealed_secret", hook.id], secret),
      hook.id,
    );
    await run(
      "update chat_rooms set sealed_url = ? where id = ?",
      await seal(other, ["chat_rooms.sealed_url", roomId], room.url),
      roomId,
    );
    expect(await lost()).toEqual([
      "webhook_secret_lost",
      `webhook_secret_lost webhook-subscription ${hook.id}`,
      `chat_room_address_lost chat-room ${roomId}`,
    ]);
    const replaced = serviceWith({ ENCRYPTION_KEY: Buffer.alloc(32, 8).toString("base64") });
    const otherKey = keyRing(other)[0].id;
    expect((await call("GET", "/health", { via: replaced })).body).toMatchObject({
      encryptionKey: "lost",
      missingKeys: expect.arrayContaining([otherKey]),
    });
    const { body } = await ask("GET", "/v1/setup/check");
    const texts = body.data.map((one: Finding & { message: string }) => one.message).filter((text: string) => /a key/.test(text));
    expect(texts).toEqual(Array(3).fill(expect.stringContaining(`a key (${otherKey}) that the service no longer has`)));
    expectProblem(await ask("GET", "/webhook-subscriptions/secret"), 409);

    expect((await ask("POST", "/v1/webhook-secret/rotate")).body).toMatchObject({ previousUntil: null });
    expect((await ask("POST", `/v1/webhook-subscriptions/${hook.id}/rotate-secret`)).body).toMatchObject({ previousUntil: null });
    expect((await ask("PATCH", `/v1/chat-rooms/${roomId}`, { url: room.url })).status).toBe(200);
    expect(await lost()).toEqual([]);
    expect((await ask("GET", "/webhook-subscriptions/secret")).body).toMatch(/^whsec_/);
    // A secret that can be read goes on signing for a day.
    expect((await ask("POST", "/v1/webhook-secret/rotate")).body.previousUntil).toEqual(expect.any(String));
  });
});
