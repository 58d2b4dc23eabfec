import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** Memory that outlives a request: a collection, or a variable, of a module. */
const memory = /^(?:export )?(?:const \w+(?:: [^=\n]+)? = new (?:ShortCache|Map|Set|WeakMap)\b(?:<[^\n]*>)?\((?!\[)|let )/m;

it("names each file of the Worker that keeps something in memory in docs/architecture.md", () => {
  const page = readFileSync(join(root, "docs/architecture.md"), "utf8");
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/^(?:board|client|docs)\//.test(name))
    .map((name) => `src/${name}`);
  const remembering = files.filter((file) => memory.test(readFileSync(join(root, file), "utf8")));
  expect(remembering).toContain("src/core/company-zone.ts");
  expect(remembering.filter((file) => !page.includes(`\`${file}\``))).toEqual([]);
});
