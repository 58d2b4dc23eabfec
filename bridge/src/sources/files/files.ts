import { createHash } from "node:crypto";
import { access, constants, lstat, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { storeAtLast } from "../polling.ts";
import { messageOf } from "../reach.ts";
import type { CheckStep, Discovered, Reading, Source, SourceContext } from "../source.ts";
import { pause } from "../wait.ts";
import type { FilesConfig } from "./config.ts";
import { delimiterOf, rowsOf } from "./csv.ts";
import { readingsIn, ShortRow } from "./readings.ts";

const mostBytes = 50_000_000;
const rowsAtOnce = 500;
/** Of so many files it is known that they were read. */
const mostRead = 500;
/** A file whose last row is short may be written slowly: it is faulty after so many times `settle`. */
const patience = 10;

/** A file in work, as far as it is stored; and the digests of what was read. */
interface Cursor {
  name: string;
  digest: string;
  readings: number;
  read: string[];
}

/** A file as it was seen, and since when it has been so. */
interface Seen {
  size: number;
  mtimeMs: number;
  since: number;
}

export function filesSource(config: FilesConfig): Source {
  return {
    run: (context) => runFiles(config, context),
    check: () => checkFiles(config),
    discover: () => discoverFiles(config),
  };
}

async function runFiles(config: FilesConfig, context: SourceContext): Promise<void> {
  const seen = new Map<string, Seen>();
  const known = context.cursor as Cursor | null;
  const cursor = known ?? { name: "", digest: "", readings: 0, read: [] };
  while (!context.abort.aborted) {
    try {
      for (const name of await completeFiles(config, context, seen)) {
        if (context.abort.aborted) return;
        await takeFile(config, context, cursor, name, seen);
      }
      context.report({ state: "ok", error: null });
    } catch (error) {
      context.report({ state: "failed", error: `folder ${config.folder}: ${messageOf(error)}` });
    }
    await pause(config.every, context.abort);
  }
}

/** The files that have not grown for a while, oldest first. */
async function completeFiles(config: FilesConfig, context: SourceContext, seen: Map<string, Seen>): Promise<string[]> {
  const files = await filesIn(config);
  for (const name of seen.keys()) if (!files.some((file) => file.name === name)) seen.delete(name);
  const now = context.now();
  const complete = files.filter(({ name, size, mtimeMs }) => {
    const before = seen.get(name);
    const isSame = before?.size === size && before.mtimeMs === mtimeMs;
    if (!isSame) seen.set(name, { size, mtimeMs, since: now });
    return isSame && now - before.since >= config.settle;
  });
  return complete.map(({ name }) => name);
}

async function filesIn({ folder, suffix }: FilesConfig): Promise<{ name: string; size: number; mtimeMs: number }[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(suffix) && !name.startsWith("."));
  const files = [];
  // The rest comes when these have been moved away.
  for (const name of names.toSorted().slice(0, 1000)) {
    // A file may be gone since.
    const stats = await lstat(join(folder, name)).catch(() => null);
    if (stats?.isFile()) files.push({ name, size: stats.size, mtimeMs: stats.mtimeMs });
  }
  return files.toSorted((a, b) => a.mtimeMs - b.mtimeMs || a.name.localeCompare(b.name));
}

async function takeFile(
  config: FilesConfig,
  context: SourceContext,
  cursor: Cursor,
  name: string,
  seen: Map<string, Seen>,
): Promise<void> {
  const path = join(config.folder, name);
  try {
    const { bytes, mtimeMs } = await contentOf(path);
    const digest = digestOf(config, bytes, mtimeMs);
    if (cursor.read.includes(digest)) context.log(`${name} was read before: it is not read again`);
    else await storeFile(config, context, cursor, { name, digest, readings: readingsOf(config, bytes, mtimeMs) });
    if (!context.abort.aborted) await moveTo(config, "done", name);
  } catch (error) {
    if (!(error instanceof FaultyFile)) throw error;
    const since = seen.get(name)?.since ?? context.now();
    if (error.isShort && context.now() - since < patience * config.settle) return;
    context.log(`${name} is faulty: ${error.message}`);
    const moved = await moveTo(config, "faulty", name);
    await writeFile(`${moved}.txt`, `${error.message}\n`);
  }
}

/** A file of which nothing was taken, because some of it is not as the configuration says. */
class FaultyFile extends Error {
  /** Its last row is short: it may not be complete. */
  readonly isShort: boolean;

  constructor(message: string, isShort: boolean) {
    super(message);
    this.isShort = isShort;
  }
}

