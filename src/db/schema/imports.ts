import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { importFormats, importStates } from "../values.ts";
import { json } from "./columns.ts";

/**
 * The imports of events. The files are in the bucket ARCHIVE. They are taken one after the other, and `waiting` until then.
 */
export const imports = sqliteTable(
  "imports",
  {
    /** The number by which machines know it. */
    id: integer("id").primaryKey(),
    companyId: integer("company_id").notNull(),
    userId: integer("user_id").notNull(),
    format: text("format", { enum: importFormats }).notNull(),
    state: text("state", { enum: importStates }).notNull(),
    /** The upload to the bucket that is not complete. */
    uploadId: text("upload_id"),
    /** Of the file's bytes, hexadecimal; null while it is received. */
    sha256: text("sha256"),
    bytes: integer("bytes").notNull().default(0),
    /** The separator and the columns of a CSV file. */
    head: json<{ separator: "," | ";"; columns: string[] }>("head"),
    /** Where the next line begins, and its number: what is before it is done. */
    offset: integer("offset").notNull().default(0),
    line: integer("line").notNull().default(1),
    accepted: integer("accepted").notNull().default(0),
    duplicates: integer("duplicates").notNull().default(0),
    /** Of the accepted ones. */
    held: integer("held").notNull().default(0),
    failed: integer("failed").notNull().default(0),
    /** Why it failed as a whole. */
    reason: text("reason"),
    createdAt: integer("created_at").notNull(),
    /** When it last went on. */
    updatedAt: integer("updated_at").notNull(),
    finishedAt: integer("finished_at"),
    undoneAt: integer("undone_at"),
    fileDeletedAt: integer("file_deleted_at"),
  },
  (t) => [
    index("imports_under_way").on(t.companyId, t.id).where(sql`state in ('receiving', 'waiting', 'running', 'undoing')`),
    index("imports_company").on(t.companyId, t.id),
    index("imports_files").on(t.createdAt).where(sql`file_deleted_at is null`),
  ],
);

/** The machines that may have events of an import. The table has no rowid. */
export const importMachines = sqliteTable(
  "import_machines",
  {
    importId: integer("import_id").notNull(),
    machineId: integer("machine_id").notNull(),
    /** When the machine was told that there are no more of its events, and that they were withdrawn. */
    endedAt: integer("ended_at"),
    withdrawnAt: integer("withdrawn_at"),
  },
  (t) => [primaryKey({ columns: [t.importId, t.machineId] })],
);

/** The first lines of an import that were refused. The table has no rowid. */
export const importErrors = sqliteTable(
  "import_errors",
  {
    importId: integer("import_id").notNull(),
    line: integer("line").notNull(),
    offset: integer("offset").notNull(),
    /** Null: the line as a whole. */
    member: text("member"),
    code: text("code").notNull(),
    message: text("message").notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.line] })],
);
