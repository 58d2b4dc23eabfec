import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const source = resolve(import.meta.dirname, "../../src");
const tables = "(?:machines|shifts|skus|skuStandards|stopCauses|companies)";
const write = new RegExp(`\\.(?:insert|update|delete)\\(${tables}\\)|(?:INTO|UPDATE|DELETE FROM) \\$\\{${tables}\\}`);

/**
 * Those that write them without a version, because no version has what they write: versions of the set-up of objects and of count sensors, and when a
 * machine was first heard, the books of a company are closed next, or which channels it ignores. Standards are those of a SKU, whose write stores the versions.
 */
const known = [
  "api/books/queries.ts",
  "api/ingest/count-sensors/queries.ts",
  "api/ingest/signals/queries.ts",
  "api/plant/machines/queries.ts",
  "api/plant/skus/queries.ts",
  "machine/publish/flush-statements.ts",
  "objects/notify-machines.ts",
];

it("nothing but resources writes the tables whose versions are kept", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const writers = files.filter((file) => write.test(readFileSync(join(source, file), "utf8")));
  expect(writers.sort()).toEqual(known);
});
