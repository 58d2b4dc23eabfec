import { env } from "cloudflare:workers";
import { gzipSync } from "node:zlib";
import { drizzle } from "drizzle-orm/d1";
import { describe, expect, it } from "vitest";
import { limits } from "../../../../src/api/ingest/imports/imports.ts";
import { imports } from "../../../../src/db/schema.ts";
import { resumeImports } from "../../../../src/jobs/resume-imports.ts";
import { call } from "../../../support/call.ts";
import { eventually } from "../../../support/eventually.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createUser } from "../../../support/factories.ts";
import { createLine, flushMachine, ingest, recordsOf, stopsOf } from "../../../support/machines.ts";
import { serviceWith } from "../../../support/service.ts";

const db = drizzle(env.DB_0);
const usual = { ...limits };
const DAY = 86_400_000;
/** Noon, ten days ago. */
const noon = Math.floor(Date.now() / DAY - 10) * DAY + DAY / 2;
const iso = (at: number) => new Date(at).toISOString();
const ndjson = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

type Line = Awaited<ReturnType<typeof createLine>>;

/** A count a minute, from an instant on. */
function countsFrom({ machine }: Line, from: number, count: number, more: (i: number) => object = () => ({})): object[] {
  return Array.from({ length: count }, (_, i) => {
    return { type: "count", at: iso(from + i * 60_000), nodeId: machine.nodeId, channel: 1, value: 2, ...more(i) };
  });
}

async function createPlant() {
  const line = await createLine();
  const { token } = await createUser(line.companyId, "admin");
  return { line, token };
}

const typeOf = (format: string) => ({ "content-type": format === "csv" ? "text/csv" : "application/x-ndjson" });

/** Sends a file. */
function send(token: string, body: string | Uint8Array | undefined, format = "ndjson", headers = {}) {
  const sent = { token, headers: { ...typeOf(format), ...headers }, ...(body !== undefined && { body }) };
  return call("POST", "/v1/imports", sent);
}

async function upload(token: string, body: string | Uint8Array, format?: string, headers = {}) {
  const answer = await send(token, body, format, headers);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body as { id: number; state: string };
}

async function ended(token: string, id: number, state = "done") {
  return await eventually(async () => {
    const { body } = await call("GET", `/v1/imports/${id}`, { token });
    expect(body.state).toBe(state);
    return body;
  });
}

/** Imports a file, and waits until its lines are taken. */
async function importFile(token: string, body: string | Uint8Array, format?: string) {
  return await ended(token, (await upload(token, body, format)).id);
}

async function errorsOf(token: string, id: number) {
  return (await call("GET", `/v1/imports/${id}/errors`, { token })).body.data;
}

/** The numbers of a machine's shifts, without the ids and versions of their rows. */
async function numbersOf(machineId: number) {
  await flushMachine(machineId);
  const bare = ({ id, revision, createdAt, updatedAt, asOf, ...row }: Record<string, unknown>) => row;
  return [...(await recordsOf(machineId)).map(bare), ...(await stopsOf(machineId)).filter((stop) => !stop.deletedAt).map(bare)];
}

async function unitsOf(machineId: number) {
  await flushMachine(machineId);
  return (await recordsOf(machineId)).reduce((sum, { totalUnits }) => sum + totalUnits, 0);
}

