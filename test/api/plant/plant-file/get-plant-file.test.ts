import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { parse, parseDocument, visit } from "yaml";
import { call } from "../../../support/call.ts";
import { stopClock } from "../../../support/clock.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import {
  createGatewayToken,
  createLine,
  createMachine,
  createOperator,
  createShift,
  createStopCause,
  createUser,
  createVersion,
} from "../../../support/factories.ts";
import { fullPlant, newPlant } from "./full-plant.ts";

const inherited = { isProgrammed: null, isIncludedInAvailability: null };

describe("GET /v1/plant", () => {
  it("has the whole set-up by names and refs, sorted by them, in one trip", async () => {
    const { ask, companyId } = await fullPlant();
    // The caller is cached.
    stopClock();
    await ask("GET", "/v1/plant");
    const { body, headers } = await ask("GET", "/v1/plant");
    expect(headers.get("server-timing")).toContain('"1 trip"');
    const { name } = (await ask("GET", `/v1/companies/${companyId}`)).body;
    const usual = { signal: "counts", reportingSeconds: null, holdFactor: 20, decommissionedAt: null };
    const dated = { commissionedAt: "2026-01-01T00:00:00.000Z" };
    const thresholds = { availabilityThresholds: null, coverageThresholds: null };
    expect(body).toEqual({
      formatVersion: 1,
      company: {
        ...{ name, timezone: "UTC", currency: "EUR", signOutAtShiftEnd: true, productionDay: "calendarDay", weekStart: "monday" },
        lockAfterDays: null,
        oeeThresholds: { badBelow: 60, goodFrom: 85 },
        availabilityThresholds: { badBelow: 75, goodFrom: 90 },
        coverageThresholds: { badBelow: 96, goodFrom: 96 },
      },
      lines: [
        { name: "Line 1", order: 0 },
        { name: "on", order: 2 },
      ],
      machines: [
        {
          ...{ ref: "P-10", name: "Press", line: "on", nodeId: 1, stopAfterSeconds: 90, noDataAfterSeconds: null },
          ...{ standardCycleSeconds: 12.5, hourlyRate: 80, oeeThresholds: { badBelow: 50, goodFrom: 80 } },
          ...{ ...usual, ...dated, ...thresholds },
          countSensors: {
            isCountEnabled: true,
            configs: [
              { type: "total", countingFactor: 0.5, channel: 1, nodeId: 1, wrapsAt: 65536 },
              { type: "defect", countingFactor: 1, channel: 2, nodeId: 1, wrapsAt: null },
            ],
          },
        },
        {
          ...{ ref: "P-2", name: "Press", line: null, nodeId: 1, stopAfterSeconds: 120, noDataAfterSeconds: 300 },
          ...{ standardCycleSeconds: null, hourlyRate: null, oeeThresholds: null, ...usual, ...dated, ...thresholds },
          countSensors: null,
        },
      ],
      shifts: [
        { name: "Extra", start: "14:00", end: "22:00", days: [], breaks: [], machines: ["P-10", "P-2"] },
        {
          ...{ name: "Morning", start: "06:00", end: "14:00", days: ["monday", "sunday"], machines: null },
          breaks: [{ name: "Lunch: 10 # o'clock", start: "10:00", end: "10:30", isIncludedInAvailability: false }],
        },
      ],
      calendarDays: [
        {
          ...{ date: "2026-12-24", scope: "company", line: null, machine: null },
          shifts: [
            {
              ...{ shift: "Morning", start: "06:00", end: "12:00" },
              breaks: [{ name: "Lunch: 10 # o'clock", start: "10:00", end: "10:30", isIncludedInAvailability: false }],
            },
          ],
        },
        { date: "2026-12-24", scope: "line", line: "on", machine: null, shifts: [] },
        { date: "2026-12-24", scope: "machine", line: null, machine: "P-10", shifts: [] },
      ],
      skus: [
        { id: "#A", name: " - [x]: 'y' \"z\" ", standards: [] },
        {
          ...{ id: "0005", name: "null" },
          standards: [
            { machine: null, standardCycleSeconds: 12 },
            { machine: "P-10", standardCycleSeconds: 11 },
          ],
        },
      ],
      stopCauses: [
        { path: ["Breakdown"], level: "general", isProgrammed: false, isIncludedInAvailability: null },
        { path: ["Breakdown", "Jam"], level: "specific", isProgrammed: null, isIncludedInAvailability: false },
        { path: ["Breakdown", "Jam", "Belt"], level: "component", ...inherited },
      ],
      defectReasons: [{ name: "Scratch" }, { name: "Ñandú 😀" }],
    });
  });

  it("is YAML 1.2 that says the same, with neither anchors nor tags, also to readers of YAML 1.1", async () => {
    const { ask, file, token } = await fullPlant();
    const json = await file();
    const answer = await ask("GET", "/v1/plant?format=yaml");
    expect(answer.headers.get("content-type")).toBe("application/yaml");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="plant.yaml"');
    const text = answer.body as unknown as string;
    expect(parse(text)).toEqual(json);
    expect(parse(text, { schema: "yaml-1.1" })).toEqual(json);
    const document = parseDocument(text);
    expect([...document.errors, ...document.warnings]).toEqual([]);
    visit(document, {
      Alias: () => expect.unreachable("an alias"),
      Node: (_, { anchor, tag }) => expect([anchor, tag]).toEqual([undefined, undefined]),
    });
    expect(text).toContain('\n- ref: P-10\n  name: Press\n  line: "on"\n');
    const accepting = (accept: string) => call("GET", "/v1/plant", { token, headers: { accept } });
    expect((await accepting("application/yaml")).body).toEqual(text);
    expect((await accepting("text/html, */*")).body).toEqual(json);
    expect((await call("GET", "/v1/plant?format=json", { token, headers: { accept: "application/yaml" } })).body).toEqual(json);
  });

  it("writes long lists in YAML without a seam", async () => {
    const { companyId, file, ask } = await newPlant();
    await insertSkus(companyId, 450);
    const { body } = await ask("GET", "/v1/plant?format=yaml&kinds=skus");
    expect(parse(body as unknown as string)).toEqual(await file("?kinds=skus"));
    expect((await file("?kinds=skus")).skus).toHaveLength(450);
  });

  it("has only the kinds that are asked for, and names what they need", async () => {
    const { ask, file } = await fullPlant();
    const whole = await file();
    const { formatVersion, machines, calendarDays } = whole;
    expect(await file("?kinds=calendarDays,machines")).toEqual({ formatVersion, machines, calendarDays });
    expect(Object.keys(await file("?kinds=skus,company"))).toEqual(["formatVersion", "company", "skus"]);
    expectProblem(await ask("GET", "/v1/plant?kinds=operators"), 400, "/query/kinds/0");
    expectProblem(await ask("GET", "/v1/plant?format=csv"), 400, "/query/format");
  });

  it("has neither people nor tokens, nor ids", async () => {
    const { companyId, file } = await fullPlant();
    const operator = await createOperator(companyId, { name: "Ann Operator" });
    const { token } = await createGatewayToken(companyId);
    const text = JSON.stringify(await file());
    for (const secret of ["Ann Operator", operator.code, token, "@example.test"]) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/"(id|(?!node)\w+Id)":\d|\w+Ids|(created|updated|deleted)At/);
  });

  it("leaves out what is deleted, and what names it", async () => {
    const { ask, make, file } = await newPlant();
    const ofMachine = { nodeId: 1, commissionedAt: "2026-01-01T00:00:00Z" };
    const kept = await make("machines", { name: "Kept", ref: "KEPT", ...ofMachine });
    const gone = await make("machines", { name: "Gone", ref: "GONE", ...ofMachine });
    await make("shifts", { name: "Both", start: "06:00", end: "14:00", days: [], machineIds: [kept.id, gone.id] });
    await make("shifts", { name: "Alone", start: "06:00", end: "14:00", days: [], machineIds: [gone.id] });
    await make("calendar-days", { date: "2026-12-24", scope: "machine", machineId: gone.id, closed: true });
    await make("skus", {
      id: "A",
      name: "A",
      standards: [gone, kept].map(({ id }) => ({ machineId: id, standardCycleSeconds: 1 })),
    });
    const reason = await make("defect-reasons", { name: "Scratch" });
    expect((await ask("DELETE", `/v1/machines/${gone.id}`)).status).toBe(204);
    expect((await ask("DELETE", `/v1/defect-reasons/${reason.id}`)).status).toBe(204);
    const { machines, shifts, calendarDays, skus, defectReasons } = await file();
    expect(machines.map(({ ref }: { ref: string }) => ref)).toEqual(["KEPT"]);
    expect(shifts.map(({ name, machines: named }: { name: string; machines: string[] }) => [name, named])).toEqual([
      ["Alone", []],
      ["Both", ["KEPT"]],
    ]);
    expect(calendarDays).toEqual([]);
    expect(skus[0].standards).toEqual([{ machine: "KEPT", standardCycleSeconds: 1 }]);
    expect(defectReasons).toEqual([]);
  });

  it("has what is in force now, not what is planned", async () => {
    const { companyId, make, file } = await newPlant();
    const { id } = await make("skus", { id: "A", name: "A", standards: [{ machineId: null, standardCycleSeconds: 5 }] });
    await createVersion(companyId, { kind: "standard", entity: id, body: { standardCycleSeconds: 9 } });
    expect((await file()).skus[0].standards).toEqual([{ machine: null, standardCycleSeconds: 5 }]);
  });

  it("is refused with all shifts that have the same name, unless it names none", async () => {
    const { companyId, ask, file } = await newPlant();
    const [a, b] = [
      await createShift(companyId, { name: "Day", days: [1] }),
      await createShift(companyId, { name: "Day", days: [2] }),
    ];
    await createShift(companyId, { name: "Night", days: [3] });
    const refused = await ask("GET", "/v1/plant");
    expectProblem(refused, 409, "/shifts");
    expect(refused.body.errors[0]).toMatchObject({ code: "ambiguous", message: expect.stringContaining(`${a.id}, ${b.id}`) });
    expectProblem(await ask("GET", "/v1/plant?kinds=calendarDays"), 409, "/shifts");
    expect(await file("?kinds=machines")).toEqual({ formatVersion: 1, machines: [] });
  });

  it("has causes of different levels with the same names, and is refused if a component could be below either", async () => {
    const { companyId, ask, file } = await newPlant();
    const general = await createStopCause(companyId, { name: "Motor" });
    const component = await createStopCause(companyId, { name: "Motor", level: "component" });
    await createStopCause(companyId, { name: "Hot", level: "specific", parentId: general.id });
    const { stopCauses } = await file();
    expect(stopCauses.map(({ path, level }: { path: string[]; level: string }) => [level, ...path])).toEqual([
      ["component", "Motor"],
      ["general", "Motor"],
      ["specific", "Motor", "Hot"],
    ]);
    await createStopCause(companyId, { name: "Bearing", level: "component", parentId: component.id });
    const refused = await ask("GET", "/v1/plant");
    expectProblem(refused, 409, "/stopCauses");
    expect(refused.body.errors[0]).toMatchObject({
      code: "ambiguous",
      message: expect.stringContaining(`${general.id}, ${component.id}`),
    });
  });

  it("is refused if there is more of a kind than a file has, unless that is left out", async () => {
    const { companyId, ask, file } = await newPlant();
    await insertSkus(companyId, 10_000);
    expect((await file("?kinds=skus")).skus).toHaveLength(10_000);
    await insertSkus(companyId, 1, "T");
    const refused = await ask("GET", "/v1/plant");
    expectProblem(refused, 409, "/skus");
    expect(refused.body.errors[0].code).toBe("too_many_of_kind");
    expect(await file("?kinds=lines,machines,shifts")).toMatchObject({ machines: [] });
  });

  it("is refused if what is stored of a kind is too large", async () => {
    const { companyId, ask } = await newPlant();
    const breaks = JSON.stringify([{ name: "B".repeat(60_000), start: "07:00", end: "08:00", isIncludedInAvailability: false }]);
    await run(
      `insert into shifts (company_id, name, start, "end", days, breaks, created_at, updated_at)
        select ?, 'S' || value, '06:00', '14:00', '[]', ?, 0, 0 from json_each(?)`,
      ...[companyId, breaks, JSON.stringify(Array.from({ length: 80 }, (_, i) => i))],
    );
    expectProblem(await ask("GET", "/v1/plant"), 409, "/shifts");
  });

  it("is of the named company for superusers alone, and answers 304 while nothing changed", async () => {
    const [plant, other] = [await newPlant(), await newPlant()];
    await createLine(plant.companyId, { name: "Own" });
    await createMachine(plant.companyId);
    const { token } = await createUser(other.companyId, "superuser");
    const asked = (id: number) => call("GET", `/v1/plant?companyId=${id}`, { token });
    expect((await asked(plant.companyId)).body).toEqual(await plant.file());
    expectProblem(await asked(2 ** 40), 404, "/companyId");
    expectProblem(await other.ask("GET", `/v1/plant?companyId=${plant.companyId}`), 404, "/companyId");
    const etag = (await plant.ask("GET", "/v1/plant")).headers.get("etag") ?? "";
    const again = () => call("GET", "/v1/plant", { token: plant.token, headers: { "if-none-match": etag } });
    expect((await again()).status).toBe(304);
    await createLine(plant.companyId);
    expect((await again()).status).toBe(200);
  });
});

const run = (sql: string, ...values: unknown[]) =>
  env.DB_0.prepare(sql)
    .bind(...values)
    .run();

async function insertSkus(companyId: number, count: number, prefix = "S") {
  const numbers = JSON.stringify(Array.from({ length: count }, (_, i) => i));
  const sql =
    "insert into skus (company_id, id, name, created_at, updated_at) select ?, ? || value, 'SKU', 0, 0 from json_each(?)";
  await run(sql, companyId, prefix, numbers);
}
