import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { migrate } from "../../service.ts";
import { fillDatabase } from "../plant-folder.ts";
import type { Database } from "../record.ts";
import { serve } from "../server.ts";
import { type Plan, planOf, type Scenario, setUpSql, unitsOf } from "./day.ts";
import type { Tally } from "./tally.ts";

/** The first one wraps the built Worker. */
const modules = Object.fromEntries(
  ["simulator.js", "meter.js", "clock.js"].map((name) => [name, readFileSync(resolve(import.meta.dirname, name), "utf8")]),
);
/** Watching users sign in once. */
const vars = { TOKEN_TTL_SECONDS: String(7 * 86_400), REQUEST_LOG: "summary" };

/**
 * Plays a scenario with the real Worker and real objects in the local runtime, with a simulated clock.
 * @param folder where the Worker is built into `built`
 * @throws if a request of the scenario is refused
 */
export async function simulate(folder: string, scenario: Scenario): Promise<Tally> {
  const stateFolder = mkdtempSync(join(folder, "day-"));
  await migrate(stateFolder);
  fillDatabase(stateFolder, await setUpSql(scenario));
  const plan = planOf(scenario);
  const server = await serve(join(folder, "built"), stateFolder, { modules, vars });
  try {
    const answer = await fetch(server.andon, { method: "POST", body: JSON.stringify(plan) });
    if (!answer.ok) throw new Error(`${JSON.stringify(scenario)}: ${await answer.text()}`);
    const tally = (await answer.json()) as Tally;
    await checkPlayed(server.env.DB_0, scenario, plan, tally);
    return tally;
  } finally {
    await server.dispose();
    rmSync(stateFolder, { recursive: true, force: true });
  }
}

/** D1 may lack the units of the last ten minutes: counts that nobody reads are not sent at once. */
const UNITS_BEHIND = 60;

/** Throws unless D1 has the machines' production, and the wall saw it: otherwise the counts are not those of a day's work. */
async function checkPlayed(db: Database, { machines, isWatched }: Scenario, plan: Plan, { frames }: Tally): Promise<void> {
  const { results } = (await db.prepare("SELECT coalesce(sum(total_units), 0) AS units FROM shift_records").all()) as {
    results: [{ units: number }];
  };
  const [{ units }] = results;
  const made = unitsOf(plan);
  if (units > made || units < made - UNITS_BEHIND * machines) throw new Error(`D1 has ${units} units of ${made}.`);
  if (isWatched && frames === 0) throw new Error("The wall saw nothing.");
}
