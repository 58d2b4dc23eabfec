import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { overtakenBy } from "../../support/overtaken.ts";
import { fullPlant, newPlant } from "../plant/plant-file/full-plant.ts";
import { countOf, dumpOf, type Plant, reportOf, send } from "./sending.ts";

const undo = async ({ ask }: Plant, id: number) => await ask("POST", `/v1/setup/imports/${id}/undo`);
const actions = async ({ ask }: Plant) =>
  (await ask("GET", "/v1/audit?limit=500")).body.data.map(({ action }: { action: string }) => action);

/** Of each kind, a file with new and changed items for the plant of `fullPlant`, and the items that it makes. */
const files = {
  skus: { csv: "code,name,cycle time\n0005,Cap,1.5\nSECOND,Other,2\nTHIRD,Third,\n", created: 2, changed: 1 },
  operators: { csv: "badge,name\nO-1,Ana\nO-2,Íñigo\n", created: 2 },
  lines: { csv: "line,position\non,7\nLine 9,2\n", created: 1, changed: 1 },
  machines: {
    csv: "ref,name,node,line,cycle,stop after,signal\nP-10,Press,3,Line 1,9,60,\nP-2,Press,1,,,,\nNEW,New,4,on,,,estados\n",
    created: 1,
    changed: 1,
    unchanged: 1,
  },
  "stop-causes": {
    csv: "cause,above,level,planned\nJam,Trouble,,no\nTrouble,,,yes\nFeeder,Trouble > Jam,component,\n",
    created: 3,
  },
  "defect-reasons": { csv: "Motivo\nScratch\nDent\n", created: 1, unchanged: 1 },
  "work-orders": {
    csv: [
      "order,name,status,priority,delivery,machines,skus,quantities",
      "WO-1,First,Planned,2,2030-01-31 14:00,P-2;P-10,0005;#A,100;2.5",
      "WO-2,Second,,,,P-2,0005,7",
      "WO-3,Third,in progress,,2030-02-01,P-10,#A,1\n",
    ].join("\n"),
    created: 2,
    changed: 1,
  },
};

