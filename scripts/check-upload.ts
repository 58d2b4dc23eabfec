import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { localRuntime, runWrangler } from "./service.ts";

// That the Worker, built as it is deployed, is small to upload and quick to start.

const bounds = { uploadKiB: 150, startUpMs: 50 };
/** How many isolates are started at least, and at most while none has kept the bound. */
const starts = { least: 5, most: 25 };

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
 * The CPU time (ms) that workerd takes to read, compile and run the top level of the script in an isolate of its own: the least of
 * several. Time in which others had the processor does not count, but they empty its caches: on a busy machine most starts cost more.
 */
async function startUpMs(script: string): Promise<number> {
  const { Miniflare, convertV4MiniflareOptions } = localRuntime();
  const entry = `export default {
    async fetch({ url }) {
      if (url.endsWith("/start")) await import("./index.js");
      return new Response(null, { status: 204 });
    },
  };`;
  const toml = readFileSync(resolve(import.meta.dirname, "../wrangler.toml"), "utf8");
  const compatibilityDate = /^compatibility_date\s*=\s*"([^"]*)"/m.exec(toml)?.[1] ?? "";
  const workers = Array.from({ length: starts.most }, (_, i) => ({
    name: `start-${i}`,
    routes: [`start-${i}.test/*`],
    compatibilityDate,
    modulesRoot: "/",
    modules: [
      { type: "ESModule" as const, path: "/entry.js", contents: entry },
      { type: "ESModule" as const, path: "/index.js", contents: script },
    ],
  }));
  const server = new Miniflare(convertV4MiniflareOptions({ cf: false, workers }));
  try {
    await server.ready;
    const workerd = childCalled("workerd");
    const ask = async (url: string) => {
      const { status } = await server.dispatchFetch(url);
      if (status !== 204) throw new Error(`The Worker does not start: ${status}`);
    };
    let least = Number.POSITIVE_INFINITY;
    for (const [i, { name }] of workers.entries()) {
      if (i >= starts.least && least <= bounds.startUpMs) break;
      // The isolate is there; what the second request adds is the script.
      await ask(`http://${name}.test/`);
      const before = cpuMs(workerd);
      await ask(`http://${name}.test/start`);
      least = Math.min(least, cpuMs(workerd) - before);
    }
    if (!(least > 0)) throw new Error("The kernel does not tell how much CPU time workerd takes.");
    return least;
  } finally {
    await server.dispose();
  }
}

/** The id of the process of this name that this one has started. */
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
