import { companyOf, noCompany, oneCompanyOf } from "../../../core/actor.ts";
import type { Caller, Reader } from "../../../core/caller.ts";
import { type Page, pageOf, readPage } from "../../../core/cursor.ts";
import { conflict, notFound } from "../../../core/problem.ts";
import { selectCompany } from "../../../core/queries.ts";
import { takenId } from "../../../core/sequence.ts";
import { write } from "../../../core/write.ts";
import type { ImportFormat } from "../../../db/values.ts";
import { sendQueueMessages } from "../../../events/queues.ts";
import { OBJECT_MS, STORAGE_MS, StorageBusy, within } from "../../../limits/load.ts";
import { callMachines } from "../../../objects/machines.ts";
import { minOf } from "../../../oee/extremes.ts";
import { type ImportError, type ImportItem, importOf, keyOf, MOST_ERRORS } from "./import.ts";
import {
  changeImport,
  countUnderWay,
  deleteImport,
  findUntold,
  type ImportRow,
  insertImport,
  isInState,
  selectErrorsInOrder,
  selectImport,
  selectImportsInOrder,
  selectKept,
  takeImportId,
} from "./queries.ts";
import type { ErrorsQuery, ImportsQuery } from "./query.ts";
import { type StoredFile, storeFile } from "./store-file.ts";

const GIB = 1024 ** 3;
/** More than a company has. */
const MOST_MACHINES = 5000;

/** The most bytes of a file, and of the files of a company that are kept, their number, and how many imports of it are under way. Tests lower them. */
export const limits = { fileBytes: 4 * GIB, keptBytes: 16 * GIB, keptFiles: 1000, underWay: 100 };

export interface NewImport {
  /** Undefined: the caller's own. */
  companyId?: number | undefined;
  format: ImportFormat;
}

/**
 * Stores a file of events, which is then taken line by line. If it does not arrive whole, nothing is left of it.
 * @throws Problem 409 if too many imports of the company are under way, or too many files are kept
 */
export async function createImport(
  caller: Caller,
  { companyId, format }: NewImport,
  file: AsyncIterable<Uint8Array>,
): Promise<ImportItem> {
  const { env, db, actor } = caller;
  const owner = oneCompanyOf(actor, companyId);
  const { row, maxBytes } = await begin(caller, owner, format);
  const upload = await startUpload(caller, row);
  try {
    const stored = await storeFile(upload, file, {
      maxBytes,
      isCsv: format === "csv",
      onPart: () => changeImport(db, row.id, "receiving", { updatedAt: Date.now() }),
    });
    const item = await received(caller, row, stored);
    caller.afterwards(continueImport(env, owner));
    return item;
  } catch (error) {
    await discard(env, db, { ...row, uploadId: upload.uploadId }).catch(() => undefined);
    throw error;
  }
}

/** Begins an import. */
async function begin({ db, actor }: Caller, companyId: number, format: ImportFormat) {
  const [taken, [company], [kept], [underWay]] = await db.batch([
    takeImportId(db),
    selectCompany(db, companyId),
    selectKept(db, companyId),
    countUnderWay(db, companyId),
  ]);
  if (!company) throw noCompany();
  if ((underWay?.count ?? 0) >= limits.underWay)
    throw conflict(
      `${limits.underWay} imports of this company are under way. Try again when one of them is done: GET /v1/imports.`,
    );
  const { files = 0, bytes = 0 } = kept ?? {};
  if (files >= limits.keptFiles || bytes >= limits.keptBytes) {
    throw conflict(
      `The company keeps ${files} imported files with ${bytes} bytes, and may keep ${limits.keptFiles} with ${limits.keptBytes}: each is deleted after 30 days.`,
    );
  }
  const now = Date.now();
  const own = { id: takenId(db, taken), companyId, userId: actor.userId, format, state: "receiving" as const };
  const [row] = await insertImport(db, { ...own, createdAt: now, updatedAt: now });
  if (!row) throw new Error("The import was not stored.");
  return { row, maxBytes: Math.min(limits.fileBytes, limits.keptBytes - bytes) };
}

async function startUpload({ env, db }: Caller, row: ImportRow): Promise<R2MultipartUpload> {
  try {
    const upload = await within(STORAGE_MS, "the bucket", env.ARCHIVE.createMultipartUpload(keyOf(row)));
    await changeImport(db, row.id, "receiving", { uploadId: upload.uploadId });
    return upload;
  } catch (error) {
    await deleteImport(db, row.id).catch(() => undefined);
    throw error;
  }
}

