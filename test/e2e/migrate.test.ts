import { readdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { inDatabase, migrate } from "../../scripts/service.ts";
import { migratedFolder } from "./built-service.ts";

const stateFolder = migratedFolder();
const files = readdirSync(resolve(import.meta.dirname, "../../drizzle")).filter((name) => name.endsWith(".sql"));

afterAll(() => rmSync(stateFolder, { recursive: true, force: true }));

const noted = () => inDatabase(stateFolder, async ({ rows }) => await rows("SELECT name FROM d1_migrations ORDER BY id"));

test("each migration is done once, in order, and one that fails is named and not noted down", async () => {
  const [first, ...others] = files.sort().map((name) => ({ name }));
  await migrate(stateFolder);
  expect(await noted()).toEqual([first, ...others]);
  await inDatabase(stateFolder, ({ run }) => run([`DELETE FROM d1_migrations WHERE name = '${first?.name}'`]));
  await expect(migrate(stateFolder)).rejects.toThrow(/^The migration 0000_first_stone\.sql failed: .* already exists/);
  expect(await noted()).toEqual(others);
});
