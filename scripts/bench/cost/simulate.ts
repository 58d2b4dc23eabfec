import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { migrate } from "../../service.ts";
import { fillDatabase } from "../plant-folder.ts";
import { serve } from "../server.ts";
import { planOf, type Scenario, setUpSql } from "./day.ts";
import type { Tally } from "./tally.ts";

/** The first goes before the built Worker. */
const modules = Object.fromEntries(
  ["simulator.js", "meter.js", "clock.js"].map((name) => [name, readFileSync(resolve(import.meta.dirname, name), "utf8")]),
);
/** Whoever watches signs in once. */
const vars = { TOKEN_TTL_SECONDS: String(7 * 86_400) };

/**
 * Plays a scenario with the real Worker and real objects in the local runtime, by a simulated clock.
 * @param folder where the Worker is built into `built`
 * @throws when something is refused that the scenario sends
 */
export async function simulate(folder: string, scenario: Scenario): Promise<Tally> {
  const stateFolder = mkdtempSync(join(folder, "day-"));
  await migrate(stateFolder);
  fillDatabase(stateFolder, await setUpSql(scenario));
  const server = await serve(join(folder, "built"), stateFolder, { modules, vars });
  try {
    const answer = await fetch(server.andon, { method: "POST", body: JSON.stringify(planOf(scenario)) });
    if (!answer.ok) throw new Error(`${JSON.stringify(scenario)}: ${await answer.text()}`);
    return (await answer.json()) as Tally;
  } finally {
    await server.dispose();
    rmSync(stateFolder, { recursive: true, force: true });
  }
}
