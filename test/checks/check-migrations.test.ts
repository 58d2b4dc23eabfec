import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkCalls } from "../../scripts/checks/call-rules.ts";
import { checkMigrations } from "../../scripts/checks/migration-rules.ts";

const repository = resolve(import.meta.dirname, "../..");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "andon-migrations-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

describe("migrations after a release", () => {
  const first = {
    name: "0000_first.sql",
    sql: `CREATE TABLE lines (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, note TEXT, rank INTEGER NOT NULL DEFAULT 0);
      CREATE TABLE old (id INTEGER PRIMARY KEY);
      CREATE TABLE machines (id INTEGER PRIMARY KEY, line_id INTEGER REFERENCES lines(id), code TEXT);
      CREATE UNIQUE INDEX machines_code ON machines (code) WHERE code <> '';
      CREATE TRIGGER lines_kept BEFORE DELETE ON lines BEGIN SELECT raise(ABORT, 'no'); END;`,
  };
  const schema = `export const lines = sqliteTable(
    "lines",
    { id: integer("id").primaryKey(), name: text("name").notNull(), rank: integer("rank") },
  );
  export const machines = sqliteTable("machines", { id: integer("id"), lineId: integer("line_id"), code: text("code") });`;
  const released = { version: "0.2.0", migrations: [first], schema };
  const complaintsOf = (sql: string) => checkMigrations(released, [first, { name: "0001_next.sql", sql }]);

  it.each([
    [
      "a new table, with rules of its own",
      "CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (name <> ''))",
    ],
    ["a nullable column", "ALTER TABLE lines ADD COLUMN zone TEXT"],
    ["a column that refers to another table", "ALTER TABLE machines ADD COLUMN old_id INTEGER REFERENCES old(id)"],
    ["a column with a default", "ALTER TABLE lines ADD COLUMN size INTEGER NOT NULL DEFAULT 1"],
    ["an index that is not unique", "CREATE INDEX lines_name ON lines (name); DROP INDEX IF EXISTS none"],
    ["new rows and changed ones", "INSERT INTO lines (id, name) VALUES (1, 'A'); UPDATE lines SET note = 'x'"],
  ])("may add %s", (_, sql) => {
    expect(complaintsOf(sql)).toEqual([]);
  });

  it.each([
    ["ALTER TABLE lines DROP COLUMN note", "drops or renames lines.note"],
    ["ALTER TABLE lines RENAME COLUMN note TO remark", "drops or renames lines.note"],
    ["DROP TABLE old", "drops or renames the table old"],
    ["ALTER TABLE old RENAME TO older", "drops or renames the table old"],
    ["CREATE UNIQUE INDEX lines_unique ON lines (name)", "makes lines unique by (name)"],
    ["DROP INDEX machines_code", "drops what made machines unique by (code) where code <> ''"],
    ["CREATE TRIGGER t AFTER INSERT ON lines BEGIN SELECT 1; END", "adds the trigger t to lines"],
    ["DROP TRIGGER lines_kept", "drops or changes the trigger lines_kept of lines"],
    [
      "CREATE TABLE n (id INTEGER PRIMARY KEY NOT NULL CHECK (id > 0)) WITHOUT ROWID; DROP TABLE old; ALTER TABLE n RENAME TO old",
      "adds a check to old: id > 0",
    ],
    [
      "DROP TABLE machines; CREATE TABLE machines (id INTEGER PRIMARY KEY, line_id TEXT, code TEXT REFERENCES old(id))",
      "changes the definition of machines.line_id",
    ],
  ])("may not: %s", (sql, what) => {
    const complaints = complaintsOf(sql);
    expect(complaints.join("\n")).toContain(`0001_next.sql ${what}`);
  });

  it("may not add a column that must have a value", () => {
    const rebuilt = `CREATE TABLE n (id INTEGER PRIMARY KEY, zone TEXT NOT NULL); DROP TABLE old; ALTER TABLE n RENAME TO old`;
    expect(complaintsOf(rebuilt)).toEqual([
      expect.stringContaining("adds old.zone, which is neither nullable nor has a default"),
    ]);
  });

  it("may drop what the released version does not name, if they say since when", () => {
    const line = "-- contract: unused since 0.2.0\n";
    expect(complaintsOf(`${line}ALTER TABLE lines DROP COLUMN note; DROP TABLE old`)).toEqual([]);
    expect(complaintsOf(`${line}ALTER TABLE lines DROP COLUMN rank`)).toEqual([
      "0001_next.sql drops or renames lines.rank, which the released version 0.2.0 still names.",
    ]);
    expect(complaintsOf(`${line}DROP TABLE machines`)).toEqual([
      "0001_next.sql drops or renames the table machines, which the released version 0.2.0 still names.",
    ]);
    expect(complaintsOf(`-- contract: unused since 0.10.0\nDROP TABLE old`)).toEqual([
      "0001_next.sql says `unused since 0.10.0`, but the released version is 0.2.0.",
    ]);
    expect(complaintsOf(`-- contract: unused since then\nDROP TABLE old`)).toHaveLength(1);
    expect(complaintsOf(`-- contract: unused since v0.1.9\nCREATE UNIQUE INDEX lines_unique ON lines (note)`)).toEqual([]);
  });

  it("may not edit a released one, and may change the tables that they made", () => {
    expect(checkMigrations(released, [{ ...first, sql: `${first.sql} ` }])).toEqual([expect.stringContaining("0000_first.sql")]);
    expect(checkMigrations(released, [])).toHaveLength(1);
    const [made, dropped] = [
      { name: "0001_made.sql", sql: "CREATE TABLE tags (id INTEGER PRIMARY KEY)" },
      { name: "0002_dropped.sql", sql: "DROP TABLE tags" },
    ];
    expect(checkMigrations(released, [first, made, dropped])).toEqual([]);
  });
});

