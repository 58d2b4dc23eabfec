import { COUNTS_EVERY_MS, FLUSH_EVERY_MS } from "../../src/machine/alarms.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../src/oee/time.ts";
import { type BenchCompany, Gateway } from "./bench-company.ts";
import type { Feeder } from "./ingest.ts";
import { median, send } from "./load.ts";
import type { Server } from "./server.ts";
import type { Finding } from "./table.ts";

const COUNT_EVERY_MS = 10 * SECOND_MS;
const MIB = 1024 * 1024;
const FLUSHES = 200;

/** An alarm's calls to D1, and the size of the object after it. It is not logged: while it calls an object this process reads no log. */
export interface Rung {
  dbCalls: number;
  rowsRead: number;
  rowsWritten: number;
  /** The time for which the database was busy with it. */
  dbMs: number;
  objectBytes: number;
}

/** Wraps the built Worker: makes a machine's object flush its rows or send batches, and returns the resulting calls to D1. */
export const countingWrapper = `
import worker, { MachineState as Machine } from "./index.js";

export default worker;

export class MachineState extends Machine {
  #asked;

  constructor(ctx, env) {
    const asked = { batches: 0, prepared: 0, inBatches: 0, ms: 0, metas: [] };
    const withSession = (start) => {
      const session = env.DB_0.withSession(start);
      return {
        prepare: (query) => {
          asked.prepared += 1;
          return session.prepare(query);
        },
        batch: async (statements) => {
          asked.batches += 1;
          asked.inBatches += statements.length;
          const startedAt = Date.now();
          const results = await session.batch(statements);
          asked.ms += Date.now() - startedAt;
          asked.metas.push(...results.map(({ meta }) => meta));
          return results;
        },
        getBookmark: () => session.getBookmark(),
      };
    };
    super(ctx, { ...env, DB_0: { withSession } });
    this.#asked = asked;
  }

  ring() {
    return this.#count(async () => {
      await super.alarm();
      await super.publish(0);
    });
  }

  send(batches) {
    return this.#count(async () => {
      for (const batch of batches) {
        const session = this.env.DB_0.withSession("first-unconstrained");
        await session.batch(batch.map(({ sql, params }) => session.prepare(sql).bind(...params)));
      }
    });
  }

  async #count(work) {
    const asked = this.#asked;
    Object.assign(asked, { batches: 0, prepared: 0, inBatches: 0, ms: 0, metas: [] });
    await work();
    const sum = (member) => asked.metas.reduce((total, meta) => total + (meta[member] ?? 0), 0);
    return {
      dbCalls: asked.batches + asked.prepared - asked.inBatches,
      rowsRead: sum("rows_read"),
      rowsWritten: sum("rows_written"),
      dbMs: asked.ms,
      objectBytes: this.ctx.storage.sql.databaseSize,
    };
  }
}
`;

/** The cost in D1 of a machine's flush, with and without changes, and the number of machines that one database supports; the server has the wrapper. */
export async function measureFlushes(server: Server, feeder: Feeder, { crowd }: BenchCompany): Promise<Finding[]> {
  const [crew] = crowd;
  const [machineId] = crew?.machineIds ?? [];
  if (!crew || machineId === undefined) throw new Error("no machine");
  const gateway = new Gateway({ ...crew, machineIds: [machineId] }, 10, Date.now() - 20_000);
  await send(feeder.andon(gateway.next()));
  await ring(server, machineId);
  const rungs: Rung[] = [];
  for (let n = 0; n < FLUSHES; n++) {
    await send(feeder.andon(gateway.next()));
    rungs.push(await ring(server, machineId));
  }
  const without = await ring(server, machineId);
  const of = (member: keyof Rung) => median(rungs.map((rung) => rung[member]));
  const dbMs = rungs.reduce((sum, rung) => sum + rung.dbMs, 0) / rungs.length;
  return [
    { name: "calls of D1 by a flush after ten counts", value: of("dbCalls"), unit: "", limit: { atMost: 1 } },
    { name: "calls of D1 by a flush after nothing", value: without.dbCalls, unit: "", limit: { atMost: 0 } },
    { name: "rows that such a flush reads in D1", value: of("rowsRead"), unit: "" },
    { name: "rows and entries of indices that it writes there", value: of("rowsWritten"), unit: "" },
    { name: "D1 is at it for", value: dbMs, unit: "ms" },
    ...[FLUSH_EVERY_MS, COUNTS_EVERY_MS].map((everyMs) => ({
      name: `machines that flush every ${everyMs / SECOND_MS} s and keep one database busy`,
      value: everyMs / dbMs,
      unit: "",
    })),
  ];
}

/** The size of a machine's object after days of 10-second counts, whose events are kept for a little over two days. */
export async function measureObject(server: Server, feeder: Feeder, { steady }: BenchCompany): Promise<Finding[]> {
  const [machineId] = steady.machineIds;
  const now = Date.now();
  const bytes: number[] = [];
  for (const day of [2, 1]) {
    const gateway = new Gateway(steady, HOUR_MS / COUNT_EVERY_MS, now - day * DAY_MS, COUNT_EVERY_MS);
    for (let hour = 0; hour < 24; hour++) await send(feeder.andon(gateway.next()));
    bytes.push((await ring(server, machineId)).objectBytes);
  }
  const [oneDay = Number.NaN, twoDays = Number.NaN] = bytes;
  return [{ name: "an object's growth in a day of 10-second counts", value: (twoDays - oneDay) / MIB, unit: "MiB" }];
}

async function ring(server: Server, machineId: number): Promise<Rung> {
  return (await server.env.MACHINES.getByName(String(machineId)).ring?.()) as Rung;
}