/** Records that the file has arrived. */
async function received(caller: Caller, { id, companyId }: ImportRow, { bytes, sha256, head }: StoredFile): Promise<ImportItem> {
  const { answer } = await write(
    caller,
    (db) => [selectImport(db, id, companyId)],
    ([found]) => {
      if (found?.row.state !== "receiving") throw conflict("The file took too long to arrive. Send it again.");
      const change = { state: "waiting" as const, uploadId: null, bytes, sha256, head, updatedAt: Date.now() };
      const answer = importOf({ ...found, row: { ...found.row, ...change } });
      return {
        rows: [changeImport(caller.db, id, "receiving", change)],
        audit: { action: "import.create", companyId, objectId: id, before: null, after: answer },
        answer,
      };
    },
  );
  return answer;
}

/** Deletes what there is of a file that did not arrive. */
export async function discard(env: Env, db: Caller["db"], row: Pick<ImportRow, "id" | "companyId" | "uploadId">): Promise<void> {
  const key = keyOf(row);
  // An upload that is complete cannot be aborted, and is an object.
  if (row.uploadId !== null) {
    const aborted = env.ARCHIVE.resumeMultipartUpload(key, row.uploadId).abort();
    await within(STORAGE_MS, "the bucket", aborted).catch(() => undefined);
  }
  await within(STORAGE_MS, "the bucket", env.ARCHIVE.delete(key));
  await deleteImport(db, row.id);
}

/** Has the imports of a company go on. */
export async function continueImport(env: Env, companyId: number): Promise<void> {
  await sendQueueMessages(env, [{ queue: "JOBS", body: { job: "sweep", at: Date.now(), companyIds: [companyId] } }]);
}

export function listImports({ db, actor }: Reader, query: ImportsQuery): Promise<Page<ImportItem>> {
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  return readPage(db, query, {
    select: (page) => selectImportsInOrder(db, { ...page, companyId }),
    keysOf: ({ row }) => [row.id],
    itemOf: importOf,
  });
}

export async function getImport({ db, actor }: Reader, id: number): Promise<ImportItem> {
  return importOf(await findImport({ db, actor }, id));
}

/** A page of the lines that an import refused, in their order. */
export async function listImportErrors({ db, actor }: Reader, id: number, query: ErrorsQuery): Promise<Page<ImportError>> {
  const [after] = query.cursor ?? [0];
  const [[found], errors] = await db.batch([
    selectImport(db, id, companyOf(actor)),
    selectErrorsInOrder(db, id, after, query.limit),
  ]);
  if (!found) throw noImport(id);
  const page = pageOf(
    errors,
    query.limit,
    ({ line }) => [line],
    ({ importId, ...error }) => error as ImportError,
  );
  return { ...page, ...(query.total && { total: Math.min(found.row.failed, MOST_ERRORS) }) };
}

/** Takes an import back: its events count for nothing any more. */
export async function undoImport(caller: Caller, id: number): Promise<ImportItem> {
  const { env, db, actor } = caller;
  const from = await firstEventAt(caller, id);
  const { answer, results } = await write(
    caller,
    (session) => [selectImport(session, id, companyOf(actor))],
    ([found]) => {
      if (!found) throw noImport(id);
      const { state, companyId } = found.row;
      if (state === "undoing" || state === "undone") return { answer: importOf(found) };
      if (state === "receiving") throw conflict(`The file of import ${id} has not arrived yet.`);
      const change = { state: "undoing" as const, updatedAt: Date.now() };
      return {
        expect: [isInState(id, state)],
        ...(from !== null && { past: { companyId, from, pointer: "/path/id" } }),
        rows: [changeImport(db, id, state, change)],
        audit: { action: "import.undo", companyId, objectId: id, before: { state }, after: { state: "undoing" } },
        answer: importOf({ ...found, row: { ...found.row, ...change } }),
      };
    },
  );
  if (results.length > 0) caller.afterwards(continueImport(env, answer.companyId));
  return answer;
}

/** The time of the first event of an import, from the machines that have some; null: none has. */
async function firstEventAt({ env, db, actor, objects }: Caller, id: number): Promise<number | null> {
  const { row } = await findImport({ db, actor }, id);
  const machineIds = await findUntold(db, row.id, "withdrawnAt", MOST_MACHINES);
  const answers = await callMachines(env, machineIds, OBJECT_MS, (machine) => machine.historyFrom(id), objects);
  if (answers.size < machineIds.length) throw new StorageBusy("a machine did not answer within its time");
  const times = [...answers.values()].flatMap((at) => at ?? []);
  return times.length > 0 ? minOf(times) : null;
}

async function findImport({ db, actor }: Reader, id: number) {
  const [found] = await selectImport(db, id, companyOf(actor));
  if (!found) throw noImport(id);
  return found;
}

function noImport(id: number) {
  return notFound(`There is no import ${id}.`);
}
