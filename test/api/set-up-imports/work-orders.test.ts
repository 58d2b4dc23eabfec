import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { forgetGrants } from "../../../src/core/permissions.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createOrderRun } from "../../support/work-orders.ts";
import { newPlant } from "../plant/plant-file/full-plant.ts";
import { countOf, dumpOf, type Plant, reportOf, send } from "./sending.ts";

const KIND = "kind=work-orders";
const HEAD = "code,name,status,delivery,machines,skus,quantities";
const undo = async ({ ask }: Plant, id: number) => await ask("POST", `/v1/setup/imports/${id}/undo`);
const ordersOf = async ({ ask }: Plant) => (await ask("GET", "/v1/work-orders?sort=code")).body.data;

/** A company in Madrid with the machines M1 and M2 and the SKUs A and B. */
async function orderPlant() {
  const plant = await newPlant({ timezone: "Europe/Madrid" });
  const machines = [];
  for (const n of [1, 2]) machines.push(await plant.make("machines", { ref: `M${n}`, name: `Machine ${n}`, nodeId: n }));
  for (const id of ["A", "B"]) await plant.make("skus", { id, name: id });
  return { ...plant, machineIds: machines.map(({ id }) => id as number) };
}

interface Hostile {
  what: string;
  cells: string;
  member: string | null;
  code: string;
}

/** Lines that are faulty, each with the member that it is about. */
const hostile: Hostile[] = [
  { what: "a machine that is not there", cells: "W,W,,,M1;M9,A,1", member: "machines", code: "not_found" },
  { what: "no machine", cells: "W,W,,,;,A,1", member: "machines", code: "required" },
  { what: "a machine twice", cells: "W,W,,,M1;M1,A,1", member: "machines", code: "repeated" },
  { what: "a SKU that is not there", cells: "W,W,,,M1,A;C,1;2", member: "skus", code: "not_found" },
  { what: "a SKU twice", cells: "W,W,,,M1,A;A,1;2", member: "skus", code: "repeated" },
  { what: "fewer quantities than SKUs", cells: "W,W,,,M1,A;B,1", member: "quantities", code: "invalid_value" },
  { what: "no quantity", cells: "W,W,,,M1,A,", member: "quantities", code: "required" },
  { what: "a quantity of 0", cells: "W,W,,,M1,A,0", member: "quantities", code: "too_small" },
  { what: "a quantity that is no number", cells: "W,W,,,M1,A;B,1;ten", member: "quantities", code: "invalid_type" },
  { what: "a status that there is not", cells: "W,W,almost,,M1,A,1", member: "status", code: "invalid_value" },
  { what: "a status that a new one cannot have", cells: "W,W,Completed,,M1,A,1", member: "status", code: "not_allowed" },
  { what: "a status that does not follow", cells: "OLD,Old,in progress,,M1,A,1", member: "status", code: "not_allowed" },
  {
    what: "a day that the month does not have",
    cells: "W,W,,2030-02-31,M1,A,1",
    member: "estimatedDeliveryTime",
    code: "invalid_format",
  },
  {
    what: "a time of a clock with 25 hours",
    cells: "W,W,,2030-01-31 25:00,M1,A,1",
    member: "estimatedDeliveryTime",
    code: "invalid_format",
  },
  {
    what: "a date in which nobody knows the month",
    cells: "W,W,,02/03/2030,M1,A,1",
    member: "estimatedDeliveryTime",
    code: "invalid_format",
  },
  { what: "no name", cells: "W,,,,M1,A,1", member: "name", code: "required" },
  { what: "a code of 101 characters", cells: `${"W".repeat(101)},W,,,M1,A,1`, member: "code", code: "too_big" },
  { what: "a cell too many", cells: "W,W,,,M1,A,1,2", member: null, code: "invalid_line" },
];