describe("importing events", () => {
  it("stores the good lines of a file, names the bad ones, and counts the good ones in the shifts of their time", async () => {
    const { line, token } = await createPlant();
    const counts = countsFrom(line, noon, 20);
    const file = `${ndjson(counts.slice(0, 10))}{"type":"count"\n\n${ndjson([{ type: "count", at: "yesterday" }])}${ndjson(counts.slice(10))}`;
    const done = await importFile(token, file);
    expect(done).toMatchObject({ accepted: 20, duplicates: 0, held: 0, failed: 2, progress: 1, bytes: file.length });
    const at = file.indexOf('{"type":"count"\n');
    expect(await errorsOf(token, done.id)).toEqual([
      { line: 11, offset: at, member: null, code: "malformed_json", message: "The line is not JSON." },
      { line: 13, offset: at + 17, member: "at", code: "invalid_event", message: expect.any(String) },
    ]);
    expect(await unitsOf(line.machine.id)).toBe(40);
  });

  it("adds nothing when the same file comes again", async () => {
    const { line, token } = await createPlant();
    const file = ndjson(countsFrom(line, noon, 20, (i) => (i % 2 === 0 ? { id: `a${i}` } : {})));
    await importFile(token, file);
    expect(await importFile(token, file)).toMatchObject({ accepted: 0, duplicates: 20, failed: 0 });
    expect(await unitsOf(line.machine.id)).toBe(40);
  });

  it("takes a file with gzip, and CSV", async () => {
    const { line, token } = await createPlant();
    const rows = countsFrom(line, noon, 3).map((one) => Object.values(one).join(";"));
    const csv = `\ufefftype;at;nodeId;channel;value;remark\r\n${rows.map((row) => `${row};"a ""b"";"\r\n`).join("")}count;1\r\n`;
    const { id } = await upload(token, gzipSync(csv), "csv", { "content-encoding": "gzip" });
    expect(await ended(token, id)).toMatchObject({ accepted: 3, failed: 1, bytes: new TextEncoder().encode(csv).length });
    expect(await errorsOf(token, id)).toMatchObject([{ line: 5, code: "invalid_line" }]);
    expect(await unitsOf(line.machine.id)).toBe(6);
  });

  it("undone, leaves the numbers as they were", async () => {
    const { line, token } = await createPlant();
    const { machine } = line;
    await ingest(line.token, countsFrom(line, noon + DAY, 30));
    const before = await numbersOf(machine.id);
    const file = ndjson([...countsFrom(line, noon, 200), ...countsFrom(line, noon + DAY, 40)]);
    const { id } = await importFile(token, file);
    expect(await unitsOf(machine.id)).toBe(480);
    const undone = await call("POST", `/v1/imports/${id}/undo`, { token });
    expect([undone.status, undone.body.state]).toEqual([200, "undoing"]);
    await ended(token, id, "undone");
    expect(await numbersOf(machine.id)).toEqual(before);
    // It can come again.
    expect(await importFile(token, file)).toMatchObject({ accepted: 210, duplicates: 30 });
    expect(await unitsOf(machine.id)).toBe(480);
  });

  it("names the lines with another company's machine, and stores the others", async () => {
    const [{ line, token }, other] = [await createPlant(), await createLine()];
    const at = iso(noon);
    const foreign = [
      { type: "heartbeat", at, machineId: other.machine.id },
      { type: "count", at, nodeId: other.machine.nodeId, channel: 1, value: 5 },
      { type: "sku", at, machineId: line.machine.id, skuId: "nobody's" },
    ];
    const done = await importFile(token, ndjson([...foreign, ...countsFrom(line, noon, 2)]));
    expect(done).toMatchObject({ accepted: 2, failed: 3 });
    expect(await errorsOf(token, done.id)).toMatchObject([
      { line: 1, member: "machineId", code: "unknown_machine" },
      { line: 2, member: "channel", code: "unknown_channel" },
      { line: 3, member: "skuId", code: "unknown_sku" },
    ]);
    expect(await unitsOf(other.machine.id)).toBe(0);
  });

  it("names the first thousand refused lines, and counts all", async () => {
    const { token } = await createPlant();
    const done = await importFile(token, "no\n".repeat(1200));
    expect(done).toMatchObject({ accepted: 0, failed: 1200 });
    const errors = (await call("GET", `/v1/imports/${done.id}/errors?format=ndjson`, { token })).body.trim().split("\n");
    expect([errors.length, JSON.parse(errors[999]).line]).toEqual([1000, 1000]);
  });

  it("takes several files of a company one after the other", async () => {
    const { line, token } = await createPlant();
    const files = [0, 1, 2].map((i) => ndjson(countsFrom(line, noon + i * 1000, 10)));
    const ids = [];
    for (const file of files) ids.push((await upload(token, file)).id);
    for (const id of ids) expect(await ended(token, id)).toMatchObject({ accepted: 10 });
    expect((await call("GET", "/v1/imports", { token })).body.data.map(({ id }: { id: number }) => id)).toEqual(ids.reverse());
    expect(await unitsOf(line.machine.id)).toBe(60);
  });

  it("holds counts that the machine cannot have made, and drops them when it is undone", async () => {
    const { line, token } = await createPlant();
    const [huge] = countsFrom(line, noon, 1, () => ({ value: 900_000_000 }));
    const done = await importFile(token, ndjson([huge as object, ...countsFrom(line, noon + 60_000, 2)]));
    expect(done).toMatchObject({ accepted: 3, held: 1 });
    expect(await unitsOf(line.machine.id)).toBe(4);
    const held = async () => (await call("GET", "/v1/held-events", { token })).body.data.length;
    expect(await held()).toBe(1);
    await call("POST", `/v1/imports/${done.id}/undo`, { token });
    await ended(token, done.id, "undone");
    expect(await unitsOf(line.machine.id)).toBe(0);
    expect(await held()).toBe(0);
  });

  it("accepts events of a machine without any event as those of its past, and they begin no silence", async () => {
    const { line, token } = await createPlant();
    const { id } = await importFile(token, ndjson([...countsFrom(line, noon + DAY, 5), ...countsFrom(line, noon, 5)]));
    expect(await unitsOf(line.machine.id)).toBe(20);
    await ingest(line.token, countsFrom(line, Date.now() - 60_000, 1));
    expect(await unitsOf(line.machine.id)).toBe(22);
    // The events keep the number of their import, and the time when the file came.
    const path = `/v1/machines/${line.machine.id}/events?from=${iso(noon)}&to=${iso(Date.now())}&limit=20`;
    const { data } = (await call("GET", path, { token })).body;
    expect(data).toHaveLength(12);
    expect(new Set(data.slice(0, 10).map(({ receivedAt }: { receivedAt: string }) => receivedAt)).size).toBe(1);
    expect(data.map(({ importId, isWithdrawn }: { importId: number; isWithdrawn: boolean }) => [importId, isWithdrawn])).toEqual([
      ...Array(10).fill([id, false]),
      [null, false],
      [null, false],
    ]);
  });
});

