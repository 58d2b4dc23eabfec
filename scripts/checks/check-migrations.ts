import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { checkCalls } from "./call-rules.ts";
import { checkMigrations, type Migration } from "./migration-rules.ts";
import { extract, fileAt, filesAt, releasedCommit } from "./released.ts";
import { checkLock, checkSteps } from "./steps-lock.ts";

// Checks that a deployment can be rolled back. The steps of objects' storage are those of their lock. Once there is a release (`.ci/released`), the
// database's migrations after it only add, released steps and migrations are unchanged, and objects and queues understand the released version.
// `node scripts/checks/check-migrations.ts [root]`: another folder than the repository is for tests.

const own = resolve(import.meta.dirname, "../..");
const root = resolve(process.argv[2] ?? own);
const lockFile = "src/machine/storage/migrations.lock";
const schemaFolder = "src/db/schema";

const lock = readFileSync(join(root, lockFile), "utf8");
const { migrations: steps } = await import(join(root, "src/machine/storage/steps.ts"));
const complaints = [...checkSteps(steps, lock).map((one) => `${lockFile}: ${one}`), ...checkRelease()];
for (const complaint of complaints) console.error(complaint);
if (complaints.length === 0) console.log("Migrations are in order.");
process.exitCode = complaints.length > 0 ? 1 : 0;

function checkRelease(): string[] {
  const commit = releasedCommit(root);
  if (commit === null) return [];
  const migrationsThen = filesAt(root, commit, "drizzle").filter(isMigration);
  const readAt = (path: string): Migration => ({ name: basename(path), sql: fileAt(root, commit, path) });
  const schema = filesAt(root, commit, schemaFolder).map((path) => fileAt(root, commit, path));
  const release = {
    version: JSON.parse(fileAt(root, commit, "package.json")).version,
    migrations: migrationsThen.map(readAt),
    schema: schema.join("\n"),
  };
  const present = readdirSync(join(root, "drizzle")).filter(isMigration).sort();
  const migrations = present.map((name): Migration => ({ name, sql: readFileSync(join(root, "drizzle", name), "utf8") }));
  return [
    ...checkLock(lock, fileAt(root, commit, lockFile)).map((one) => `${lockFile}: ${one}`),
    ...checkMigrations(release, migrations).map((one) => `drizzle/${one}`),
    ...checkCallsSince(commit),
  ];
}

function checkCallsSince(commit: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), "andon-released-"));
  try {
    extract(root, commit, "src", folder);
    return checkCalls(root, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isMigration(path: string): boolean {
  return /^(drizzle\/)?\d{4}_\w+\.sql$/.test(path);
}
