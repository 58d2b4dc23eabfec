import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../../../support/call.ts";
import { eventually } from "../../../support/eventually.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createLine, createMachine, createShift, createUser } from "../../../support/factories.ts";
import { machineObject } from "../../../support/machine-object.ts";
import { overtakenBy } from "../../../support/overtaken.ts";
import { fullPlant, newPlant } from "./full-plant.ts";

type Plant = Awaited<ReturnType<typeof newPlant>>;
type Entry = Record<string, unknown>;

const put = async ({ token }: Plant, body: object | string, query = "") =>
  await call("PUT", `/v1/plant${query}`, {
    token,
    body,
    headers: { "content-type": typeof body === "string" ? "application/yaml" : "application/json" },
  });

async function changesOf(plant: Plant, body: object | string, query = "") {
  const answer = await put(plant, body, query);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as { dryRun: boolean; created: Entry[]; changed: Entry[]; deleted: Entry[]; unchanged: number };
}

const count = async (table: string, { companyId }: Plant) =>
  (await env.DB_0.prepare(`SELECT count(*) AS n FROM ${table} WHERE company_id = ?`).bind(companyId).first<number>("n")) ?? 0;
const audited = async ({ ask }: Plant) =>
  (await ask("GET", "/v1/audit?limit=500")).body.data.map(({ action }: { action: string }) => action).sort();

/** A file with some lists. */
const fileOf = (lists: object) => ({ formatVersion: 1, ...lists });