async function contentOf(path: string): Promise<{ bytes: Buffer; mtimeMs: number }> {
  const { size, mtimeMs } = await lstat(path);
  if (size > mostBytes) throw new FaultyFile(`the file is larger than ${mostBytes / 1e6} MB`, false);
  return { bytes: await readFile(path), mtimeMs };
}

/** By what a file is known that comes again. Rows without times are of the time of the file. */
function digestOf({ time }: FilesConfig, bytes: Buffer, mtimeMs: number): string {
  return createHash("sha256")
    .update(bytes)
    .update(time === undefined ? String(mtimeMs) : "")
    .digest("base64url")
    .slice(0, 16);
}

/** All readings of a file, or why it has none: a file is taken as a whole. */
function readingsOf(config: FilesConfig, bytes: Buffer, mtimeMs: number): Reading[] {
  try {
    const rows = tableOf(config, bytes);
    return readingsIn(config, rows, Math.round(mtimeMs));
  } catch (error) {
    throw new FaultyFile(messageOf(error), error instanceof ShortRow);
  }
}

function tableOf({ encoding, delimiter }: FilesConfig, bytes: Buffer): ReturnType<typeof rowsOf> {
  const text = textOf(bytes, encoding);
  return rowsOf(text, delimiter ?? delimiterOf(text));
}

function textOf(bytes: Buffer, encoding: FilesConfig["encoding"]): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`the file is not written in ${encoding}: set encoding`);
  }
}

/** Stores the readings of a file in parts, and after each how far it is: after a restart it goes on there. */
async function storeFile(
  config: FilesConfig,
  context: SourceContext,
  cursor: Cursor,
  { name, digest, readings }: { name: string; digest: string; readings: Reading[] },
): Promise<void> {
  if (cursor.digest !== digest) Object.assign(cursor, { name, digest, readings: 0 });
  while (cursor.readings < readings.length && !context.abort.aborted) {
    const part = readings.slice(cursor.readings, cursor.readings + rowsAtOnce);
    const next = { ...cursor, readings: cursor.readings + part.length };
    if (await storeAtLast(context, part, next)) cursor.readings = next.readings;
  }
  if (context.abort.aborted) return;
  const read = [...cursor.read, digest].slice(-mostRead);
  if (await storeAtLast(context, [], { name: "", digest: "", readings: 0, read })) {
    Object.assign(cursor, { name: "", digest: "", readings: 0, read });
  }
  context.log(`${name}: ${readings.length} values of ${config.signal.length} signals`);
}

/** Moves a file into a folder beside it, under a name that is free. */
async function moveTo({ folder, suffix }: FilesConfig, to: "done" | "faulty", name: string): Promise<string> {
  await mkdir(join(folder, to), { recursive: true });
  const stem = name.slice(0, -suffix.length);
  for (let number = 1; ; number += 1) {
    const target = join(folder, to, number === 1 ? name : `${stem}-${number}${suffix}`);
    if ((await lstat(target).catch(() => null)) !== null) continue;
    await rename(join(folder, name), target);
    return target;
  }
}

async function* checkFiles(config: FilesConfig): AsyncIterable<CheckStep> {
  const { folder, suffix } = config;
  try {
    await access(folder, constants.R_OK | constants.W_OK);
    yield { step: "folder", ok: true, detail: `${folder} can be read, and files in it can be moved` };
  } catch (error) {
    yield { step: "folder", ok: false, detail: messageOf(error) };
    return;
  }
  const [first] = await filesIn(config);
  if (first === undefined) {
    yield { step: "first value", ok: false, detail: `no file whose name ends with ${suffix} is there: put one into it` };
    return;
  }
  try {
    const { bytes, mtimeMs } = await contentOf(join(folder, first.name));
    const [reading] = readingsOf(config, bytes, mtimeMs);
    const column = reading && config.signal[reading.signal]?.column;
    const detail = reading
      ? `${column} is ${reading.value} at ${new Date(reading.at ?? 0).toISOString()} in ${first.name}`
      : `${first.name} has no row for any signal`;
    yield { step: "first value", ok: reading !== undefined, detail };
  } catch (error) {
    yield { step: "first value", ok: false, detail: `${first.name}: ${messageOf(error)}` };
  }
}

async function* discoverFiles(config: FilesConfig): AsyncIterable<Discovered> {
  const newest = (await filesIn(config)).at(-1);
  if (newest === undefined) return;
  const { bytes } = await contentOf(join(config.folder, newest.name));
  const [head, first] = tableOf(config, bytes);
  for (const [index, column] of head?.fields.entries() ?? []) {
    yield { address: `column = "${column}"`, example: first?.fields[index] ?? "" };
  }
}
