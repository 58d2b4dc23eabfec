import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { checkCalls } from "./call-rules.ts";
import { checkMigrations, type Migration, type Release } from "./migration-rules.ts";
import { extract, fileAt, filesAt, releasedCommit } from "./released.ts";
import { checkLock, checkSteps } from "./steps-lock.ts";

// Checks that a deployment can be rolled back. The steps of objects' storage are those of their lock. Once there is a release (`.ci/released`), the
// database's migrations after it only add, released steps and migrations are unchanged, and objects and queues understand the released version.
// `node scripts/checks/check-migrations.ts [root]`: another folder than the repository is for tests.

const own = resolve(import.meta.dirname, "../..");
const root = resolve(process.argv[2] ?? own);
/** The folders of the steps of each kind of object. */
const objects = ["src/machine/storage", "src/live"];
const schemaFolder = "src/db/schema";
/** The folders of the migrations of each database. */
const databases = ["drizzle", "drizzle/directory"];

const locks = objects.map((folder) => join(folder, "migrations.lock")).filter((file) => existsSync(join(root, file)));
const ofSteps = await Promise.all(locks.map(checkStepsOf));
const complaints = [...ofSteps.flat(), ...checkRelease()];
for (const complaint of complaints) console.error(complaint);
if (complaints.length === 0) console.log("Migrations are in order.");
process.exitCode = complaints.length > 0 ? 1 : 0;

async function checkStepsOf(lockFile: string): Promise<string[]> {
  const { migrations } = await import(join(root, dirname(lockFile), "steps.ts"));
  return checkSteps(migrations, readFileSync(join(root, lockFile), "utf8")).map((one) => `${lockFile}: ${one}`);
}

function checkRelease(): string[] {
  const commit = releasedCommit(root);
  if (commit === null) return [];
  // A release writes its version beside the id of the commit that was checked.
  const version: string = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
  const schema = filesAt(root, commit, schemaFolder).map((path) => fileAt(root, commit, path));
  return [
    ...locks.flatMap((lockFile) => {
      // Hubs had no steps before December 2026.
      if (!filesAt(root, commit, dirname(lockFile)).includes(lockFile)) return [];
      const lock = readFileSync(join(root, lockFile), "utf8");
      return checkLock(lock, fileAt(root, commit, lockFile)).map((one) => `${lockFile}: ${one}`);
    }),
    ...databases.flatMap((folder) => checkDatabase(folder, commit, { version, schema: schema.join("\n") })),
    ...checkCallsSince(commit),
  ];
}

/** @param folder of the migrations of a database */
function checkDatabase(folder: string, commit: string, about: Omit<Release, "migrations">): string[] {
  const isOwn = (path: string) => dirname(path) === folder && path.endsWith(".sql");
  const then = filesAt(root, commit, folder).filter(isOwn);
  const now = existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((name) => join(folder, name)) : [];
  const migrations = then.map((path): Migration => ({ name: basename(path), sql: fileAt(root, commit, path) }));
  const present = now
    .filter(isOwn)
    .sort()
    .map((path): Migration => ({ name: basename(path), sql: readFileSync(join(root, path), "utf8") }));
  return checkMigrations({ ...about, migrations }, present).map((one) => `${folder}/${one}`);
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