describe("calls between the released version and this one", { timeout: 120_000 }, () => {
  const [file, name] = ["src/objects/watchdog.ts", "HealthObject"];
  const source = readFileSync(join(repository, file), "utf8");
  const against = (changed: (text: string) => string) => {
    const text = changed(source);
    expect(text).not.toBe(source);
    write(file, text);
    return checkCalls(repository, folder, [{ file, name }]);
  };

  it("are the same, or have more optional members and methods now", () => {
    write(file, source);
    expect(checkCalls(repository, folder, [{ file, name }])).toEqual([]);
    // In the released version the present result lacks nothing, and a method of now was not there.
    expect(against((text) => text.replace("  health(): Promise<Health>;\n", ""))).toEqual([]);
    expect(
      against((text) => text.replace("rows: number): Promise<void>", "rows: number, more?: string): Promise<void>")),
    ).toEqual([]);
  });

  it("are refused where a method or result of the released version changed", () => {
    const about = `${file}, ${name}`;
    expect(against((text) => text.replace("  health(): ", "  check(): Promise<Health>;\n  health(): "))).toEqual([
      `${about}: check is not there any more, and the released version uses it.`,
    ]);
    expect(against((text) => text.replace("  parkedRows: number;\n", "  parkedRows: number;\n  lateRows: number;\n"))).toEqual([
      `${about}: health does not fit what the released version sends or expects.`,
    ]);
    expect(against((text) => text.replace("noteDegraded(machineId: number,", "noteDegraded(machineId: string,"))).toEqual([
      `${about}: noteDegraded does not fit what the released version sends or expects.`,
      `${about}: noteDegraded sends or expects what the released version does not.`,
    ]);
    expect(against((text) => text.replaceAll("rows: number", "rows: string"))).toEqual([
      `${about}: noteParked | noteUnreadable does not fit what the released version sends or expects.`,
      `${about}: noteParked | noteUnreadable sends or expects what the released version does not.`,
    ]);
    expect(against((text) => text.replace("isDegraded: boolean", "isDegraded: true"))).toEqual([
      `${about}: noteDegraded sends or expects what the released version does not.`,
    ]);
  });
});

describe("the whole check", { timeout: 120_000 }, () => {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
  const check = () =>
    new Promise<{ code: unknown; errors: string }>((done) => {
      const script = join(repository, "scripts/checks/check-migrations.ts");
      execFile(process.execPath, [script, folder], (error, _out, errors) => done({ code: error?.code ?? 0, errors }));
    });

  it("compares with the commit in .ci/released, and has nothing to compare before the first release", async () => {
    const copied = ["src/objects/watchdog.ts", "src/tsconfig.json", "tsconfig.json"];
    for (const path of copied) write(path, readFileSync(join(repository, path), "utf8"));
    for (const [path, name] of [
      ["machine-protocol", "MachineObject"],
      ["hubs", "HubObject"],
    ]) {
      write(`src/objects/${path}.ts`, `export interface ${name} { ask(): Promise<number> }\n`);
    }
    write("src/events/queues.ts", "export interface QueueMessages { EVENTS: { companyId: number } }\n");
    write("src/machine/storage/steps.ts", "export const migrations: { id: string; sql: string }[] = [];\n");
    write("src/machine/storage/migrations.lock", "");
    write("src/db/schema/lines.ts", 'export const lines = sqliteTable("lines", { name: text("name") });\n');
    write("drizzle/0000_first.sql", "CREATE TABLE lines (id INTEGER PRIMARY KEY, name TEXT);");
    write("package.json", '{ "type": "module", "version": "0.2.0" }');
    symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
    git("init", "--quiet", "--initial-branch=main");
    git("add", "src", "drizzle", "package.json");
    git("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", "commit", "--quiet", "-m", "First");
    expect(await check()).toEqual({ code: 0, errors: "" });

    write(".ci/released", `${git("rev-parse", "HEAD")}\n`);
    expect(await check()).toEqual({ code: 0, errors: "" });

    write("drizzle/0001_next.sql", "ALTER TABLE lines DROP COLUMN name;");
    write("src/objects/hubs.ts", "export interface HubObject { ask(): Promise<string> }\n");
    write("src/events/queues.ts", "export interface QueueMessages { EVENTS: { companyId: number; at: number } }\n");
    const { code, errors } = await check();
    expect(code).toBe(1);
    expect(errors.trim().split("\n")).toEqual([
      expect.stringContaining("drizzle/0001_next.sql drops or renames lines.name"),
      expect.stringContaining("src/objects/hubs.ts, HubObject: ask does not fit"),
      expect.stringContaining("src/objects/hubs.ts, HubObject: ask sends or expects"),
      expect.stringContaining("src/events/queues.ts, QueueMessages: EVENTS sends or expects"),
    ]);

    write(".ci/released", `${"0".repeat(40)}\n`);
    expect((await check()).errors).toContain("This clone lacks the released commit: git fetch");
  });
});
