import { createHash } from "node:crypto";
import {
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { backup as copyDatabase, DatabaseSync } from "node:sqlite";
import { pipeline } from "node:stream/promises";
import { occupantOf, thisVersion } from "../state-folder.ts";
import { republishSql } from "./republish.ts";

/** The file in a backup that lists its other files. */
const MANIFEST = "manifest.json";
/** Of the state folder's own files, those that belong to a running service, not to the data. */
const NOT_DATA = /^(running\.json|requests\.log|requests\.log\.1|.*\.sql|.*\.new|running\.json\..*)$/;
/** Counters and caches of the runtime, which start empty. */
const NOT_KEPT = ["cache", "ratelimit"];

interface Manifest {
  format: 1;
  /** When the backup began, ISO 8601. */
  at: string;
  /** The version that made the backup, which need not be the one that wrote the data. Older backups lack it. */
  version?: string;
  files: { path: string; bytes: number; sha256: string }[];
}

/**
 * Copies the data of a state folder, whose service may be running, to a new folder: the database, every object's database, pictures and
 * secrets. Each database is consistent in itself. They are not of one instant: the objects are copied after the database, so what
 * they know and it lacks is sent again after a restore.
 * @throws if the folder exists, or there is nothing to copy
 */
export async function backUp(stateFolder: string, target: string): Promise<Manifest> {
  if (!existsSync(join(stateFolder, "v3/d1"))) throw new Error(`${stateFolder} has no data.`);
  if (existsSync(target)) throw new Error(`${target} exists already: name a new folder.`);
  const draft = `${target}.unfinished`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const at = new Date().toISOString();
  for (const path of pathsOf(stateFolder)) await copyInto(draft, stateFolder, path);
  // Pictures that came while the list of them was copied.
  for (const path of blobsOf(stateFolder)) await copyInto(draft, stateFolder, path);
  const files = [];
  for (const path of filesIn(draft))
    files.push({ path, bytes: statSync(join(draft, path)).size, sha256: await sha256(join(draft, path)) });
  const manifest: Manifest = { format: 1, at, version: thisVersion(), files };
  writeFileSync(join(draft, MANIFEST), JSON.stringify(manifest, null, 1), { mode: 0o600 });
  renameSync(draft, target);
  return manifest;
}

/**
 * Puts the data of a backup into a state folder. All machines then publish again what the database lacks, when the service runs.
 * @param replaces whether existing data may be replaced: it is kept beside the new data, in a folder that the result names
 * @throws if a file of the backup is missing or changed, if a service is running, or if there is data; nothing has changed then
 */
export async function restore(
  backup: string,
  stateFolder: string,
  replaces: boolean,
): Promise<{ at: string; kept: string | null }> {
  const manifest = await verified(backup);
  const occupant = occupantOf(stateFolder);
  if (occupant) throw new Error(`${occupant.command} (process ${occupant.pid}) uses ${stateFolder}: stop it first.`);
  const data = join(stateFolder, "v3");
  if (existsSync(data) && !replaces)
    throw new Error(`${stateFolder} has data: --replace restores nevertheless, and keeps that data beside.`);
  if (existsSync(data)) requireUnused(data);
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  const draft = join(stateFolder, "restoring");
  rmSync(draft, { recursive: true, force: true });
  for (const { path } of manifest.files) {
    mkdirSync(dirname(join(draft, path)), { recursive: true, mode: 0o700 });
    copyFileSync(join(backup, path), join(draft, path));
  }
  const database = new DatabaseSync(databaseIn(join(draft, "v3")));
  database.exec(republishSql);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  const kept = existsSync(data) ? join(stateFolder, `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`) : null;
  if (kept) moveData(stateFolder, kept);
  for (const name of readdirSync(draft)) renameSync(join(draft, name), join(stateFolder, name));
  rmSync(draft, { recursive: true });
  return { at: manifest.at, kept };
}

/** The manifest of a backup, whose files are all there and unchanged. */
async function verified(backup: string): Promise<Manifest> {
  const path = join(backup, MANIFEST);
  if (!existsSync(path)) throw new Error(`${backup} is no finished backup: it has no ${MANIFEST}.`);
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Manifest;
  if (manifest.format !== 1) throw new Error(`${backup} has format ${manifest.format}, which this version does not know.`);
  for (const file of manifest.files) {
    const copy = join(backup, file.path);
    if (!existsSync(copy)) throw new Error(`${file.path} is missing in the backup.`);
    if ((await sha256(copy)) !== file.sha256)
      throw new Error(`${file.path} of the backup is damaged: its SHA-256 is not that of the manifest.`);
  }
  return manifest;
}

/** The files to copy, relative to the state folder: secrets, pictures, the database, and then the objects. */
function pathsOf(stateFolder: string): string[] {
  const own = readdirSync(stateFolder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !NOT_DATA.test(entry.name))
    .map(({ name }) => name);
  const kinds = readdirSync(join(stateFolder, "v3")).filter((kind) => kind !== "do" && kind !== "d1" && !NOT_KEPT.includes(kind));
  const present = ["d1", "do", ...kinds].filter((kind) => existsSync(join(stateFolder, "v3", kind)));
  const stored = present.flatMap((kind) => filesIn(join(stateFolder, "v3", kind)).map((path) => join("v3", kind, path)));
  return [...own, ...blobsOf(stateFolder), ...stored.filter((path) => path.endsWith(".sqlite"))];
}

/** The contents of pictures: files that are written once. */
function blobsOf(stateFolder: string): string[] {
  const folder = join(stateFolder, "v3/r2");
  return existsSync(folder)
    ? filesIn(folder)
        .filter((path) => !/\.sqlite(-wal|-shm)?$/.test(path))
        .map((path) => join("v3/r2", path))
    : [];
}

async function copyInto(target: string, stateFolder: string, path: string): Promise<void> {
  const copy = join(target, path);
  if (existsSync(copy)) return;
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  if (!path.endsWith(".sqlite")) {
    // A picture may be deleted at any time.
    if (existsSync(join(stateFolder, path))) copyFileSync(join(stateFolder, path), copy);
    return;
  }
  const source = new DatabaseSync(join(stateFolder, path), { readOnly: true, timeout: 10_000 });
  try {
    // All pages in one step: SQLite would begin again with every change in between.
    await copyDatabase(source, copy, { rate: 2 ** 30 });
  } finally {
    source.close();
  }
}

/** Moves the data of a state folder, and its files that are data, to another folder. */
function moveData(stateFolder: string, target: string): void {
  mkdirSync(target, { mode: 0o700 });
  const names = readdirSync(stateFolder, { withFileTypes: true })
    .filter((entry) => entry.name === "v3" || (entry.isFile() && !NOT_DATA.test(entry.name)))
    .map(({ name }) => name);
  for (const name of names) renameSync(join(stateFolder, name), join(target, name));
}

/** Throws if another process has the database open, such as a service of an older version or `wrangler dev`, which do not say so. */
function requireUnused(data: string): void {
  const database = new DatabaseSync(databaseIn(data), { timeout: 0 });
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT");
  } catch {
    throw new Error("Another process uses the data: stop the service first.");
  } finally {
    database.close();
  }
}

/** The relational database's file in a folder of data. */
function databaseIn(data: string): string {
  const folder = join(data, "d1/miniflare-D1DatabaseObject");
  const [file, ...others] = readdirSync(folder).filter((name) => name.endsWith(".sqlite") && !name.startsWith("metadata"));
  if (file === undefined || others.length > 0) throw new Error(`${folder} does not hold one database.`);
  return join(folder, file);
}

/** The files in a folder and its folders, relative to it, sorted. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort();
}

async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
