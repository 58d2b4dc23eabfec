import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { localRuntime, runWrangler } from "../service.ts";

// Checks that the Worker, built as it is deployed, is small to upload and quick to start.

const bounds = { uploadKiB: 1024, startUpMs: 200 };
/** The minimum number of isolates to start, and the maximum while the bound is not met. */
const starts = { least: 9, most: 25 };
/** The time of `referenceScript` (ms of CPU) on the computer on which the bound was set, when idle. */
const referenceMs = 20;

const folder = mkdtempSync(join(tmpdir(), "andon-upload-"));
try {
  await runWrangler(["deploy", "--dry-run", "--minify", "--outdir", folder], folder);
  const script = readFileSync(join(folder, "index.js"));
  const others = readdirSync(folder).filter((name) => !["index.js", "index.js.map", "README.md", "registry"].includes(name));
  if (others.length > 0) throw new Error(`The upload has parts that are not counted: ${others.join(", ")}`);
  expectAtMost("The upload", gzipSync(script).length / 1024, bounds.uploadKiB, "KiB gzipped");
  if (process.platform === "linux") {
    expectAtMost("Starting the Worker", await startUpMs(script.toString()), bounds.startUpMs, "ms of CPU");
  } else {
    console.log("How long the Worker takes to start is measured on Linux alone.");
  }
} finally {
  rmSync(folder, { recursive: true });
}

function expectAtMost(what: string, figure: number, bound: number, unit: string): void {
  const said = `${what}: ${figure.toFixed(1)} ${unit}, of ${bound} at most.`;
  if (figure <= bound) console.log(said);
  else {
    console.error(`Too much. ${said}`);
    process.exitCode = 1;
  }
}

/**
 * The CPU time (ms) that workerd takes to read, compile and run the top level of the script in a new isolate: the minimum of
 * several starts. A busy computer takes up to twice the time for the same work, so each start is followed by that of a script with a known
 * time, and the median ratio of the two counts if it results in less.
 */
async function startUpMs(script: string): Promise<number> {
  const { Miniflare, convertV4MiniflareOptions } = localRuntime();
  const entry = `export default {
    async fetch({ url }) {
      if (url.endsWith("/index")) await import("./index.js");
      if (url.endsWith("/reference")) await import("./reference.js");
      return new Response(null, { status: 204 });
    },
  };`;
  const files = Object.entries({ "/entry.js": entry, "/index.js": script, "/reference.js": referenceScript() });
  const modules = files.map(([path, contents]) => ({ type: "ESModule" as const, path, contents }));
  const toml = readFileSync(resolve(import.meta.dirname, "../../wrangler.toml"), "utf8");
  const compatibilityDate = /^compatibility_date\s*=\s*"([^"]*)"/m.exec(toml)?.[1] ?? "";
  const workers = Array.from({ length: starts.most }, (_, i) => {
    return { name: `start-${i}`, routes: [`start-${i}.test/*`], compatibilityDate, modulesRoot: "/", modules };
  });
  const server = new Miniflare(convertV4MiniflareOptions({ cf: false, workers }));
  try {
    await server.ready;
    const workerd = childCalled("workerd");
    const cpuMsOf = async (url: string) => {
      const before = cpuMs(workerd);
      const { status } = await server.dispatchFetch(url);
      if (status !== 204) throw new Error(`${url} does not start: ${status}`);
      return cpuMs(workerd) - before;
    };
    const measured: { start: number; reference: number }[] = [];
    const figure = () => {
      const ratios = measured.map(({ start, reference }) => start / reference).sort((a, b) => a - b);
      const usual = ratios[Math.floor(ratios.length / 2)] ?? Number.NaN;
      return Math.min(usual * referenceMs, ...measured.map(({ start }) => start));
    };
    for (const [i, { name }] of workers.entries()) {
      if (i >= starts.least && figure() <= bounds.startUpMs) break;
      // The first request creates the isolate: each of the others adds a script.
      await cpuMsOf(`http://${name}.test/`);
      const start = await cpuMsOf(`http://${name}.test/index`);
      measured.push({ start, reference: await cpuMsOf(`http://${name}.test/reference`) });
    }
    if (!(figure() > 0)) throw new Error("The kernel does not tell how much CPU time workerd takes.");
    return figure();
  } finally {
    await server.dispose();
  }
}

/**
 * A script whose top level does what the Worker's does, so that other work on the computer slows both alike: V8 reads functions that nothing
 * calls yet, and creates thousands of objects with methods and getters, as zod does for each schema.
 */
function referenceScript(): string {
  const parts = Array.from({ length: 4000 }, (_, i) => {
    const idle = `function idle${i}(rows) { return rows.filter((row) => row.id !== ${i}).map((row) => ({ ...row, name: "part ${i}" })); }`;
    return `${idle}\nkept.push(new Schema({ name: "part ${i}", list: [${i}, "${i}"], check: (value) => value.includes("${i}") }));`;
  });
  const methods = JSON.stringify(["parse", "check", "clone", "optional", "nullable", "array", "or", "and", "transform", "pipe"]);
  const schema = `class Schema {
    constructor(def) {
      this.def = def;
      for (const key of ${methods}) Object.defineProperty(this, key, { value: (...args) => [this, key, args] });
      Object.defineProperty(this, "shape", { get: () => ({ ...this.def }) });
    }
  }`;
  return `${schema}\nexport const kept = [];\n${parts.join("\n")}\n`;
}

/** The id of this process's child with this name. */
function childCalled(name: string): string {
  const tasks = readdirSync("/proc/self/task");
  const children = tasks.flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, "utf8").split(" ").filter(Boolean));
  const found = children.find((id) => readFileSync(`/proc/${id}/comm`, "utf8").trim() === name);
  if (!found) throw new Error(`This process has not started ${name}.`);
  return found;
}

/** The CPU time of all threads of a process until now, in ms. */
function cpuMs(id: string): number {
  const threads = readdirSync(`/proc/${id}/task`);
  const spent = threads.map((thread) => Number(readFileSync(`/proc/${id}/task/${thread}/schedstat`, "utf8").split(" ")[0]));
  return spent.reduce((sum, ns) => sum + ns, 0) / 1e6;
}
