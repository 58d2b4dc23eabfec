import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { inject } from "vitest";
import { type Service, served, spawnGroup } from "../../scripts/service.ts";
import { freshStateFolder } from "./plant.ts";

const preparedFolder = () => inject("prepared" as never) as string;

/** A new state folder with an empty migrated database, as `migrate` of an empty one makes it. */
export function migratedFolder(): string {
  const folder = freshStateFolder();
  cpSync(join(preparedFolder(), "state"), folder, { recursive: true });
  return folder;
}

/** Starts the service as `startService` does, in a third of the time: what is served was built before. */
export async function startBuilt({ stateFolder, port }: { stateFolder: string; port: number }): Promise<Service> {
  const script = resolve(import.meta.dirname, "serve-built.ts");
  return await served(spawnGroup([script, preparedFolder(), stateFolder, String(port)], "inherit"), port);
}