describe("a file that does not arrive as it should", () => {
  async function expectNothingLeft(companyId: number, token: string) {
    expect((await call("GET", "/v1/imports", { token })).body.data).toEqual([]);
    expect((await env.ARCHIVE.list({ prefix: `imports/${companyId}/` })).objects).toEqual([]);
  }

  it("is refused if it is empty, is no gzip, or its header lacks a column, and nothing is left", async () => {
    const { line, token } = await createPlant();
    expectProblem(await send(token, undefined, "ndjson"), 400, "");
    expectProblem(await send(token, "", "ndjson"), 400, "");
    expectProblem(await send(token, "type,time\ncount,2026-01-01T00:00:00Z\n", "csv"), 400, "");
    expectProblem(await send(token, "type,at,at\n", "csv"), 400, "");
    expectProblem(await send(token, "this is no gzip", "ndjson", { "content-encoding": "gzip" }), 400, "");
    expectProblem(await send(token, "x", "ndjson", { "content-encoding": "br" }), 415);
    expectProblem(
      await call("POST", "/v1/imports?format=xml", { token, body: "x", headers: typeOf("csv") }),
      400,
      "/query/format",
    );
    await expectNothingLeft(line.companyId, token);
  });

  it("is refused if it is too long, and nothing is left", async () => {
    const { line, token } = await createPlant();
    Object.assign(limits, { fileBytes: 1000 });
    const file = gzipSync("x\n".repeat(501));
    const headers = { "content-encoding": "gzip" };
    expectProblem(await send(token, file, "ndjson", headers), 413);
    await expectNothingLeft(line.companyId, token);
    await importFile(token, "x\n".repeat(500));
    Object.assign(limits, { keptBytes: 1000 });
    expectProblem(await send(token, "x"), 409);
    Object.assign(limits, usual);
  });

  it("leaves nothing when it breaks off", async () => {
    const { line, token } = await createPlant();
    let parts = 0;
    const body = new ReadableStream({
      pull(controller) {
        parts++;
        // More than one part of the bucket.
        if (parts <= 100) controller.enqueue(new TextEncoder().encode(`${"x".repeat(63 * 1024)}\n`));
        else controller.error(new Error("the sender is gone"));
      },
    });
    const via = (request: Request) => serviceWith({})(new Request(request, { body, duplex: "half" } as RequestInit));
    expect((await call("POST", "/v1/imports", { token, body: "x", headers: typeOf("ndjson"), via })).status).toBe(400);
    expect(parts).toBeGreaterThan(100);
    await expectNothingLeft(line.companyId, token);
  });

  it("leaves nothing when the service died meanwhile, once the sweep comes by", async () => {
    const { line, token } = await createPlant();
    const upload = await env.ARCHIVE.createMultipartUpload("imports/0/0");
    const [row] = await db
      .insert(imports)
      .values({
        companyId: line.companyId,
        userId: 1,
        format: "csv",
        state: "receiving",
        uploadId: upload.uploadId,
        createdAt: 1,
        updatedAt: 1,
      })
      .returning();
    expect((await call("GET", `/v1/imports/${row?.id}`, { token })).body.state).toBe("receiving");
    await resumeImports(env, Date.now());
    await expectNothingLeft(line.companyId, token);
  });
});
