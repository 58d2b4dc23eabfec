import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createShift, createStopCause, createUser } from "../support/factories.ts";

async function newPlant() {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  const ask = (method: string, path: string, body?: unknown) => call(method, path, { token, body });
  const make = async (path: string, body: object) => {
    const { status, body: item } = await ask("POST", path, body);
    expect(status, JSON.stringify(item)).toBe(201);
    return { ...item, path: `${path}/${encodeURIComponent(item.id)}` };
  };
  return { companyId, ask, make };
}

describe("restoring", () => {
  it("is refused while something else has the place of what was deleted", async () => {
    const { ask, make } = await newPlant();
    const first = await make("/v1/operators", { name: "Ana", code: "O-1" });
    await ask("DELETE", first.path);
    const second = await make("/v1/operators", { name: "Eva", code: "O-1" });
    expectProblem(await ask("POST", `${first.path}/restore`), 409, "/code");
    await ask("DELETE", second.path);
    expect(await ask("POST", `${first.path}/restore`)).toMatchObject({ status: 200, body: { name: "Ana", deletedAt: null } });
  });

  it("of a shift is refused while it would overlap with another one", async () => {
    const { ask, make } = await newPlant();
    const times = { start: "06:00", end: "14:00", days: ["monday"] };
    const first = await make("/v1/shifts", { name: "Early", ...times });
    await ask("DELETE", first.path);
    const other = await make("/v1/shifts", { name: "Other", ...times, start: "13:00", end: "15:00" });
    expectProblem(await ask("POST", `${first.path}/restore`), 409, "/start");
    await ask("PATCH", other.path, { start: "14:00" });
    expect((await ask("POST", `${first.path}/restore`)).status).toBe(200);
  });

  it("of a calendar day is refused while there is another one of its date", async () => {
    const { ask, make } = await newPlant();
    const first = await make("/v1/calendar-days", { date: "2041-12-24", scope: "company", closed: true });
    await ask("DELETE", first.path);
    const second = await make("/v1/calendar-days", { date: "2041-12-24", scope: "company", closed: true });
    expectProblem(await ask("POST", `${first.path}/restore`), 409);
    await ask("DELETE", second.path);
    expect((await ask("POST", `${first.path}/restore`)).status).toBe(200);
  });

  it("is refused while what it needs is deleted, which is named", async () => {
    const { companyId, ask, make } = await newPlant();
    const { causeId: general } = await createStopCause(companyId);
    const specific = await make("/v1/stop-causes", { level: "specific", parentId: general, name: "Jam" });
    const { shiftId } = await createShift(companyId);
    const day = await make("/v1/calendar-days", {
      ...{ date: "2041-12-24", scope: "company" },
      shifts: [{ shiftId, start: "06:00", end: "12:00" }],
    });
    for (const path of [specific.path, `/v1/stop-causes/${general}`, day.path, `/v1/shifts/${shiftId}`])
      expect((await ask("DELETE", path)).status).toBe(204);
    const cause = await ask("POST", `${specific.path}/restore`);
    expectProblem(cause, 409, "");
    expect(cause.body.errors[0].message).toContain(`the stop cause ${general} by its parentId, which is deleted`);
    expect((await ask("POST", `${day.path}/restore`)).body.errors[0].message).toContain(`the shift ${shiftId}`);
    await ask("POST", `/v1/stop-causes/${general}/restore`);
    await ask("POST", `/v1/shifts/${shiftId}/restore`);
    expect((await ask("POST", `${specific.path}/restore`)).body).toMatchObject({ parentId: general, deletedAt: null });
    expect((await ask("POST", `${day.path}/restore`)).body).toMatchObject({ shifts: [{ shiftId }], deletedAt: null });
  });

  it("begins a version that holds from then on, and the time in between stays without it", async () => {
    const { ask, make } = await newPlant();
    const standards = [{ machineId: null, standardCycleSeconds: 12 }];
    const sku = await make("/v1/skus", { id: "CAP", name: "Cap", standards });
    await ask("DELETE", sku.path);
    const between = new Date().toISOString();
    await new Promise((done) => setTimeout(done, 5));
    expect((await ask("POST", `${sku.path}/restore`)).body).toMatchObject({ standards });
    const at = async (instant: string) => (await ask("GET", `${sku.path}?at=${instant}`)).body.standards;
    expect(await at(between)).toEqual([]);
    expect(await at(new Date().toISOString())).toEqual(standards);
  });

  it("of a user leaves it to an admin whether the user may sign in", async () => {
    const { ask, make } = await newPlant();
    const account = { email: `${crypto.randomUUID()}@example.test`, password: "a long enough password", role: "user" };
    const user = await make("/v1/users", { name: "Ana", ...account });
    await ask("DELETE", user.path);
    expect((await ask("POST", `${user.path}/restore`)).body).toMatchObject({ isActive: false, deletedAt: null });
    const signIn = async () =>
      (await call("POST", "/identity/login", { body: { email: account.email, password: account.password } })).status;
    expect(await signIn()).toBe(401);
    await ask("PATCH", user.path, { isActive: true });
    expect(await signIn()).toBe(200);
  });

  it("of a report leaves out what was due while it was deleted", async () => {
    const { ask, make } = await newPlant();
    const body = { name: "Morning", kind: "daily", time: "06:30", addresses: ["hall1@example.com"] };
    const report = await make("/v1/report-subscriptions", body);
    await ask("DELETE", report.path);
    const { nextRunAt } = (await ask("POST", `${report.path}/restore`)).body;
    expect(Date.parse(nextRunAt)).toBeGreaterThan(Date.now());
  });
});
