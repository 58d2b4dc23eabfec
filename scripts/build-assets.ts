import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { apiDocument } from "./openapi/document.ts";

// Puts the static files together that wrangler serves beside the Worker (`[assets]` in wrangler.toml), and makes the OpenAPI
// document, which the Worker gives as it finds it among them.

const root = resolve(import.meta.dirname, "..");
const target = join(root, "dist/assets");
const page = ["docs.css", "docs.js"].map((name) => join("src/docs", name));
const swagger = ["swagger-ui.css", "swagger-ui-bundle.js"].map((name) => join("node_modules/swagger-ui-dist", name));

mkdirSync(join(target, "docs"), { recursive: true });
for (const name of ["docs.html", "_headers"]) put(name, readFileSync(join(root, "src/docs", name)));
for (const path of [...page, ...swagger]) put(join("docs", basename(path)), readFileSync(join(root, path)));
put("openapi.json", Buffer.from(JSON.stringify(await apiDocument())));

/** Writes what has changed, each file at once: a server that runs reads these files, and starts anew with each that is written. */
function put(name: string, content: Buffer): void {
  const path = join(target, name);
  if (existsSync(path) && readFileSync(path).equals(content)) return;
  const unfinished = join(root, `dist/unfinished-${process.pid}`);
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
}