describe("imports of set-up", () => {
  it.each(Object.entries(files))(
    "of %s store what the dry run says, change nothing the second time, and are undone as one",
    async (kind, { csv, ...counts }) => {
      const plant = await plantWithOrder();
      const [before, entries] = [await dumpOf(plant), await countOf(plant, "audit")];
      const dry = await reportOf(plant, csv, `kind=${kind}&dryRun=true`);
      expect(dry).toMatchObject({ changed: 0, unchanged: 0, ...counts, faulty: 0, faults: [] });
      expect(await dumpOf(plant)).toEqual(before);
      const done = await reportOf(plant, csv, `kind=${kind}`);
      expect(done).toEqual({ ...dry, dryRun: false, id: expect.any(Number) });
      const after = await dumpOf(plant);
      expect(after).not.toEqual(before);
      const again = await reportOf(plant, csv, `kind=${kind}`);
      expect(again).toMatchObject({ id: null, created: 0, changed: 0, unchanged: done.created + done.changed + done.unchanged });
      expect(await dumpOf(plant)).toEqual(after);
      expect(await countOf(plant, "audit")).toBe(entries + 1);
      const undone = await undo(plant, done.id);
      expect(undone.body).toMatchObject({ id: done.id, kind, deleted: done.created, changed: done.changed });
      expect(await dumpOf(plant)).toEqual(before);
      expect(await countOf(plant, "audit")).toBe(entries + 2);
      expect((await actions(plant)).slice(0, 2)).toEqual(["set-up-import.undo", "set-up-import.create"]);
      // An undone import stays so, and the file can be imported again.
      expect((await undo(plant, done.id)).body).toMatchObject({ deleted: 0, changed: 0, undoneAt: undone.body.undoneAt });
      expect(await reportOf(plant, csv, `kind=${kind}`)).toMatchObject({ created: done.created, changed: done.changed });
      expect(await dumpOf(plant)).toEqual(withoutIds(after));
    },
  );

  it("make items as the operations of their kinds do, with the same versions", async () => {
    const [imported, made] = [await newPlant(), await newPlant()];
    for (const plant of [imported, made]) await plant.make("lines", { name: "Line 1" });
    await reportOf(imported, "ref,name,node,cycle,line\nM,Press,4,3.5,Line 1\n", "kind=machines");
    await reportOf(imported, "id,name,cycle\nA,One,2\n", "kind=skus");
    await reportOf(imported, "cause,above,planned\nJam,Trouble,no\nTrouble,,\n", "kind=stop-causes");
    const lineId = (await made.ask("GET", "/v1/lines")).body.data[0].id;
    await made.make("machines", { ref: "M", name: "Press", nodeId: 4, standardCycleSeconds: 3.5, lineId });
    await made.make("skus", { id: "A", name: "One", standards: [{ machineId: null, standardCycleSeconds: 2 }] });
    const { id: parentId } = await made.make("stop-causes", { level: "general", name: "Trouble" });
    await made.make("stop-causes", { level: "specific", name: "Jam", parentId, isProgrammed: false });
    const withoutTimes = (file: { machines: object[] }) => ({
      ...file,
      company: null,
      machines: file.machines.map((machine) => ({ ...machine, commissionedAt: null })),
    });
    expect(withoutTimes(await imported.file())).toEqual(withoutTimes(await made.file()));
    expect(await countOf(imported, "set_up_versions")).toBe(await countOf(made, "set_up_versions"));
    // What changes by an import has the same versions as what changes by PATCH.
    await reportOf(imported, "id,cycle\nA,4\n", "kind=skus");
    await made.ask("PATCH", "/v1/skus/A", { standards: [{ machineId: null, standardCycleSeconds: 4 }] });
    const versions = async ({ ask }: Plant) =>
      (await ask("GET", "/v1/skus/A/versions")).body.data.map((one: { standardCycleSeconds: number }) => ({
        ...one,
        ...Object.fromEntries(
          ["id", "effectiveFrom", "inForce", "recordedAt", "recordedBy", "userId", "requestId"].map((name) => [name, null]),
        ),
      }));
    expect(await versions(imported)).toEqual(await versions(made));
  });

  it("leave what the file does not name, and clear what its cells leave empty", async () => {
    const plant = await newPlant();
    const first = await plant.make("machines", { ref: "A", name: "A", nodeId: 1, hourlyRate: 5, stopAfterSeconds: 9 });
    const standards = [
      { machineId: null, standardCycleSeconds: 2 },
      { machineId: first.id, standardCycleSeconds: 3 },
    ];
    await plant.make("skus", { id: "S", name: "S", standards });
    await reportOf(plant, "ref,rate,stop after\nA,,\n", "kind=machines");
    expect((await plant.ask("GET", `/v1/machines/${first.id}`)).body).toMatchObject({
      name: "A",
      hourlyRate: null,
      stopAfterSeconds: 120,
    });
    await reportOf(plant, "id,name\nS,New\n", "kind=skus");
    expect((await plant.ask("GET", "/v1/skus/S")).body).toMatchObject({ name: "New", standards });
    const { samples } = await reportOf(plant, "id,cycle\nS,\n", "kind=skus");
    expect(samples).toEqual([{ line: 2, name: "S", before: { standardCycleSeconds: 2 }, after: { standardCycleSeconds: null } }]);
    expect((await plant.ask("GET", "/v1/skus/S")).body).toMatchObject({ standards: [standards[1]] });
  });

  it("store all rows or none, and the good ones only if that is asked for", async () => {
    const plant = await newPlant();
    const csv = "id,name,cycle\nA,One,1\nB,,0\nC,Three,x\nD,Four,\n";
    const refused = await send(plant, csv, "kind=skus");
    expectProblem(refused, 400, "/lines/3/name", "/lines/3/standardCycleSeconds", "/lines/4/standardCycleSeconds");
    expect((await dumpOf(plant)).skus).toEqual([]);
    const good = await reportOf(plant, csv, "kind=skus&mode=good");
    expect(good).toMatchObject({ created: 2, faulty: 2 });
    expect((await dumpOf(plant)).skus).toHaveLength(2);
    const none = await reportOf(plant, "id,name\nX,\n", "kind=skus&mode=good");
    expect(none).toMatchObject({ id: null, created: 0, faulty: 1 });
  });

  it("name what a row refers to and is not there", async () => {
    const plant = await newPlant();
    const machines = await send(plant, "ref,name,node,line\nM,M,1,None\n", "kind=machines");
    expectProblem(machines, 400, "/lines/2/line");
    const causes = "cause,above,level\nA,None,\nB,,specific\nC,Top,general\nTop,,\nD,Top > Bad,component\nBad,Top,x\n";
    const answer = await send(plant, causes, "kind=stop-causes");
    const above = [2, 3, 4, 6].map((line) => `/lines/${line}/above`);
    expectProblem(answer, 400, ...above, "/lines/7/level");
    const good = await reportOf(plant, causes, "kind=stop-causes&mode=good");
    expect(good).toMatchObject({ created: 1, faulty: 5 });
  });

  it("cannot be undone where something was changed, deleted or is needed since: nothing is undone then", async () => {
    const plant = await newPlant();
    const { id } = await reportOf(plant, "id,name\nA,One\nB,Two\nC,Three\n", "kind=skus");
    await plant.ask("PATCH", "/v1/skus/B", { name: "Changed" });
    await plant.ask("DELETE", "/v1/skus/C");
    const before = await dumpOf(plant);
    const refused = await undo(plant, id);
    expectProblem(refused, 409);
    expect(refused.body.errors).toEqual([
      { pointer: "", code: "changed_since", message: "the SKU B was changed after the import" },
      { pointer: "", code: "changed_since", message: "the SKU C was deleted after the import" },
    ]);
    expect(await dumpOf(plant)).toEqual(before);

    const lines = await reportOf(plant, "line\nL1\nL2\n", "kind=lines");
    const machines = await reportOf(plant, "ref,name,node,line\nM,M,1,L2\n", "kind=machines");
    expect((await undo(plant, lines.id)).body.errors).toMatchObject([{ code: "in_use", message: /the machine M/ }]);
    const [machine] = (await plant.ask("GET", "/v1/machines")).body.data;
    const configs = [{ type: "total", countingFactor: 1, channel: 1, nodeId: 1 }];
    await plant.ask("PUT", `/v1/machines/${machine.id}/count-sensor`, { isCountEnabled: true, configs });
    expect((await undo(plant, machines.id)).body.errors).toMatchObject([{ code: "in_use", message: /count sensors/ }]);

    const moved = await reportOf(plant, "ref,line\nM,L1\n", "kind=machines");
    const [, second] = (await plant.ask("GET", "/v1/lines")).body.data;
    await plant.ask("DELETE", `/v1/lines/${second.id}`);
    expect((await undo(plant, moved.id)).body.errors).toMatchObject([{ code: "changed_since", message: /line that is deleted/ }]);
    expectProblem(await undo(plant, 1_000_000_000), 404);
    expectProblem(await undo(await newPlant(), moved.id), 404);
  });

  it("undo a change of a machine that has count sensors, and leave those", async () => {
    const plant = await fullPlant();
    const before = await dumpOf(plant);
    const { id } = await reportOf(plant, "ref,rate\nP-10,99\n", "kind=machines");
    expect((await undo(plant, id)).body).toMatchObject({ changed: 1 });
    expect(await dumpOf(plant)).toEqual(before);
  });

  it("are decided again when others change the same items meanwhile", async () => {
    const plant = await newPlant();
    const { token, ask } = plant;
    await plant.make("skus", { id: "A", name: "One" });
    const overtaken = (csv: string, ...others: (() => Promise<unknown>)[]) =>
      send(plant, csv, "kind=skus", { via: overtakenBy(...others) });
    const nothing = () => Promise.resolve();
    // Between what it reads, the ids that it takes, and what it stores.
    for (const [n, before] of [[], [nothing]].entries()) {
      const created = () => call("POST", "/v1/skus", { token, body: { id: `B${n}`, name: "Two" } });
      const one = await overtaken(`id,name\nA,One\nB${n},Two\n`, ...before, created);
      expect(one.body).toMatchObject({ id: null, created: 0, unchanged: 2 });
      const change = () => ask("PATCH", "/v1/skus/A", { name: `Name ${n}` });
      const other = await overtaken(`id,name\nA,New ${n}\n`, ...before, change);
      expect(other.body.samples).toMatchObject([{ before: { name: `Name ${n}` }, after: { name: `New ${n}` } }]);
      await ask("PATCH", "/v1/skus/A", { name: "One" });
    }
  });

  it("of 10,000 rows are checked within five seconds, stored and undone", { timeout: 120_000 }, async () => {
    const plant = await newPlant();
    const rows = Array.from({ length: 10_000 }, (_, i) => `SKU-${i};Artículo ${i};${(i % 90) + 1},5\n`).join("");
    const file = `Código;Descripción;Ciclo estándar\n${rows}`;
    const startedAt = Date.now();
    expect(await reportOf(plant, file, "kind=skus&dryRun=true")).toMatchObject({ created: 10_000, faulty: 0 });
    expect(Date.now() - startedAt).toBeLessThan(5000);
    const { id } = await reportOf(plant, file, "kind=skus");
    expect(await countOf(plant, "skus")).toBe(10_000);
    expect(await reportOf(plant, file, "kind=skus")).toMatchObject({ unchanged: 10_000, changed: 0 });
    expect((await undo(plant, id)).body).toMatchObject({ deleted: 10_000 });
    expect((await dumpOf(plant)).skus).toEqual([]);
    expect(await reportOf(plant, file, "kind=skus")).toMatchObject({ created: 10_000 });
    const before = await dumpOf(plant);
    const other = file.replaceAll(/Artículo|,5/g, "");
    const changed = await reportOf(plant, other, "kind=skus");
    expect(changed).toMatchObject({ created: 0, changed: 10_000 });
    expect((await undo(plant, changed.id)).body).toMatchObject({ changed: 10_000 });
    expect(await dumpOf(plant)).toEqual(before);
  });

  it("are listed newest first, with who imported what when, what it did, and whether it was undone", async () => {
    const plant = await newPlant();
    const first = await reportOf(plant, "line\nL1\nL2\n", "kind=lines");
    await reportOf(plant, "line\nL1\n", "kind=lines");
    const second = await reportOf(plant, "id,name\nA,One\nB,\n", "kind=skus&mode=good");
    const list = async (query = "") => (await plant.ask("GET", `/v1/setup/imports${query}`)).body;
    const [me] = (await plant.ask("GET", "/v1/users")).body.data;
    const { data, cursor } = await list();
    expect(cursor).toBeNull();
    const by = {
      companyId: plant.companyId,
      createdBy: { id: me.id, name: me.name },
      undoneAt: null,
      createdAt: expect.any(String),
    };
    expect(data).toEqual([
      { ...by, id: second.id, kind: "skus", created: 1, changed: 0, unchanged: 0, faulty: 1 },
      { ...by, id: first.id, kind: "lines", created: 2, changed: 0, unchanged: 0, faulty: 0 },
    ]);
    const undone = (await undo(plant, first.id)).body;
    const page = await list("?limit=1&total=true");
    expect(page).toMatchObject({ data: [{ id: second.id, undoneAt: null }], total: 2 });
    const next = await list(`?limit=1&cursor=${page.cursor}`);
    expect(next).toMatchObject({ data: [{ id: first.id, undoneAt: undone.undoneAt }], cursor: null });
    // Of others nothing is seen.
    expect((await newPlant().then(({ ask }) => ask("GET", "/v1/setup/imports"))).body.data).toEqual([]);
    expectProblem(await plant.ask("GET", "/v1/setup/imports?limit=0&cursor=x"), 400, "/query/cursor", "/query/limit");
  });

  it("of a company are kept for undoing as long as they are among the latest 20", async () => {
    const plant = await newPlant();
    const ids: number[] = [];
    for (let n = 0; n < 21; n++) ids.push((await reportOf(plant, `line\nLine ${n}\n`, "kind=lines")).id);
    expect(await countOf(plant, "set_up_imports")).toBe(20);
    const kept = env.DB_0.prepare("SELECT count(*) AS n FROM set_up_import_items WHERE import_id BETWEEN ? AND ?");
    expect(await kept.bind(ids[0], ids[20]).first("n")).toBe(20);
    expectProblem(await undo(plant, ids[0] as number), 404);
    expect((await undo(plant, ids[1] as number)).status).toBe(200);
  });
});

/** `fullPlant` with the work order WO-1. */
async function plantWithOrder() {
  const plant = await fullPlant();
  const [first] = (await plant.ask("GET", "/v1/machines")).body.data;
  const { status, body } = await plant.ask("POST", "/work-orders/production-full", {
    machines: [{ machineId: first.id }],
    targets: [{ skuId: "0005", targetQuantity: 50 }],
    workOrder: { code: "WO-1", name: "One", source: "ERP" },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return plant;
}

/** Rows that are made again have new ids, and machines are commissioned then. */
function withoutIds(dump: Record<string, unknown[]>) {
  const own = ({ id: _, parent_id: __, commissioned_at: ___, number: ____, ...row }: Record<string, unknown>) =>
    expect.objectContaining(row);
  return Object.fromEntries(
    Object.entries(dump).map(([table, rows]) => [table, rows.map((row) => own(row as Record<string, unknown>))]),
  );
}
