import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, resolve } from "node:path";

// Checks which modules of src/ import which (docs/architecture.md has the table), and that no files or folders import each other in a circle. What
// scripts/ and test/ import is read, too. Type imports count. Operations leave bindings and the database to their domains.
// `node scripts/checks/check-layers.ts [root]`: another folder than the repository is for tests.

const root = resolve(process.argv[2] ?? join(import.meta.dirname, "../.."));

/**
 * Layer -> the layers that it may import. All but the board may import `oee`, `limits` and `values` (src/db/values.ts,
 * the values of columns).
 * An `operation` is a file of src/api that exports a contract, or adds pages that are not part of the board; the other files there are the
 * rules and queries of a `domain`.
 */
const arrows: Record<string, readonly string[]> = {
  index: ["router", "jobs", "machine", "live"],
  router: ["operation", "resource", "domain", "http"],
  operation: ["resource", "domain", "http", "core", "objects", "client"],
  resource: ["resource", "http", "core", "db", "objects"],
  domain: ["domain", "resource", "core", "directory", "db", "objects", "events", "channels"],
  events: ["events", "core", "db"],
  channels: ["channels", "core", "db", "events"],
  http: ["http", "core", "db", "objects", "client", "board/views-table"],
  core: ["core", "directory", "db"],
  jobs: ["jobs", "domain", "core", "directory", "db", "objects", "events", "channels"],
  machine: ["machine", "objects", "core", "db", "events"],
  live: ["live", "client", "domain", "core", "directory", "db", "objects"],
  objects: ["objects", "core", "db", "events"],
  directory: ["directory", "directory-tables", "db"],
  db: ["db"],
  // The tables of the directory: its statements are in src/directory/ alone, so they are never sent to the companies' database.
  "directory-tables": ["directory-tables", "db"],
  values: [],
  limits: ["limits"],
  oee: ["oee"],
  client: ["client"],
  docs: ["docs"],
  // The board runs in browsers: it only knows the service's API types and the types of messages of GET /v1/live.
  // Its table of views is also read by the service's router.
  "board/views-table": [],
  "board/start": ["board/app", "board/ui"],
  "board/app": ["board/app", "board/views-table", "board/domain"],
  "board/domain": ["board/domain", "client"],
  "board/texts": ["board/texts", "board/app", "board/domain"],
  "board/data": ["board/data", "board/app", "board/domain", "client"],
  "board/ui": ["board/ui", "board/data", "board/texts", "board/app", "board/domain"],
  "board/charts": ["board/charts", "board/ui", "board/data", "board/texts", "board/app", "board/domain"],
  "board/form": ["board/form", "board/ui", "board/data", "board/texts", "board/app", "board/domain"],
  "board/views": [
    "board/views",
    "board/charts",
    "board/form",
    "board/ui",
    "board/data",
    "board/texts",
    "board/app",
    "board/domain",
    "board/views-table",
  ],
};

/** Programs outside of the service import these files, whose only package is zod. So must those be that they import. */
const shared = ["src/api/ingest/event.ts"];

/** What the bridge may import of src/, beside those files. */
const ofBridge = ["oee", "client"];

const files = ["src", "bridge", "scripts", "test"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".d.ts") && !name.includes("node_modules/"))
    .map((name) => join(folder, name)),
);
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const ofSource = files.filter((file) => file.startsWith("src/"));

const complaints = [
  ...files.flatMap((file) =>
    (imports.get(file) ?? []).flatMap((target) => (mayImport(file, target) ? [] : wrongArrow(file, target))),
  ),
  ...ofSource.flatMap((file) =>
    usesContext(file) ? [`${file} belongs to a domain, and rules of domains do not see Hono's Context`] : [],
  ),
  ...ofSource.flatMap((file) =>
    layerOf(file) === "operation"
      ? (imports.get(file) ?? []).flatMap((target) =>
          isSql(target)
            ? [`${file} is an operation and must not import ${target}: call a function of the domain that takes a caller`]
            : [],
        )
      : [],
  ),
  ...ofSource.flatMap((file) =>
    layerOf(file) === "operation"
      ? bindingsIn(file).map(
          (used) => `${file} is an operation and must not use ${used}: call a function of the domain that takes a caller`,
        )
      : [],
  ),
  ...shared.flatMap((file) =>
    reachedFrom(file).flatMap((reached) =>
      packagesOf(reached)
        .filter((name) => name !== "zod")
        .map((name) => `${reached} must not import ${name}: programs outside of the service import it by ${file}`),
    ),
  ),
  ...circles(imports).map((circle) => `A circle of imports: ${circle.join(" -> ")}`),
  ...[roomOf, domainOf].flatMap((folderOf) =>
    circles(importsOfFolders(folderOf)).map((circle) => `A circle of folders: ${circle.join(" -> ")}`),
  ),
];
for (const complaint of complaints) console.error(complaint);
if (complaints.length === 0) console.log(`Imports of ${files.length} files are in order.`);
process.exitCode = complaints.length > 0 ? 1 : 0;

