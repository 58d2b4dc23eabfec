import { COUNTS_EVERY_MS } from "../../src/machine/alarms.ts";
import { DAY_MS, SECOND_MS } from "../../src/oee/time.ts";
import type { Rung } from "./flushes.ts";
import { median } from "./load.ts";
import type { Server } from "./server.ts";
import type { Finding } from "./table.ts";

// The real statements of many machines' flushes, in the real database. Objects of so many machines are more than one computer can run: their
// rows are derived from those of one machine.

const MACHINES = 10_000;
const MACHINES_PER_COMPANY = 50;
/** No plant has these ids. */
const FIRST_ID = 100_000_000;
const IN_ONE_BATCH = 50;
const BATCHES_PER_CALL = 100;
const TURNS = 10;

/**
 * The flushes of a second: 5 % of the machines are in companies with constant readers, the others flush when their counts have waited
 * long enough, and each has some 70 urgent flushes a day.
 */
const LOOKED_AT = 0.05;
const FLUSHES_PER_SECOND =
  MACHINES * (LOOKED_AT / 15 + (1 - LOOKED_AT) / (COUNTS_EVERY_MS / SECOND_MS) + 70 / (DAY_MS / SECOND_MS));
const MEASURED_SECONDS = 60;

type Batch = { sql: string; params: unknown[] }[];
type Columns = Record<string, unknown>;
type Row = { kind: "record" | "part" | "roster"; key: string; body: string; createdAt: number; updatedAt: number };
type Statement = { toSQL(): Batch[number] };
type StatementsFor = (db: unknown, flushes: { machineId: number; revision: number; rows: Row[] }[], now: number) => Statement[];

/** The time for which 10,000 machines' flushes keep the database busy, and the same if many machines' rows came in one batch. */
export async function measureManyFlushes(server: Server, machineId: number): Promise<Finding[]> {
  const object = server.env.MACHINES.getByName(String(machineId));
  const send = async (batches: Batch[]): Promise<Rung> => (await object.send?.(batches)) as Rung;
  const batchOf = await flushMaker(server, machineId);
  const machines = Array.from({ length: MACHINES }, (_, n) => n);
  try {
    for (const batches of chunks(chunks(machines, IN_ONE_BATCH), 20)) await send(batches.map((those) => batchOf(those, 1)));
    // Through the whole plant, in an order in which successive machines are not adjacent there.
    const flushes = Array.from({ length: Math.round(FLUSHES_PER_SECOND * MEASURED_SECONDS) }, (_, i) => (i * 37) % MACHINES);
    let busyMs = 0;
    for (const those of chunks(flushes, BATCHES_PER_CALL)) busyMs += (await send(those.map((n) => batchOf([n], 2)))).dbMs;
    const single: Rung[] = [];
    const together: Rung[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      const those = machines.slice(turn * IN_ONE_BATCH, (turn + 1) * IN_ONE_BATCH);
      single.push(await send(those.map((n) => batchOf([n], 3))));
      together.push(await send([batchOf(those, 4)]));
    }
    const of = (rungs: Rung[], member: keyof Rung) => median(rungs.map((rung) => rung[member]));
    return [
      { name: "flushes a second of 10,000 machines, 5 % of them looked at", value: FLUSHES_PER_SECOND, unit: "" },
      {
        name: "share of the time that these keep the database busy",
        value: (100 * busyMs) / (MEASURED_SECONDS * SECOND_MS),
        unit: "%",
        limit: { atMost: 50 },
      },
      { name: "50 machines' flushes, one by one", value: of(single, "dbMs"), unit: "ms" },
      { name: "the same in one batch", value: of(together, "dbMs"), unit: "ms" },
      { name: "rows that they read one by one", value: of(single, "rowsRead"), unit: "" },
      { name: "in one batch", value: of(together, "rowsRead"), unit: "" },
      { name: "rows and entries of indices that they write one by one", value: of(single, "rowsWritten"), unit: "" },
      { name: "in one batch", value: of(together, "rowsWritten"), unit: "" },
    ];
  } finally {
    const tables = ["operator_shifts", "shift_parts", "shift_records"];
    await send([tables.map((table) => ({ sql: `DELETE FROM ${table} WHERE machine_id >= ${FIRST_ID}`, params: [] }))]);
  }
}

/** Creates the batch of flushes with newer counts, of machines by number: for each the running shift's record, part and operator. */
async function flushMaker(server: Server, machineId: number) {
  // Named in a way that the compiler does not follow: the service's code is compiled with its own runtime's globals.
  const of = async <T>(file: string) => (await import(`../../src/${file}.ts` as string)) as T;
  const { drizzle } = await import("drizzle-orm/d1");
  const { statementsFor } = await of<{ statementsFor: StatementsFor }>("machine/publish/flush-statements");
  const { recordId } = await of<{ recordId(machineId: number, seq: number): number }>("core/record-id");
  const { operatorShifts, shiftParts, shiftRecords } = await import("../../src/db/schema.ts");
  const { desc, eq } = await import("drizzle-orm");
  const db = drizzle(server.env.DB_0 as never);
  const newest = { records: desc(shiftRecords.startAt), parts: desc(shiftParts.startAt) };
  const [record] = await db
    .select()
    .from(shiftRecords)
    .where(eq(shiftRecords.machineId, machineId))
    .orderBy(newest.records)
    .limit(1);
  const [part] = await db.select().from(shiftParts).where(eq(shiftParts.machineId, machineId)).orderBy(newest.parts).limit(1);
  const [operator] = await db
    .select()
    .from(operatorShifts)
    .where(eq(operatorShifts.machineId, machineId))
    .orderBy(desc(operatorShifts.shiftStart))
    .limit(1);
  if (!record || !part || !operator) throw new Error("the machine has sent nothing");
  const now = Date.now();
  const rosterOf = ({ revision: _, ...columns }: Columns): Row => {
    return { kind: "roster", key: String(columns.shiftStart), body: JSON.stringify([columns]), createdAt: now, updatedAt: now };
  };
  const rowOf = (kind: Row["kind"], { revision: _, createdAt: __, updatedAt: ___, ...columns }: Columns): Row => {
    return { kind, key: String(columns.startAt), body: JSON.stringify(columns), createdAt: now, updatedAt: now };
  };
  return (numbers: readonly number[], revision: number): Batch => {
    const flushes = numbers.map((n) => {
      const id = FIRST_ID + n;
      const about = { machineId: id, companyId: FIRST_ID + Math.floor(n / MACHINES_PER_COMPANY) };
      const made = { totalUnits: record.totalUnits + revision, cycles: record.cycles + revision, asOf: now + revision };
      const rows = [
        rowOf("record", { ...record, ...about, ...made, id: recordId(id, 1) }),
        rowOf("part", { ...part, ...about, ...made, workOrderId: null }),
        rosterOf({ ...operator, ...about, units: operator.units + revision }),
      ];
      return { machineId: id, revision, rows };
    });
    return statementsFor(db, flushes, now).map((statement) => statement.toSQL());
  };
}

function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}
