import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { auditEntries } from "../../support/audit.ts";
import { call } from "../../support/call.ts";
import { MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createUser } from "../../support/factories.ts";
import { createLine } from "../../support/machines.ts";
import { pairTerminal } from "../../support/terminals.ts";

stopClockAtNoon();

/** A machine with a paired terminal, and an operator with a PIN, who is created by the API. */
async function newFloor() {
  const { companyId, machine } = await createLine({ commissionedAt: NOON - 100 * MINUTE });
  const admin = await createUser(companyId, "admin");
  const user = await createUser(companyId, "user");
  const { token } = await pairTerminal(admin.token, [machine.id]);
  const hire = async (body: object) => (await call("POST", "/v1/operators", { token: admin.token, body })).body;
  const ana = await hire({ name: "Ana", code: "O-1", pin: "0417" });
  const signIn = (body: object, by = token, headers = {}) =>
    call("POST", `/v1/machines/${machine.id}/sign-in`, { token: by, body: { operatorId: ana.id, ...body }, headers });
  const change = (body: object) => call("PATCH", `/v1/operators/${ana.id}`, { token: admin.token, body });
  return { companyId, machine, admin, user, token, ana, hire, signIn, change };
}

describe("a PIN", () => {
  it("is stored as a hash, and never read back", async () => {
    const { companyId, admin, ana, change, hire } = await newFloor();
    expect(ana).toMatchObject({ name: "Ana", hasPin: true });
    expect(JSON.stringify(ana)).not.toContain("0417");
    const stored = () =>
      env.DB_0.prepare("SELECT pin_hash FROM operators WHERE id = ?").bind(ana.id).first<{ pin_hash: string | null }>();
    expect((await stored())?.pin_hash).toMatch(/^scrypt\$\d+\$\d+\$\d+\$[\w-]{22}\$[\w-]{43}$/);
    expect((await hire({ name: "Luis", code: "O-2" })).hasPin).toBe(false);
    // Another name leaves it as it is.
    expect((await change({ name: "Ana Ruiz" })).body.hasPin).toBe(true);
    expect((await change({ pin: "12345678" })).body.hasPin).toBe(true);
    expect((await change({ pin: null })).body.hasPin).toBe(false);
    expect((await stored())?.pin_hash).toBeNull();
    const { data } = (await call("GET", "/v1/operators?code=O-1", { token: admin.token })).body;
    expect(data).toMatchObject([{ hasPin: false }]);
    const told = JSON.stringify(await auditEntries({ companyId }));
    expect(told).toContain("(not shown)");
    expect(told).not.toMatch(/"(0417|12345678)"|scrypt/);
  });

  it.each(["123", "123456789", "12a4", "１２３４", ""])("is refused as %j", async (pin) => {
    const { change } = await newFloor();
    expectProblem(await change({ pin }), 400, "/pin");
  });

  it("is gone with its operator, also if the operator is restored", async () => {
    const { admin, ana } = await newFloor();
    const path = `/v1/operators/${ana.id}`;
    await call("DELETE", path, { token: admin.token });
    expect((await call("POST", `${path}/restore`, { token: admin.token })).body).toMatchObject({ name: "Ana", hasPin: false });
  });
});

describe("at a paired terminal", () => {
  it("an operator who has a PIN signs in by it or by the badge, and by nothing else", async () => {
    const { machine, signIn, token, ana, hire } = await newFloor();
    expectProblem(await signIn({}), 400, "/pin");
    expectProblem(await signIn({ pin: "0418" }), 400, "/pin");
    expectProblem(await signIn({ pin: "417" }), 400, "/pin");
    expectProblem(await signIn({ code: "O-2" }), 400, "/code");
    const byPin = await signIn({ pin: "0417" });
    expect(byPin).toMatchObject({ status: 200, body: { isChanged: true, operators: [{ id: ana.id }] } });
    await call("POST", `/v1/machines/${machine.id}/sign-out`, { token, body: { operatorId: ana.id } });
    vi.setSystemTime(NOON + SECOND);
    expect((await signIn({ code: "O-1" })).body).toMatchObject({ isChanged: true, operators: [{ id: ana.id }] });
    const luis = await hire({ name: "Luis", code: "O-2" });
    expect((await signIn({ operatorId: luis.id })).body.operators).toHaveLength(2);
    expectProblem(await signIn({ operatorId: luis.id, pin: "0417" }), 400, "/pin");
  });

  it("five wrong PINs lock the operator's PIN for a minute, there and for that operator alone", async () => {
    const { signIn, hire, admin, machine, user } = await newFloor();
    const other = (await pairTerminal(admin.token, [machine.id], "Terminal 2")).token;
    const luis = await hire({ name: "Luis", code: "O-2", pin: "2222" });
    for (let tries = 1; tries <= 5; tries++) expectProblem(await signIn({ pin: "9999" }), 400, "/pin");
    vi.setSystemTime(NOON + 20 * SECOND);
    const locked = await signIn({ pin: "0417" });
    expectProblem(locked, 429);
    expect(locked.headers.get("retry-after")).toBe("40");
    // Who is refused does not lengthen the lock.
    for (const body of [{ code: "O-1" }, { operatorId: luis.id, pin: "2222" }]) expect((await signIn(body)).status).toBe(200);
    for (const token of [other, user.token]) expect((await signIn({ pin: "0417" }, token)).status).toBe(200);
    vi.setSystemTime(NOON + 60 * SECOND);
    expect((await signIn({ pin: "0417" })).status).toBe(200);
    // The right one ended the count.
    for (let tries = 1; tries <= 4; tries++) expectProblem(await signIn({ pin: "9999" }), 400, "/pin");
    expect((await signIn({ pin: "0417" })).status).toBe(200);
  });

  it("wrong PINs at once are all counted", async () => {
    const { signIn } = await newFloor();
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => signIn({ pin: "9999" })))).map(({ status }) => status);
    // One that cannot be checked now is not counted.
    expect(statuses.filter((status) => status !== 429 && status !== 503).length).toBeLessThanOrEqual(5);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(3);
  });

  it("the answer to a repeated sign-in is the first one, without another attempt", async () => {
    const { signIn } = await newFloor();
    const key = { "idempotency-key": "tablet-1" };
    expect((await signIn({ pin: "0417" }, undefined, key)).status).toBe(200);
    expect((await signIn({ pin: "0417" }, undefined, key)).headers.get("idempotent-replayed")).toBe("true");
    const kept = await env.DB_0.prepare("SELECT request_hash AS hash, body FROM idempotency_keys WHERE key = 'tablet-1'").all();
    expect(JSON.stringify(kept.results)).not.toContain("0417");
  });
});

it("elsewhere nobody needs a PIN, but a wrong one is refused", async () => {
  const { signIn, user } = await newFloor();
  expectProblem(await signIn({ pin: "0418" }, user.token), 400, "/pin");
  expect((await signIn({}, user.token)).status).toBe(200);
});
