import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "andon-layers-"));
  for (const name of ["src", "bridge", "scripts", "test"]) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, ...lines: string[]): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), lines.join("\n"));
}

/** The complaints about the files that were written. */
async function check(): Promise<string[]> {
  const script = resolve(import.meta.dirname, "../../scripts/checks/check-layers.ts");
  const { code, complaints } = await new Promise<{ code: unknown; complaints: string }>((done) => {
    execFile(process.execPath, [script, folder], (error, _out, complaints) => done({ code: error?.code ?? 0, complaints }));
  });
  const lines = complaints.split("\n").filter(Boolean);
  expect(code).toBe(lines.length > 0 ? 1 : 0);
  return lines;
}

const contract = "export const contract = {};";

it("accepts an operation that calls a function of its domain", async () => {
  write("src/api/stops/stops.ts", "export const getStop = () => null;");
  write("src/http/session.ts", "export const callerOf = () => null;");
  write(
    "src/api/stops/get-stop.ts",
    'import { callerOf } from "../../http/session.ts";',
    'import { getStop } from "./stops.ts";',
    contract,
    "export const handler = (c) => c.json(getStop(callerOf(c), c.req.valid('param').id));",
  );
  expect(await check()).toEqual([]);
});

it("refuses an operation that uses a binding, work after the answer, the database or SQL itself", async () => {
  const handler = "export const handler = async (c) => ";
  write("src/api/stops/env.ts", contract, `${handler}await c.env.BUCKET.get('x');`);
  write("src/api/stops/later.ts", contract, `${handler}c.executionCtx.waitUntil(work);`);
  write("src/api/stops/session.ts", contract, `${handler}await getStop(db(c), 1);`);
  write("src/api/stops/queries.ts", "export const selectStop = () => null;");
  write("src/api/stops/sql.ts", 'import { selectStop } from "./queries.ts";', contract, `${handler}selectStop();`);
  expect(await check()).toEqual([
    expect.stringMatching(/sql\.ts is an operation and must not import .*queries\.ts/),
    expect.stringMatching(/env\.ts is an operation and must not use c\.env:/),
    expect.stringMatching(/later\.ts is an operation and must not use c\.executionCtx:/),
    expect.stringMatching(/session\.ts is an operation and must not use db\(c\):/),
  ]);
});

it("refuses an import against the layers, a circle of files, and a domain that sees a request", async () => {
  write("src/core/a.ts", 'import { b } from "./b.ts";');
  write("src/core/b.ts", 'import { a } from "./a.ts";');
  write("src/db/up.ts", 'import { a } from "../core/a.ts";');
  write("src/api/stops/stops.ts", 'import type { Context } from "hono";');
  expect(await check()).toEqual([
    expect.stringContaining("up.ts (db) must not import src/core/a.ts (core)"),
    expect.stringContaining("stops.ts belongs to a domain"),
    "A circle of imports: src/core/a.ts -> src/core/b.ts -> src/core/a.ts",
  ]);
});

it("refuses a table of the directory anywhere but in its statements", async () => {
  write("src/db/schema/directory.ts", "export const grants = {};");
  write(
    "src/directory/grants.ts",
    'import { grants } from "../db/schema/directory.ts";',
    "export const findGrants = () => grants;",
  );
  write("src/core/good.ts", 'import { findGrants } from "../directory/grants.ts";', "export const good = findGrants;");
  write("src/core/bad.ts", 'import { grants } from "../db/schema/directory.ts";', "export const bad = grants;");
  expect(await check()).toEqual([expect.stringMatching(/src\/core\/bad\.ts \(core\) must not import/)]);
});

it("refuses a package other than zod in a file that programs outside of the service import, and in what that imports", async () => {
  write("src/api/ingest/event.ts", 'import { z } from "zod";', 'import { lineText } from "../../core/lines.ts";');
  write("src/core/lines.ts", 'import { z } from "@hono/zod-openapi";');
  write("src/core/other.ts", 'import { z } from "@hono/zod-openapi";');
  expect(await check()).toEqual([
    "src/core/lines.ts must not import @hono/zod-openapi: programs outside of the service import it by src/api/ingest/event.ts",
  ]);
});
