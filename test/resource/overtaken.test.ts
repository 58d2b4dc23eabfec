import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createMachine, createOperator, createStopCause, createUser } from "../support/factories.ts";
import { overtakenBy } from "../support/overtaken.ts";
import { createWidget } from "../support/widgets.ts";

async function newPlant() {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "superuser");
  const ask = (method: string, path: string, body?: unknown, ...others: (() => Promise<unknown>)[]) =>
    call(method, path, { token, body, ...(others.length > 0 && { via: overtakenBy(...others) }) });
  const made = async (path: string, body: object) => {
    const answer = await ask("POST", path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const list = async (path: string) => (await ask("GET", path)).body.data;
  return { companyId, ask, made, list };
}

const shift = { name: "Morning", start: "06:00", end: "14:00", days: ["monday"] };

describe("a write that another one overtakes between reading and commit", () => {
  it("is decided again on the new state: both changes are kept, and both are audited", async () => {
    const { ask, made } = await newPlant();
    const { id } = await made("/v1/machines", { name: "Press", ref: "P", nodeId: 1 });
    const path = `/v1/machines/${id}`;
    const answer = await ask("PATCH", path, { name: "Big press" }, () => ask("PATCH", path, { nodeId: 7 }));
    expect(answer).toMatchObject({ status: 200, body: { name: "Big press", nodeId: 7 } });
    expect((await ask("GET", path)).body).toEqual(answer.body);
    const { data } = (await ask("GET", "/v1/audit?limit=2")).body;
    expect(data.map(({ before, after }: Record<string, object>) => [before, after])).toEqual([
      [expect.objectContaining({ name: "Press" }), expect.objectContaining({ name: "Big press" })],
      [expect.objectContaining({ nodeId: 1 }), expect.objectContaining({ nodeId: 7 })],
    ]);
    const version = env.DB_0.prepare("select config_version from machines where id = ?").bind(id);
    expect(await version.first("config_version")).toBe(3);
  });

  it("gives up after ten tries, with a 409 and nothing stored", async () => {
    const { ask, made } = await newPlant();
    const { id } = await made("/v1/operators", { name: "Ana", code: "1" });
    const path = `/v1/operators/${id}`;
    let n = 0;
    const others = Array.from({ length: 10 }, () => () => ask("PATCH", path, { code: `C-${n++}` }));
    expectProblem(await ask("PATCH", path, { name: "Eva" }, ...others), 409);
    expect((await ask("GET", path)).body).toMatchObject({ name: "Ana", code: "C-9" });
  });

  it("does not refer to an object that was deleted in the meantime", async () => {
    const { companyId, ask, list } = await newPlant();
    const [machine, other] = [await createMachine(companyId), await createMachine(companyId)];
    const gone = (id: number) => () => ask("DELETE", `/v1/machines/${id}`);
    expectProblem(
      await ask("POST", "/v1/shifts", { ...shift, machineIds: [machine.id] }, gone(machine.id)),
      400,
      "/machineIds/0",
    );
    const standards = [{ machineId: other.id, standardCycleSeconds: 1 }];
    expectProblem(await ask("POST", "/v1/skus", { name: "Cap", standards }, gone(other.id)), 400, "/standards/0/machineId");
    const widget = await createWidget(companyId);
    const l10n = { en: "Hall", es: "Nave" };
    const dashboard = { title: l10n, description: l10n, spec: {}, instances: [{ widgetId: widget.id }] };
    const removal = () => ask("DELETE", `/v1/widgets/${widget.id}`);
    expectProblem(await ask("POST", "/v1/dashboards", dashboard, removal), 400, "/instances/0/widgetId");
    for (const path of ["/v1/shifts", "/v1/skus"]) expect(await list(path)).toEqual([]);
  });

  it("does not create a state that either check alone would refuse", async () => {
    const { companyId, ask, made, list } = await newPlant();
    const first = () => made("/v1/shifts", shift);
    expectProblem(await ask("POST", "/v1/shifts", { ...shift, name: "Second" }, first), 409, "/start");
    expect(await list("/v1/shifts")).toHaveLength(1);

    const [a, b] = [
      await made("/v1/stop-causes", { level: "component", name: "A" }),
      await made("/v1/stop-causes", { level: "component", name: "B" }),
    ];
    const under = (id: number, parentId: number) => () => ask("PATCH", `/v1/stop-causes/${id}`, { parentId });
    const circle = await ask("PATCH", `/v1/stop-causes/${a.id}`, { parentId: b.id }, under(b.id, a.id));
    expectProblem(circle, 409, "/parentId");
    const { causeId } = await createStopCause(companyId);
    const below = () => made("/v1/stop-causes", { level: "specific", parentId: causeId, name: "Jam" });
    expectProblem(await ask("DELETE", `/v1/stop-causes/${causeId}`, undefined, below), 409);

    const other = await createCompany();
    const machine = () => made("/v1/machines", { name: "Press", ref: "P", nodeId: 1, companyId: other.companyId });
    expectProblem(await ask("DELETE", `/v1/companies/${other.companyId}`, undefined, machine), 409);
  });

  it("is refused if another one took its unique value", async () => {
    const { ask, made } = await newPlant();
    const email = `${crypto.randomUUID()}@example.test`;
    const user = { name: "Ana", email, password: "a long enough password", role: "user" };
    for (const [path, body, pointer] of [
      ["/v1/machines", { name: "Press", ref: "P", nodeId: 1 }, "/ref"],
      ["/v1/operators", { name: "Ana", code: "1" }, "/code"],
      ["/v1/skus", { id: "CAP", name: "Cap" }, "/id"],
      ["/v1/stop-causes", { level: "general", name: "Breakdown" }, "/name"],
      ["/v1/users", user, "/email"],
    ] as const) {
      expectProblem(await ask("POST", path, body, () => made(path, body)), 409, pointer);
    }
  });
});

describe("new rows that are created at the same time", () => {
  it("get different ids", async () => {
    const { ask, list } = await newPlant();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => ask("POST", "/v1/operators", { name: `Operator ${i}`, code: `${i}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(20);
    expect(await list("/v1/operators")).toHaveLength(20);
  });

  it("get free ids even if some rows were not created by the service", async () => {
    const { companyId, ask } = await newPlant();
    const ids: number[] = [];
    const seed = async () => ids.push((await createOperator(companyId)).id);
    const { status, body } = await ask("POST", "/v1/operators", { name: "Ana", code: "1" }, seed, seed);
    expect(status).toBe(201);
    expect(body.id).toBeGreaterThan(Math.max(...ids));
    const { data } = (await ask("GET", "/v1/audit?limit=1")).body;
    expect(data[0]).toMatchObject({ action: "operator.create", objectId: String(body.id), after: { id: body.id } });
  });
});