function importsOf(file: string): string[] {
  const found = (texts.get(file) ?? "").matchAll(/^(?:import|export)\b[^;]*?\bfrom "(\.[^"]+)";/gm);
  return [...found].map(([, path = ""]) => normalize(join(dirname(file), path)));
}

/** The packages that a file imports, types included. */
function packagesOf(file: string): string[] {
  const found = (texts.get(file) ?? "").matchAll(/^(?:import|export)\b[^;]*?\bfrom "([^."][^"]*)";/gm);
  return [...found].map(([, name = ""]) => name);
}

/** A file and all that it imports, directly or through others. */
function reachedFrom(file: string): string[] {
  const reached = new Set([file]);
  for (const one of reached) for (const target of imports.get(one) ?? []) reached.add(target);
  return [...reached];
}

/** src/machine/alarms.ts -> src/machine; null: not in a folder of src. */
function roomOf(file: string): string | null {
  return /^src\/[^/]+(?=\/)/.exec(file)?.[0] ?? null;
}

/** src/api/stops/queries.ts -> src/api/stops; null: not of a domain. */
function domainOf(file: string): string | null {
  return /^src\/api\/[^/]+(?=\/)/.exec(file)?.[0] ?? null;
}

/** Which folders import which others. */
function importsOfFolders(folderOf: (file: string) => string | null): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const [file, targets] of imports) {
    const from = folderOf(file);
    if (from === null) continue;
    for (const target of targets) {
      const to = folderOf(target);
      if (to !== null && to !== from && layerOf(target) !== "values") found.set(from, (found.get(from) ?? new Set()).add(to));
    }
  }
  return new Map([...found].map(([from, to]) => [from, [...to]]));
}

function layerOf(file: string): string {
  if (file === "src/db/values.ts") return "values";
  if (file === "src/db/schema/directory.ts") return "directory-tables";
  if (file === "src/board/app/views.ts") return "board/views-table";
  if (file === "src/board/app/main.tsx") return "board/start";
  const [, first = "", second = ""] = file.split("/");
  if (first === "board") return `board/${second}`;
  if (first === "api")
    return /^export (?:const contract|function addPages)\b/m.test(texts.get(file) ?? "") ? "operation" : "domain";
  return first.replace(/\.ts$/, "");
}

function mayImport(file: string, target: string): boolean {
  const [folder] = file.split("/");
  const [ofTarget] = target.split("/");
  // Tests import anything; scripts use the service's code, and neither is in it.
  if (folder === "test") return true;
  if (folder === "scripts") return ofTarget !== "test";
  // The program beside the machines: it knows the events of the service, its counter rule and its typed client, and nothing else of it.
  if (folder === "bridge") return ofTarget === "bridge" || ofBridge.includes(layerOf(target)) || shared.includes(target);
  if (ofTarget !== "src") return false;
  const [from, to] = [layerOf(file), layerOf(target)];
  const isEveryones = ["values", "oee", "limits"].includes(to) && !from.startsWith("board/");
  return isEveryones || (arrows[from] ?? []).includes(to);
}

function wrongArrow(file: string, target: string): string {
  return `${file} (${layerOf(file)}) must not import ${target} (${layerOf(target)})`;
}

/** Whether a file holds SQL, or opens the database for it. */
function isSql(file: string): boolean {
  return /(?:^|\/)queries\.ts$/.test(file) || layerOf(file) === "db";
}

/** How an operation's code reaches bindings or the database by itself. */
function bindingsIn(file: string): string[] {
  return (texts.get(file) ?? "").match(/\bc\.(?:env|executionCtx)\b|(?<![.\w])db\(c\)/g) ?? [];
}

function usesContext(file: string): boolean {
  return ["domain", "core", "jobs"].includes(layerOf(file)) && /from "hono"/.test(texts.get(file) ?? "");
}

/** A shortest circle for each node that reaches itself and is in none of the others. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  for (const node of graph.keys()) {
    if (found.some((circle) => circle.includes(node))) continue;
    const circle = circleOf(graph, node);
    if (circle) found.push(circle);
  }
  return found;
}

function circleOf(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | null {
  const paths = [[start]];
  const seen = new Set<string>();
  for (const path of paths) {
    for (const next of graph.get(path.at(-1) ?? "") ?? []) {
      if (next === start) return [...path, start];
      if (!seen.has(next)) paths.push([...path, next]);
      seen.add(next);
    }
  }
  return null;
}
