import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, resolve } from "node:path";

// Checks which modules of src/ import which, and that no imports are circular (docs/architecture.md has a diagram). Type imports count too.

const root = resolve(import.meta.dirname, "../..");

/**
 * Layer -> the layers that it may import. All but the board may import `oee`, `limits` and `values` (the values of columns).
 * An `operation` is a file of src/api that exports a contract, or adds pages that are not part of the board; the other files there are the
 * rules and queries of a `domain`.
 */
const arrows: Record<string, readonly string[]> = {
  index: ["router", "jobs", "machine", "live"],
  router: ["operation", "resource", "domain", "http"],
  operation: ["resource", "domain", "http", "core", "objects", "client"],
  resource: ["resource", "domain", "http", "core", "db", "objects"],
  domain: ["domain", "resource", "core", "db", "machine", "objects", "events", "channels"],
  events: ["events", "core", "db"],
  channels: ["channels", "core", "db", "events"],
  http: ["http", "core", "db", "objects", "client"],
  core: ["core", "db"],
  jobs: ["jobs", "domain", "core", "db", "objects", "events", "channels"],
  machine: ["machine", "objects", "core", "db", "events"],
  live: ["live", "client", "domain", "core", "db", "machine", "objects"],
  objects: ["objects", "core", "db", "machine"],
  db: ["db"],
  values: [],
  limits: ["limits"],
  oee: ["oee"],
  client: ["client"],
  docs: ["docs"],
  // Runs in browsers: it only knows the service's API types and the types of messages of GET /v1/live.
  board: ["board", "client"],
};

const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".d.ts"))
  .map((name) => join("src", name));
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

const complaints = [
  ...files.flatMap((file) =>
    (imports.get(file) ?? []).flatMap((target) => (mayImport(file, target) ? [] : wrongArrow(file, target))),
  ),
  ...files.flatMap((file) =>
    usesContext(file) ? [`${file} belongs to a domain, and rules of domains do not see Hono's Context`] : [],
  ),
  ...circles().map((circle) => `A circle of imports: ${circle.join(" -> ")}`),
];
for (const complaint of complaints) console.error(complaint);
if (complaints.length === 0) console.log(`Imports of ${files.length} files are in order.`);
process.exitCode = complaints.length > 0 ? 1 : 0;

function importsOf(file: string): string[] {
  const found = (texts.get(file) ?? "").matchAll(/^(?:import|export)\b[^;]*?\bfrom "(\.[^"]+)";/gm);
  return [...found].map(([, path = ""]) => normalize(join(dirname(file), path)));
}

function layerOf(file: string): string {
  if (file === "src/db/values.ts") return "values";
  const [, first = ""] = file.split("/");
  if (first === "api")
    return /^export (?:const contract|function addPages)\b/m.test(texts.get(file) ?? "") ? "operation" : "domain";
  return first.replace(/\.ts$/, "");
}

function mayImport(file: string, target: string): boolean {
  const [from, to] = [layerOf(file), layerOf(target)];
  const isEveryones = ["values", "oee", "limits"].includes(to) && from !== "board";
  return isEveryones || (arrows[from] ?? []).includes(to);
}

function wrongArrow(file: string, target: string): string {
  return `${file} (${layerOf(file)}) must not import ${target} (${layerOf(target)})`;
}

function usesContext(file: string): boolean {
  return ["domain", "core", "jobs"].includes(layerOf(file)) && /from "hono"/.test(texts.get(file) ?? "");
}

/** A shortest cycle for each file that reaches itself and is in none of the others. */
function circles(): string[][] {
  const found: string[][] = [];
  for (const file of files) {
    if (found.some((circle) => circle.includes(file))) continue;
    const circle = circleOf(file);
    if (circle) found.push(circle);
  }
  return found;
}

function circleOf(start: string): string[] | null {
  const paths = [[start]];
  const seen = new Set<string>();
  for (const path of paths) {
    for (const next of imports.get(path.at(-1) ?? "") ?? []) {
      if (next === start) return [...path, start];
      if (!seen.has(next)) paths.push([...path, next]);
      seen.add(next);
    }
  }
  return null;
}
