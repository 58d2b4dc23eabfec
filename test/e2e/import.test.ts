import { readFileSync, rmSync } from "node:fs";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createGzip } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { runJob } from "../../scripts/crons.ts";
import { executeSqlFile } from "../../scripts/service.ts";
import { login } from "./api.ts";
import { migratedFolder, startBuilt, stopBuilt } from "./built-service.ts";
import { freePort, newPlant } from "./plant.ts";

// A long file of history: `npm run imports` (a million lines), and a shorter one in `npm run verify`. It is imported beside machines that are live
// already, imported again, and undone.

const lines = Number(process.env.IMPORT_LINES ?? "20000");
const machineCount = 10;
const badCount = 5;
const STEP_MS = 10_000;
const DAY_MS = 86_400_000;
const MOST_MINUTES = 10;

const stateFolder = migratedFolder();
afterAll(async () => {
  await stopBuilt();
  rmSync(stateFolder, { recursive: true, force: true });
});

const iso = (at: number) => new Date(at).toISOString();
const seconds = (since: number) => Math.round((Date.now() - since) / 100) / 10;

/** The memory of a process, in MB. */
function memoryOf(pid: number): number {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

test(
  `${lines} lines with ${badCount} bad ones are imported, imported again, and undone`,
  async () => {
    const plant = await newPlant(stateFolder, 60);
    await executeSqlFile(stateFolder, plant.sqlFile);
    const service = await startBuilt({ stateFolder, port: await freePort() });
    const token = await login(service.url, plant);
    const { companyId } = plant;
    const send = async (method: string, path: string, body?: unknown) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const answer = await fetch(service.url + path, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return JSON.parse(text);
    };

    const ofOne = Math.ceil(lines / machineCount);
    const start = Math.floor((Date.now() - 4 * DAY_MS) / DAY_MS) * DAY_MS - ofOne * STEP_MS;
    const machines: { id: number; nodeId: number }[] = [];
    for (let i = 0; i < machineCount; i++) {
      const nodeId = 2_000_000 + i;
      const machine = { name: `M${i}`, ref: `M${i}`, nodeId, signal: "counts", standardCycleSeconds: 5 };
      const { id } = await send("POST", "/v1/machines", { companyId, ...machine, commissionedAt: iso(start - DAY_MS) });
      await send("PUT", `/v1/machines/${id}/count-sensor`, {
        isCountEnabled: true,
        configs: [{ type: "total", countingFactor: 1, channel: 1, nodeId }],
      });
      machines.push({ id, nodeId });
    }
    const live = machines.map(({ nodeId }) => ({ type: "count", at: iso(Date.now() - 60_000), nodeId, channel: 1, value: 1 }));
    expect((await send("POST", "/v1/ingest", { companyId, events: live })).accepted).toBe(machineCount);

    const bad = new Set(Array.from({ length: badCount }, (_, i) => Math.floor(((i + 0.5) * lines) / badCount)));
    function* file() {
      let text = "";
      for (let i = 0; i < lines; i++) {
        const { nodeId } = machines[i % machineCount] as { nodeId: number };
        const at = iso(start + Math.floor(i / machineCount) * STEP_MS);
        const count = { id: `h-${i}`, type: "count", at, nodeId: bad.has(i) ? 1 : nodeId, channel: 1, value: 2 };
        text += `${JSON.stringify(count)}\n`;
        if (text.length < 1_000_000) continue;
        yield text;
        text = "";
      }
      yield text;
    }

    /** The units of each shift of each machine of the file that is over. */
    const numbers = async () => {
      const found: unknown[] = [];
      const machineIds = machines.map(({ id }) => id).join(",");
      for (let cursor: string | null = ""; cursor !== null; ) {
        const to = iso(Math.floor(Date.now() / DAY_MS) * DAY_MS);
        const page: { data: Record<string, unknown>[]; cursor: string | null } = await send(
          "GET",
          `/v1/shift-records?companyId=${companyId}&machineIds=${machineIds}&to=${to}&limit=500${cursor && `&cursor=${cursor}`}`,
        );
        for (const { id, createdAt, updatedAt, revisionCount, ...row } of page.data) found.push(row);
        cursor = page.cursor;
      }
      return found.map((row) => JSON.stringify(row)).sort();
    };
    const unitsIn = (rows: readonly string[]) => rows.reduce((sum, row) => sum + JSON.parse(row).productionMetrics.total, 0);
    const settled = async (isSettled: (rows: string[]) => boolean) => {
      for (const deadline = Date.now() + MOST_MINUTES * 60_000; ; await sleep(2000)) {
        const rows = await numbers();
        if (isSettled(rows)) return rows;
        if (Date.now() > deadline) throw new Error(`the numbers do not settle: ${unitsIn(rows)} units`);
      }
    };

    // The cron: it resumes an import when a run failed, because a busy machine did not answer in time.
    const ticking = setInterval(() => void runJob(service.runtimeUrl, "* * * * *").catch(() => undefined), 20_000);
    ticking.unref();
    const memory: number[] = [];
    /** Waits for a state, and notes the service's memory meanwhile. */
    const reached = async (id: number, state: string) => {
      for (;;) {
        const item = await send("GET", `/v1/imports/${id}`);
        memory.push(memoryOf(service.pid));
        process.stderr.write(`${item.state} ${item.progress} ${memory.at(-1)} MB\n`);
        if (item.state === state) return item;
        if (item.state === "failed") throw new Error(item.reason);
        await sleep(1000);
      }
    };
    const importFile = async () => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson", "content-encoding": "gzip" };
      const body = Readable.toWeb(Readable.from(file()).pipe(createGzip({ level: 1 }))) as ReadableStream;
      const startedAt = Date.now();
      const answer = await fetch(`${service.url}/v1/imports?companyId=${companyId}`, {
        method: "POST",
        headers,
        body,
        duplex: "half",
      } as never);
      const { id } = (await answer.json()) as { id: number };
      expect(answer.status).toBe(201);
      const uploaded = seconds(startedAt);
      return { ...(await reached(id, "done")), uploaded, taken: seconds(startedAt), startedAt };
    };

    const before = await settled((rows) => rows.length >= machineCount);
    const idle = memoryOf(service.pid);
    const first = await importFile();
    expect(first).toMatchObject({ accepted: lines - badCount, duplicates: 0, failed: badCount });
    const errors = (await send("GET", `/v1/imports/${first.id}/errors`)).data;
    expect(errors.map(({ line, code }: { line: number; code: string }) => [line, code])).toEqual(
      [...bad].map((i) => [i + 1, "unknown_channel"]),
    );
    await settled((rows) => unitsIn(rows) === 2 * (lines - badCount));
    const shown = seconds(first.startedAt);
    const [peak, early] = [Math.max(...memory), Math.max(...memory.slice(0, Math.ceil(memory.length / 4)))];

    const second = await importFile();
    expect(second).toMatchObject({ accepted: 0, duplicates: lines - badCount, failed: badCount });

    const undoneAt = Date.now();
    await send("POST", `/v1/imports/${first.id}/undo`);
    await reached(first.id, "undone");
    const after = await settled((rows) => unitsIn(rows) === unitsIn(before));
    const back = seconds(undoneAt);
    expect(after).toEqual(before);
    clearInterval(ticking);
    // biome-ignore lint/suspicious/noConsole: the figures are for docs/performance.md.
    console.log(
      `imports: ${lines} lines (${Math.round(first.bytes / 1e6)} MB) for ${machineCount} machines: stored after ${first.uploaded} s, taken after ${first.taken} s, in all shifts after ${shown} s;`,
      `again ${second.taken} s; undone ${back} s; memory ${idle} MB before, ${early} MB in the first quarter, ${peak} MB at most`,
    );
    expect(first.taken).toBeLessThan(MOST_MINUTES * 60);
  },
  6 * MOST_MINUTES * 60_000,
);
