import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";

/** Runs the admin command on the state folder's database with `input` on its standard input. Returns its output. */
export async function admin(stateFolder: string, args: string[], input = "") {
  return await runScript(
    ["--disable-warning=ExperimentalWarning", resolve(import.meta.dirname, "../../scripts/admin/main.ts"), ...args],
    { ANDON_STATE: stateFolder },
    input,
  );
}

/** Runs Node until it exits. Not synchronously, so that connections that the service closes meanwhile are noticed. */
export async function runScript(
  args: string[],
  env: NodeJS.ProcessEnv,
  input = "",
): Promise<{ status: number | null; output: string; errors: string }> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
  const ended = new Promise<number | null>((done) => child.once("close", done));
  child.stdin.on("error", () => undefined).end(input);
  const [output, errors, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, output, errors };
}
