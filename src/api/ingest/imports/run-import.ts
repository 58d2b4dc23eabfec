import { type CompanyDb, companyDb } from "../../../db/client.ts";
import { budgetOf } from "../../../limits/budget.ts";
import { eachOf, OBJECTS_AT_ONCE, STORAGE_MS, within } from "../../../limits/load.ts";
import { callMachine } from "../../../objects/machines.ts";
import { bounds, readPiece } from "./file-lines.ts";
import { keyOf } from "./import.ts";
import { continueImport } from "./imports.ts";
import { changeImport, findNext, findUntold, type ImportRow, noteTold } from "./queries.ts";
import { takePiece } from "./take-piece.ts";

/** How much a run does: a message has the next one begin. */
const STEPS_PER_RUN = 8;
const RUN_MS = 10_000;
const MACHINES_PER_STEP = 100;

/**
 * Goes on with the imports of a company, one after the other: a bounded part of them. Any step may be repeated, and two runs at once do no harm.
 * @throws if a machine, the bucket or the database failed; a later run continues
 */
export async function runImport(env: Env, companyId: number): Promise<void> {
  const startedAt = Date.now();
  const db = companyDb(env, "first-primary");
  for (let step = 0; step < STEPS_PER_RUN && !budgetOf(env)?.isUsed && Date.now() < startedAt + RUN_MS; step++) {
    const row = await findNext(db, companyId);
    if (!row) return;
    if (row.state === "waiting") await changeImport(db, row.id, "waiting", { state: "running", updatedAt: Date.now() });
    else if (row.state === "undoing") await tellMachines(env, db, row, "withdrawnAt");
    else if (!(await takeNext(env, db, row))) return;
  }
  await continueImport(env, companyId);
}

/** Takes the next piece of the file, or ends the import after the last one. Returns false if another run does that. */
async function takeNext(env: Env, db: CompanyDb, row: ImportRow): Promise<boolean> {
  if (row.offset < row.bytes && row.reason === null) {
    const range = { offset: row.offset, length: Math.min(bounds.pieceBytes, row.bytes - row.offset) };
    const object = await within(STORAGE_MS, "the bucket", env.ARCHIVE.get(keyOf(row), { range }));
    if (object) {
      const bytes = new Uint8Array(await within(STORAGE_MS, "the bucket", object.arrayBuffer()));
      const piece = readPiece(bytes, row, { ...row, isEnd: row.offset + bytes.length >= row.bytes });
      if (piece) return await takePiece(env, db, row, piece);
      await fail(db, row, `Line ${row.line} has more than ${bounds.pieceBytes} bytes: this is not such a file.`);
    } else await fail(db, row, "The file is not there any more.");
  } else await tellMachines(env, db, row, "endedAt");
  return true;
}

/** Tells some machines that the import has ended, or was taken back. Once all know, it is done. */
async function tellMachines(env: Env, db: CompanyDb, row: ImportRow, what: "endedAt" | "withdrawnAt"): Promise<void> {
  const machineIds = await findUntold(db, row.id, what, MACHINES_PER_STEP);
  await eachOf(machineIds, OBJECTS_AT_ONCE, (machineId) =>
    callMachine(env, machineId, (machine) => (what === "endedAt" ? machine.endHistory(row.id) : machine.withdrawHistory(row.id))),
  );
  const now = Date.now();
  if (machineIds.length > 0) {
    await db.batch([noteTold(db, row.id, what, machineIds, now), changeImport(db, row.id, row.state, { updatedAt: now })]);
    return;
  }
  const last = row.reason === null ? ("done" as const) : ("failed" as const);
  const ended = what === "endedAt" ? { state: last, finishedAt: now } : { state: "undone" as const, undoneAt: now };
  await changeImport(db, row.id, row.state, { ...ended, updatedAt: now });
}

/** Ends an import early. Its machines are still to be told. */
async function fail(db: CompanyDb, row: ImportRow, reason: string): Promise<void> {
  await changeImport(db, row.id, "running", { reason, updatedAt: Date.now() });
}
