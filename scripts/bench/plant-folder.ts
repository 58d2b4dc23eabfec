import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { migrate } from "../service.ts";
import { type BenchCompany, benchCompanyOf, benchCompanySql, renewBenchCompany } from "./bench-company.ts";
import { generatePlant, type PlantShape, SHIFT_MS } from "./generated-plant.ts";
import { officeSql } from "./office.ts";

/** Increases with each change of the generators' output. */
const GENERATOR = 4;

/** A state folder with a generated plant. */
export interface Plant {
  stateFolder: string;
  shape: PlantShape;
  benchCompany: BenchCompany;
  /** The end of its last shift, epoch ms. */
  until: number;
}

/** The generator of a plant: a plant of any other origin measures something else. */
interface Origin {
  generator: number;
  newestMigration: string;
  shape: PlantShape;
  crowdSize: number;
  until: number;
}

/**
 * The plant of a folder, generated now if there is none. Its bench company is reset.
 * @throws if the folder has a plant of another shape, generator or schema
 */
export async function openPlant(folder: string, shape: PlantShape, crowdSize: number): Promise<Plant> {
  const stateFolder = join(folder, "state");
  const originFile = join(folder, "plant.json");
  const wanted = { generator: GENERATOR, newestMigration: newestMigration(), shape, crowdSize };
  const benchCompany = benchCompanyOf(shape, crowdSize);
  if (!existsSync(originFile)) {
    const until = Math.floor(Date.now() / SHIFT_MS) * SHIFT_MS;
    rmSync(stateFolder, { recursive: true, force: true });
    await migrate(stateFolder);
    generatePlant(databaseFile(stateFolder), shape, until);
    fillDatabase(stateFolder, benchCompanySql(benchCompany, until) + (await officeSql(until)));
    writeFileSync(originFile, JSON.stringify({ ...wanted, until }));
  }
  const { until, ...made } = JSON.parse(readFileSync(originFile, "utf8")) as Origin;
  if (JSON.stringify(made) !== JSON.stringify(wanted)) {
    throw new Error(`${folder} holds a plant of ${JSON.stringify(made)}, not of ${JSON.stringify(wanted)}: name another folder.`);
  }
  // Data of an earlier run's objects; a new object rebuilds itself from the database.
  rmSync(join(stateFolder, "v3/do"), { recursive: true, force: true });
  renewBenchCompany(databaseFile(stateFolder), benchCompany, Date.now());
  return { stateFolder, shape, benchCompany, until };
}

/** Runs statements in the database of a state folder, all of them or none. */
export function fillDatabase(stateFolder: string, sql: string): void {
  const db = new DatabaseSync(databaseFile(stateFolder));
  db.exec(`BEGIN; ${sql} COMMIT`);
  db.close();
}

/** The SQLite file of a state folder's database. */
export function databaseFile(stateFolder: string): string {
  const folder = join(stateFolder, "v3/d1/miniflare-D1DatabaseObject");
  const [file, ...others] = readdirSync(folder).filter((name) => name.endsWith(".sqlite") && !name.startsWith("metadata"));
  if (file === undefined || others.length > 0) throw new Error(`${folder} does not hold one database.`);
  return join(folder, file);
}

function newestMigration(): string {
  const names = readdirSync(resolve(import.meta.dirname, "../../drizzle")).filter((name) => name.endsWith(".sql"));
  return names.sort().at(-1) ?? "";
}
