import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** Copies all files that git tracks or does not ignore into the folder, with the installed packages: a clone after `npm ci`. */
export function cloneInto(folder: string): void {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const file of listed.split("\0").filter((name) => name !== "" && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
}

/** The shell blocks of a page, or of one of its sections, unchanged. */
export function shellBlocks(page: string, heading?: string): string[] {
  const text = readFileSync(join(root, page), "utf8");
  const part = heading === undefined ? text : text.split(/^## /m).find((one) => one.startsWith(`${heading}\n`));
  if (part === undefined) throw new Error(`${page} has no section ${heading}`);
  return [...part.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block]) => block ?? []);
}

/** A terminal: a shell that runs a script in a folder, in its own process group. */
export class Terminal {
  output = "";
  readonly #shell: ChildProcess;
  /** Resolves with the exit code of the shell. */
  readonly ended: Promise<number | null>;

  constructor(script: string, folder: string, env: NodeJS.ProcessEnv = {}) {
    const clean = Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV$|ANDON_|PORT$|HOST$)/.test(name));
    this.#shell = spawn("bash", ["-c", script], {
      cwd: folder,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...Object.fromEntries(clean), PWD: folder, WRANGLER_HIDE_BANNER: "true", WRANGLER_SEND_METRICS: "false", ...env },
    });
    for (const stream of [this.#shell.stdout, this.#shell.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
      });
    }
    this.ended = new Promise((done) => this.#shell.once("close", done));
  }

  /** Waits until the output matches. Throws with the output if the shell ends before, or it takes too long. */
  async shows(pattern: RegExp, ms: number): Promise<void> {
    let isOver = false;
    this.ended.then(() => {
      isOver = true;
    });
    for (const deadline = Date.now() + ms; !pattern.test(this.output); await new Promise((done) => setTimeout(done, 50))) {
      if (isOver || Date.now() > deadline) throw new Error(`No ${pattern} in what was shown:\n${this.output}`);
    }
  }

  /** Ctrl-C, as in a terminal: the signal goes to the whole foreground group. Resolves when the shell has ended. */
  async ctrlC(): Promise<void> {
    if (this.#shell.pid !== undefined && this.#shell.exitCode === null && this.#shell.signalCode === null) {
      process.kill(-this.#shell.pid, "SIGINT");
    }
    await this.ended;
  }
}
