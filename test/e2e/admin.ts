import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

/** Runs the admin command on the state folder's database with `input` on its standard input. Gives what it printed. */
export function admin(
  stateFolder: string,
  args: string[],
  input = "",
): { status: number | null; output: string; errors: string } {
  const script = resolve(import.meta.dirname, "../../scripts/admin.ts");
  const env = { ...process.env, ANDON_STATE: stateFolder };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: "utf8", input, env });
  return { status, output: stdout, errors: stderr };
}