describe("imports of work orders", () => {
  it.each(hostile)("refuse a line with $what, and change nothing", async ({ cells, member, code }) => {
    const plant = await orderPlant();
    await reportOf(plant, `${HEAD}\nOLD,Old,,,M1,A,1\n`, KIND);
    const before = await dumpOf(plant);
    const file = `${HEAD}\n${cells}\n`;
    const dry = await reportOf(plant, file, `${KIND}&dryRun=true`);
    expect(dry).toMatchObject({ created: 0, changed: 0, faulty: 1, faults: [{ member, code, rows: 1, lines: [[2, 2]] }] });
    expectProblem(await send(plant, file, KIND), 400, member === null ? "/lines/2" : `/lines/2/${member}`);
    expect(await reportOf(plant, file, `${KIND}&mode=good`)).toMatchObject({ id: null, faulty: 1 });
    expect(await dumpOf(plant)).toEqual(before);
  });

  it("refuse a code that is on two lines, and store the others if that is asked for", async () => {
    const plant = await orderPlant();
    const file = `${HEAD}\nW,One,,,M1,A,1\nX,Two,,,M1,A,1\nW,Three,,,M1,A,1\n`;
    expectProblem(await send(plant, file, KIND), 400, "/lines/2/code", "/lines/4/code");
    expect(await reportOf(plant, file, `${KIND}&mode=good`)).toMatchObject({ created: 1, faulty: 2 });
    expect(await ordersOf(plant)).toMatchObject([{ code: "X" }]);
  });

  it("store what POST of a work order would, with delivery times of the plant's clock, and events", async () => {
    const plant = await orderPlant();
    const rows = [
      'W1,"Tapones, ñ",,2030-07-31 14:05,M1; M2,A; B,"1,5; 2"',
      "W2,Two,Planned,2030-01-31,M2,B,7",
      "W3,Three,En curso,2030-01-31T12:00:00-05:00,M2,B,0007",
      "W4,Four,,2030-03-31 02:30,M1,A,1",
    ];
    const report = await reportOf(plant, `${HEAD}\n${rows.join("\n")}\n`, KIND);
    expect(report).toMatchObject({ created: 4, file: { decimal: "comma" } });
    expect(report.samples[0].after).toEqual({
      ...{ code: "W1", name: "Tapones, ñ", status: "Backlog", priority: 0, source: "" },
      ...{ estimatedDeliveryTime: "2030-07-31 14:05", machines: "M1; M2", skus: "A; B", quantities: "1.5; 2" },
    });
    const [first, ...others] = await ordersOf(plant);
    expect(first).toMatchObject({
      ...{ code: "W1", name: "Tapones, ñ", status: "Backlog", priority: 0, source: "", machineIds: plant.machineIds },
      ...{ estimatedDeliveryTime: "2030-07-31T12:05:00.000Z", produced: 0, isLate: false },
      progress: [
        { skuId: "A", targetQuantity: 1.5 },
        { skuId: "B", targetQuantity: 2 },
      ],
    });
    // A date ends with the day, an offset is taken as it is, and an hour that the clock skips is when it is set forward.
    expect(others).toMatchObject([
      { status: "Planned", estimatedDeliveryTime: "2030-01-31T23:00:00.000Z" },
      { status: "InProgress", estimatedDeliveryTime: "2030-01-31T17:00:00.000Z", progress: [{ targetQuantity: 7 }] },
      { estimatedDeliveryTime: "2030-03-31T01:00:00.000Z" },
    ]);
    const events = await env.DB_0.prepare("SELECT key FROM events WHERE company_id = ? AND key LIKE 'work_order.%'")
      .bind(plant.companyId)
      .all<{ key: string }>();
    const types = events.results.map(({ key }) => key.split(":")[0]).sort();
    expect(types).toEqual([...Array(4).fill("work_order.created"), "work_order.started"]);
  });

  it("leave what the file does not name, follow the statuses, and keep what was reported", async () => {
    const plant = await orderPlant();
    await reportOf(plant, `${HEAD}\nW,One,Planned,2030-01-31 12:00,M1,A;B,5;6\n`, KIND);
    const [{ id }] = await ordersOf(plant);
    expect((await plant.ask("PATCH", `/work/${id}/progress`, { skuId: "A", correct: 3 })).status).toBe(204);
    expect(await reportOf(plant, "code,priority\nW,4\n", KIND)).toMatchObject({ changed: 1 });
    // Its status is left as it is where the cell is empty; a progress report has started it.
    expect(await reportOf(plant, "code,status,quantities,skus\nW,,8;6,A;B\n", KIND)).toMatchObject({ changed: 1 });
    expect((await ordersOf(plant))[0]).toMatchObject({
      ...{ name: "One", status: "InProgress", priority: 4, machineIds: [plant.machineIds[0]] },
      ...{ estimatedDeliveryTime: "2030-01-31T11:00:00.000Z" },
      progress: [
        { skuId: "A", targetQuantity: 8, correct: 3 },
        { skuId: "B", targetQuantity: 6, correct: 0 },
      ],
    });
    expect(await reportOf(plant, "code,skus,quantities\nW,B;A,6;8\n", KIND)).toMatchObject({ unchanged: 1 });
    expectProblem(await send(plant, "code,skus,quantities\nW,B,1\n", KIND), 400, "/lines/2/skus");
    expectProblem(await send(plant, "code,skus\nW,A\n", KIND), 400, "/lines/2/quantities");
    expect(await reportOf(plant, "code,status,delivery\nW,done,\n", KIND)).toMatchObject({ changed: 1 });
    expect((await ordersOf(plant))[0]).toMatchObject({ status: "Completed", estimatedDeliveryTime: null });
    expect((await dumpOf(plant)).work_orders).toMatchObject([{ closed_at: expect.any(Number) }]);
    // Admins reopen completed orders, by a file as well.
    expect(await reportOf(plant, "code,status\nW,InProgress\n", KIND)).toMatchObject({ changed: 1 });
    expect((await dumpOf(plant)).work_orders).toMatchObject([{ status: "InProgress", closed_at: null }]);
  });

  it("are undone with the status, machines and targets that orders had, and not where something was made since", async () => {
    const plant = await orderPlant();
    await reportOf(plant, `${HEAD}\nW,One,InProgress,,M1,A,5\n`, KIND);
    const before = await dumpOf(plant);
    const { id } = await reportOf(plant, `${HEAD}\nW,Other,Completed,,M2,B,1\nX,X,,,M1,A,1\n`, KIND);
    expect((await undo(plant, id)).body).toMatchObject({ deleted: 1, changed: 1 });
    expect(await dumpOf(plant)).toEqual(before);

    const again = await reportOf(plant, `${HEAD}\nW,One,,,M1,A;B,5;1\nX,X,,,M1,A,1\n`, KIND);
    const [first, second] = await ordersOf(plant);
    const [machineId = 0] = plant.machineIds;
    await createOrderRun(machineId, first.id, "B", 3, 0);
    await createOrderRun(machineId, second.id, "A", 3, 0);
    const made = await dumpOf(plant);
    expect((await undo(plant, again.id)).body.errors).toMatchObject([
      { code: "in_use", message: "the work order W had no target of B, of which something was made since" },
      { code: "in_use", message: /the work order X was begun/ },
    ]);
    expect(await dumpOf(plant)).toEqual(made);
  });

  it("are not undone where a machine or SKU that an order had is deleted since", async () => {
    const plant = await orderPlant();
    await reportOf(plant, `${HEAD}\nW,One,,,M1;M2,A;B,5;6\n`, KIND);
    const { id } = await reportOf(plant, `${HEAD}\nW,One,,,M1,A,5\n`, KIND);
    expect((await plant.ask("DELETE", `/v1/machines/${plant.machineIds[1]}`)).status).toBe(204);
    const before = await dumpOf(plant);
    expect((await undo(plant, id)).body.errors).toMatchObject([
      { code: "changed_since", message: /deleted: restore that first/ },
    ]);
    expect(await dumpOf(plant)).toEqual(before);
  });

  it("take the permission to write work orders, and so does their undo", async () => {
    const plant = await orderPlant();
    const { id } = await reportOf(plant, `${HEAD}\nW,One,,,M1,A,5\n`, KIND);
    const grant = "FROM role_permissions WHERE role_id = 'admin' AND permission_id = 'work-orders:write'";
    const kept = await env.DIRECTORY.prepare(`SELECT * ${grant}`).first<Record<string, string>>();
    await env.DIRECTORY.prepare(`DELETE ${grant}`).run();
    forgetGrants();
    try {
      const refused = [
        await send(plant, `${HEAD}\n`, KIND),
        await send(plant, `${HEAD}\n`, `${KIND}&dryRun=true`),
        await undo(plant, id),
      ];
      for (const answer of refused) expectProblem(answer, 403);
      expect(await reportOf(plant, "id,name\nC,C\n", "kind=skus")).toMatchObject({ created: 1 });
    } finally {
      const names = Object.keys(kept ?? {});
      const values = names.map(() => "?").join();
      await env.DIRECTORY.prepare(`INSERT INTO role_permissions (${names.join()}) VALUES (${values})`)
        .bind(...Object.values(kept ?? {}))
        .run();
      forgetGrants();
    }
  });

  it("of 10,000 lines are checked within five seconds, stored and undone", { timeout: 120_000 }, async () => {
    const plant = await orderPlant();
    const line = (i: number, quantity: number) => `WO-${i};Orden ${i};;2030-01-${10 + (i % 20)} 08:00;M1;A;${quantity}\n`;
    const file = (quantity: number) =>
      `código;nombre;estado;entrega;máquina;artículo;cantidad\n${Array.from({ length: 10_000 }, (_, i) => line(i, quantity)).join("")}`;
    const startedAt = Date.now();
    expect(await reportOf(plant, file(5), `${KIND}&dryRun=true`)).toMatchObject({ created: 10_000, faulty: 0 });
    expect(Date.now() - startedAt).toBeLessThan(5000);
    await reportOf(plant, file(5), KIND);
    expect(await countOf(plant, "work_orders")).toBe(10_000);
    const before = await dumpOf(plant);
    const { id } = await reportOf(plant, file(6), KIND);
    expect(await reportOf(plant, file(6), KIND)).toMatchObject({ unchanged: 10_000 });
    expect((await undo(plant, id)).body).toMatchObject({ changed: 10_000 });
    expect(await dumpOf(plant)).toEqual(before);
  });

  it("that name more than 40,000 machines and SKUs are refused", async () => {
    const plant = await orderPlant();
    const refs = Array.from({ length: 500 }, (_, i) => `M${i}`).join(";");
    const rows = Array.from({ length: 81 }, (_, i) => `W${i},W,,,${refs},A,1\n`).join("");
    expectProblem(await send(plant, `${HEAD}\n${rows}`, KIND), 400, "");
  });
});
