import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { buildBoard } from "./build-board.ts";
import { apiDocument } from "./openapi/document.ts";

// Collects the static files that wrangler serves beside the Worker (`[assets]` in wrangler.toml), including those that the Worker itself
// reads from them: the OpenAPI document and the board's pages.

const root = resolve(import.meta.dirname, "..");
const target = join(root, "dist/assets");
const page = ["docs.css", "docs.js"].map((name) => join("src/docs", name));
const swagger = ["swagger-ui.css", "swagger-ui-bundle.js"].map((name) => join("node_modules/swagger-ui-dist", name));

for (const name of ["docs.html", "_headers"]) put(name, readFileSync(join(root, "src/docs", name)));
for (const path of [...page, ...swagger]) put(join("docs", basename(path)), readFileSync(join(root, path)));
put("openapi.json", Buffer.from(JSON.stringify(await apiDocument())));
const board = await buildBoard();
// The pages last: they name the others.
const files = [...board.files].sort(([a], [b]) => Number(a.startsWith("pages/")) - Number(b.startsWith("pages/")));
for (const [path, content] of files) put(path, content);
for (const folder of ["board", "notify", "pages", "terminal"]) removeOthers(folder, new Set(board.files.keys()));

/** Writes changed files, each atomically: a running server reads these files, and restarts for each one written. */
function put(name: string, content: Buffer): void {
  const path = join(target, name);
  if (existsSync(path) && readFileSync(path).equals(content)) return;
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = join(root, `dist/unfinished-${process.pid}`);
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
}

/** Removes files of earlier builds from a folder. */
function removeOthers(folder: string, kept: ReadonlySet<string>): void {
  for (const name of readdirSync(join(target, folder))) {
    if (!kept.has(`${folder}/${name}`)) rmSync(join(target, folder, name), { force: true });
  }
}