describe("PUT /v1/plant", () => {
  it("changes nothing with the file that GET gives, as JSON and as YAML, and names every entry as unchanged", async () => {
    const plant = await fullPlant();
    const before = [await count("audit", plant), await count("set_up_versions", plant), await plant.file()];
    const yaml = (await plant.ask("GET", "/v1/plant?format=yaml")).body as unknown as string;
    for (const file of [before[2] as object, yaml]) {
      for (const query of ["?dryRun=true", "", "?prune=true"]) {
        const changes = await changesOf(plant, file, query);
        expect(changes).toEqual({ dryRun: query === "?dryRun=true", created: [], changed: [], deleted: [], unchanged: 17 });
      }
    }
    expect([await count("audit", plant), await count("set_up_versions", plant), await plant.file()]).toEqual(before);
  });

  it("makes an empty company the same plant in one go, with audit entries and versions, and twice is once", async () => {
    const [original, copy] = [await fullPlant(), await newPlant()];
    const file = await original.file();
    const planned = await changesOf(copy, file, "?dryRun=true");
    expect(planned.created).toHaveLength(16);
    expect(planned.changed).toMatchObject([{ kind: "company", key: {}, before: {}, after: { name: file.company.name } }]);
    expect(await copy.file("?kinds=lines,machines,shifts")).toEqual(fileOf({ lines: [], machines: [], shifts: [] }));
    expect(await count("audit", copy)).toBe(0);
    expect(await changesOf(copy, file)).toEqual({ ...planned, dryRun: false });
    expect(await copy.file()).toEqual(file);
    const actions = await audited(copy);
    expect(actions).toEqual([
      ...["calendar-day.create", "calendar-day.create", "calendar-day.create", "company.change", "count-sensors.change"],
      ...["defect-reason.create", "defect-reason.create", "line.create", "line.create", "machine.create", "machine.create"],
      ...["shift.create", "shift.create", "sku.create", "sku.create"],
      ...["stop-cause.create", "stop-cause.create", "stop-cause.create"],
    ]);
    const versions = await count("set_up_versions", copy);
    // Of each machine three, of each shift and cause one, and the standards.
    expect(versions).toBe(2 * 3 + 2 + 3 + 2);
    expect(await changesOf(copy, file)).toMatchObject({ created: [], changed: [], deleted: [], unchanged: 17 });
    expect([await audited(copy), await count("set_up_versions", copy)]).toEqual([actions, versions]);
  });

  it("has new machines count what their channels send at once", async () => {
    const plant = await newPlant();
    const configs = [{ type: "total", countingFactor: 2, channel: 1, nodeId: 5 }];
    const machine = { ref: "M", name: "M", nodeId: 5, commissionedAt: "2026-01-01T00:00:00Z", line: "L" };
    const lists = { lines: [{ name: "L" }], machines: [{ ...machine, countSensors: { isCountEnabled: true, configs } }] };
    const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    await changesOf(plant, fileOf({ shifts: [{ name: "All day", start: "06:00", end: "06:00", days }] }));
    await changesOf(plant, fileOf(lists));
    const { id } = (await plant.ask("GET", "/v1/machines?ref=M")).body.data[0];
    // Its object is awake, and publishes shifts even if no event ever arrives. While its first alarm rings, there is none.
    const alarm = () => runInDurableObject(machineObject(env, id), (_, { storage }) => storage.getAlarm());
    await eventually(async () => expect(await alarm()).not.toBeNull());
    const at = new Date().toISOString();
    const counted = { type: "count", at, nodeId: 5, channel: 1, value: 3 };
    const sent = await plant.ask("POST", "/v1/ingest", { companyId: plant.companyId, events: [counted] });
    expect(sent.body).toMatchObject({ accepted: 1, rejected: [] });
    const { machines } = await plant.file();
    expect(machines[0]).toMatchObject({
      line: "L",
      holdFactor: 20,
      countSensors: { configs: [{ ...configs[0], wrapsAt: null }] },
    });
    await changesOf(plant, fileOf({ machines: [{ ref: "M", countSensors: null }] }));
    expect((await plant.file()).machines[0].countSensors).toBeNull();
    const again = await plant.ask("POST", "/v1/ingest", {
      companyId: plant.companyId,
      events: [{ ...counted, at: new Date(Date.now() + 1000).toISOString() }],
    });
    expect(again.body.rejected).toMatchObject([{ code: "unknown_channel" }]);
  });

  it("changes what the file names, says before and after, and leaves the rest", async () => {
    const plant = await fullPlant();
    const whole = await plant.file();
    const yaml = `
# Only what is to be different.
formatVersion: 1
company: {weekStart: sunday}
machines:
- ref: P-2
  line: Line 1
  stopAfterSeconds: 60
shifts:
- {name: Morning, days: [tuesday, monday]}
skus:
- id: "0005"
  standards:
  - {machine: P-2, standardCycleSeconds: 9}
stopCauses:
- path: [Breakdown]
  level: general
  isProgrammed: true
calendarDays:
- date: 2026-12-24
  scope: line
  line: "on"
  shifts:
  - {shift: Morning, start: 06:00, end: 07:00, breaks: []}
`;
    const { changed, created, unchanged } = await changesOf(plant, yaml);
    expect([created, unchanged]).toEqual([[], 0]);
    expect(changed.find(({ kind }) => kind === "machines")).toEqual({
      kind: "machines",
      key: { ref: "P-2" },
      before: { line: null, stopAfterSeconds: 120 },
      after: { line: "Line 1", stopAfterSeconds: 60 },
    });
    expect(changed.map(({ kind }) => kind)).toEqual(["company", "machines", "shifts", "calendarDays", "skus", "stopCauses"]);
    const expected = structuredClone(whole);
    expected.company.weekStart = "sunday";
    Object.assign(expected.machines[1], { line: "Line 1", stopAfterSeconds: 60 });
    expected.shifts[1].days = ["monday", "tuesday"];
    expected.skus[1].standards = [{ machine: "P-2", standardCycleSeconds: 9 }];
    expected.stopCauses[0].isProgrammed = true;
    expected.calendarDays[1].shifts = [{ shift: "Morning", start: "06:00", end: "07:00", breaks: [] }];
    expect(await plant.file()).toEqual(expected);
    const { data } = (await plant.ask("GET", `/v1/machines?ref=P-2`)).body;
    const versions = (await plant.ask("GET", `/v1/machines/${data[0].id}/versions`)).body.data;
    expect(versions.filter(({ kind }: Entry) => kind === "limits")).toHaveLength(2);
    expect(
      (await plant.ask("GET", "/v1/audit?limit=500")).body.data.filter(({ action }: Entry) => /change$/.test(String(action))),
    ).toHaveLength(7);
  });

  it("deletes with prune what its kinds do not name, softly, and says so in the dry run", async () => {
    const plant = await fullPlant();
    const { lines, machines, shifts } = await plant.file();
    const kept = fileOf({ lines: lines.slice(1), machines: machines.slice(0, 1), shifts: shifts.slice(1), defectReasons: [] });
    const gone = [
      { kind: "lines", key: { name: "Line 1" } },
      { kind: "machines", key: { ref: "P-2" } },
      { kind: "shifts", key: { name: "Extra" } },
      { kind: "defectReasons", key: { name: "Scratch" } },
      { kind: "defectReasons", key: { name: "Ñandú 😀" } },
    ];
    expect(await changesOf(plant, kept)).toMatchObject({ deleted: [] });
    expect((await changesOf(plant, kept, "?prune=true&dryRun=true")).deleted).toEqual(gone);
    expect((await plant.file()).lines).toHaveLength(2);
    const { id } = (await plant.ask("GET", "/v1/machines?ref=P-2")).body.data[0];
    expect((await changesOf(plant, kept, "?prune=true")).deleted).toEqual(gone);
    const after = await plant.file();
    expect([after.lines, after.machines, after.defectReasons]).toEqual([lines.slice(1), machines.slice(0, 1), []]);
    expect(after.skus).toHaveLength(2);
    expect((await audited(plant)).filter((action: string) => action.endsWith(".delete"))).toHaveLength(5);
    expect((await plant.ask("POST", `/v1/machines/${id}/restore`)).status).toBe(200);
    expect((await plant.file()).machines).toHaveLength(2);
  });

  it("deletes nothing that something else needs", async () => {
    const plant = await fullPlant();
    const { lines, machines } = await plant.file();
    const rule = { name: "Stop", when: { kind: "stop", minutes: 10 } };
    const { id } = (await plant.ask("GET", "/v1/machines?ref=P-2")).body.data[0];
    expect((await plant.ask("POST", "/v1/alert-rules", { ...rule, machineIds: [id] })).status).toBe(201);
    for (const query of ["?prune=true&dryRun=true", "?prune=true"]) {
      const ofRule = await put(plant, fileOf({ machines: machines.slice(0, 1) }), query);
      expectProblem(ofRule, 409, "/machines");
      expect(ofRule.body.errors[0]).toMatchObject({ code: "in_use", message: expect.stringContaining("alert rule") });
      // A machine and a calendar day that the file does not name.
      expectProblem(await put(plant, fileOf({ lines: lines.slice(0, 1) }), query), 400, "/lines", "/lines");
      expectProblem(await put(plant, fileOf({ shifts: [] }), query), 400, "/shifts");
    }
    expect(await plant.file()).toMatchObject({ lines, machines });
  });

  it("replaces a shift by another of the same time, and a day before its shift, but not a shift that a day names until then", async () => {
    const plant = await newPlant();
    const times = { start: "06:00", end: "14:00", days: ["monday"] };
    const day = { date: "2026-12-24", scope: "company", shifts: [{ shift: "Early", start: "06:00", end: "10:00", breaks: [] }] };
    await changesOf(plant, fileOf({ shifts: [{ name: "Early", ...times }], calendarDays: [day] }));
    const renamed = { ...day, shifts: [{ ...day.shifts[0], shift: "Morning" }] };
    const both = { shifts: [{ name: "Morning", ...times }], calendarDays: [renamed] };
    const refused = await put(plant, fileOf(both), "?prune=true");
    expectProblem(refused, 409, "/shifts");
    expect(refused.body.errors[0]).toMatchObject({ code: "in_use", message: expect.stringContaining("2026-12-24") });
    const next = { shifts: [{ name: "Morning", ...times }], calendarDays: [] };
    await changesOf(plant, fileOf(next), "?prune=true");
    const { shifts, calendarDays } = await plant.file();
    expect([shifts.map(({ name }: Entry) => name), calendarDays]).toEqual([["Morning"], []]);
  });

  it("is all or nothing: what one entry may not do stops all", async () => {
    const plant = await fullPlant();
    const before = [await count("audit", plant), await count("machines", plant), await plant.file()];
    const late = { name: "Late", start: "13:00", end: "20:00", days: ["monday"] };
    const lists = { lines: [{ name: "New" }], machines: [{ ref: "N", name: "N", nodeId: 9, line: "New" }] };
    for (const query of ["?dryRun=true", ""]) {
      expectProblem(await put(plant, fileOf({ ...lists, shifts: [late] }), query), 409, "/shifts/0/start");
      const breaks = [{ name: "B", start: "05:00", end: "05:10" }];
      expectProblem(
        await put(plant, fileOf({ ...lists, shifts: [{ name: "Morning", breaks }] }), query),
        400,
        "/shifts/0/breaks/0",
      );
      const configs = [{ type: "total", countingFactor: 1, channel: 1, nodeId: 1 }];
      const taken = { ref: "P-2", countSensors: { isCountEnabled: true, configs } };
      const refused = await put(plant, fileOf({ ...lists, machines: [taken] }), query);
      expectProblem(refused, 409, "/machines/0/countSensors/configs/0/channel");
    }
    const { token } = await createUser(plant.companyId, "superuser");
    const limits = { companyId: plant.companyId, limits: { machines: 2 } };
    expect((await call("PATCH", "/v1/usage/limits", { token, body: limits })).status).toBe(200);
    const overQuota = await put(plant, fileOf(lists));
    expectProblem(overQuota, 409);
    expect(overQuota.body.quota).toMatchObject({ name: "machines", limit: 2 });
    expect([(await count("audit", plant)) - 1, await count("machines", plant), await plant.file()]).toEqual(before);
  });

  it("names each anchor and alias by its line", async () => {
    const refused = await put(await newPlant(), "formatVersion: 1\nlines:\n- &a {name: A}\n- *a\n");
    expect(refused.body.errors.map(({ message }: Entry) => message)).toEqual([
      expect.stringMatching(/^line 3 has the anchor &a/),
      expect.stringMatching(/^line 4 has the alias \*a/),
    ]);
  });

  it.each([
    ["an alias", "lines:\n- &a {name: A}\n- *a\n", "not_supported", 3],
    ["a tag", "lines:\n- name: !x A\n", "not_supported", 3],
    ["a directive", "%YAML 1.1\n---\nformatVersion: 1\n", "not_supported", 1],
    ["a key that is given twice", "lines:\n- name: A\n  name: B\n", "repeated", 4],
    ["an unknown member", "lines:\n- name: A\n  colour: red\n", "unknown_member", 4],
    [
      "an unknown member of a break",
      "shifts:\n- name: A\n  breaks:\n  - {name: B, start: 07:00, end: 08:00, paid: true}\n",
      "unknown_member",
      5,
    ],
    ["a kind that there is not", "operators: []\n", "unknown_member", 2],
    ["a number in place of a text", "skus:\n- id: 0005\n  name: A\n", "invalid_type", 3],
    ["a member that a new entry needs", "machines:\n- ref: A\n  nodeId: 1\n", "required", 3],
    ["the same entry twice", "lines:\n- name: A\n- name: B\n- name: A\n", "repeated", 5],
    ["a line that is not there", "machines:\n- ref: A\n  name: A\n  nodeId: 1\n  line: Nowhere\n", "not_found", 6],
    [
      "a machine that is not there",
      "skus:\n- id: A\n  name: A\n  standards:\n  - machine: X\n    standardCycleSeconds: 1\n",
      "not_found",
      6,
    ],
    ["a cause below nothing", "stopCauses:\n- path: [A, B]\n  level: specific\n", "not_found", 3],
    ["text that is no YAML", "lines: [\n", "malformed_yaml", 3],
    ["two documents", "---\nformatVersion: 1\n", "malformed_yaml", 2],
  ])("names %s by its line, and changes nothing", async (_, text, code, line) => {
    const plant = await newPlant();
    for (const query of ["?dryRun=true", ""]) {
      const answer = await put(plant, text.startsWith("%") ? text : `formatVersion: 1\n${text}`, query);
      expectProblem(answer, 400);
      const { errors } = answer.body;
      expect(errors[0].code, JSON.stringify(errors)).toBe(code);
      expect(errors[0].message).toMatch(new RegExp(`^line ${line}\\b`));
    }
    expect(await count("audit", plant)).toBe(0);
  });

  it("refuses a text that would take too much memory, without reading it", async () => {
    const plant = await newPlant();
    for (const text of ["[".repeat(1000), "- ".repeat(1000), "- a\n".repeat(200_000), `a: [${"[],".repeat(300_000)}]`]) {
      const answer = await put(plant, text);
      expectProblem(answer, 400, "");
      expect(answer.body.errors[0].code).toBe("too_big");
    }
    expectProblem(await put(plant, `#${"x".repeat(1024 * 1024)}`), 413);
    const { token } = plant;
    expectProblem(await call("PUT", "/v1/plant", { token, body: "a", headers: { "content-type": "text/plain" } }), 415);
    expectProblem(await call("PUT", "/v1/plant", { token }), 400, "");
    expectProblem(await put(plant, fileOf({ operators: [] })), 400, "/operators");
    expectProblem(await put(plant, { lines: [] }), 400, "/formatVersion");
  });

  it("refuses more than one commit may have, and names what to do", async () => {
    const plant = await newPlant();
    const skus = Array.from({ length: 300 }, (_, i) => ({ id: `S${i}`, name: "A" }));
    for (const query of ["?dryRun=true", ""]) {
      const answer = await put(plant, fileOf({ skus }), query);
      expectProblem(answer, 409, "");
      expect(answer.body.errors[0].code).toBe("too_many_changes");
    }
    expect((await changesOf(plant, fileOf({ skus: skus.slice(0, 60) }))).created).toHaveLength(60);
  });

  it("is of whoever may change the set-up, and of the own company", async () => {
    const plant = await newPlant();
    const other = await newPlant();
    const { token } = await createUser(plant.companyId, "user");
    const file = fileOf({ lines: [{ name: "A" }] });
    expectProblem(await call("PUT", "/v1/plant", { token, body: file }), 403);
    expectProblem(await put(other, file, `?companyId=${plant.companyId}`), 404, "/companyId");
    await createLine(plant.companyId, { name: "Own" });
    await createMachine(plant.companyId);
    await createShift(plant.companyId);
    expect((await changesOf(other, file, "?prune=true")).deleted).toEqual([]);
  });

  it("is decided again if somebody changes the set-up meanwhile", async () => {
    const plant = await newPlant();
    const { ask, token } = plant;
    const line = await plant.make("lines", { name: "A" });
    const { id } = await plant.make("machines", { name: "M", ref: "M", nodeId: 1 });
    const overtaken = (body: object, ...others: (() => Promise<unknown>)[]) =>
      call("PUT", "/v1/plant", { token, body, via: overtakenBy(...others) });
    const file = fileOf({ machines: [{ ref: "M", name: "Big" }] });
    const answer = await overtaken(file, () => ask("PATCH", `/v1/machines/${id}`, { nodeId: 7 }));
    expect(answer.body.changed).toMatchObject([{ before: { name: "M" }, after: { name: "Big" } }]);
    expect((await plant.file()).machines[0]).toMatchObject({ name: "Big", nodeId: 7 });
    const lists = { defectReasons: [{ name: "R" }], machines: [{ ref: "M", line: "A" }] };
    const refused = await overtaken(fileOf(lists), () => ask("DELETE", `/v1/lines/${line.id}`));
    expectProblem(refused, 400, "/machines/0/line");
    expect(await plant.file()).toMatchObject({ lines: [], machines: [{ line: null }], defectReasons: [] });
  });

  it("with an Idempotency-Key is done once", async () => {
    const plant = await newPlant();
    const send = () =>
      call("PUT", "/v1/plant", {
        token: plant.token,
        body: fileOf({ lines: [{ name: "A" }] }),
        headers: { "idempotency-key": "once" },
      });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(await audited(plant)).toEqual(["line.create"]);
  });
});
