import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

// Checks that the security pages list each requirement once, that the tests that they name exist, and that their sums are right.

const root = resolve(import.meta.dirname, "../..");
const folder = join(root, "docs/security");
const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
const text = [join(root, "SECURITY.md"), ...pages.map((name) => join(folder, name))]
  .map((path) => readFileSync(path, "utf8"))
  .join("\n");
const faults: string[] = [];

/** The number of requirements of level 1 and 2 in each section of OWASP ASVS 5.0.0; those of level 3 come after them. */
const requirements: Record<number, number[]> = {
  1: [2, 9, 11, 3, 2],
  2: [3, 3, 4, 1],
  3: [0, 2, 4, 6, 5, 0, 2],
  4: [3, 1, 2, 4],
  5: [1, 3, 2, 3],
  6: [3, 12, 4, 4, 5, 3, 0, 4],
  7: [3, 4, 2, 5, 2, 2],
  8: [2, 3, 1, 1],
  9: [3, 4],
  10: [2, 2, 4, 11, 5, 2, 3],
  11: [2, 3, 3, 4, 1, 1, 0],
  12: [3, 2, 4],
  13: [1, 5, 2, 5],
  14: [2, 4, 3],
  15: [3, 3, 7, 0],
  16: [1, 5, 4, 3, 3],
  17: [1, 4, 2],
};
const risks = Array.from({ length: 10 }, (_, i) => `API${i + 1}`);
const verdicts = ["holds", "in part", "does not hold", "account", "does not apply"];

const ids = Object.entries(requirements).flatMap(([chapter, sections]) =>
  sections.flatMap((count, section) => Array.from({ length: count }, (_, i) => `${chapter}.${section + 1}.${i + 1}`)),
);
const rows = text
  .split("\n")
  .filter((line) => /^\| (\d+\.\d+\.\d+|API\d)/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, named = "", , verdict = "", why = ""]) => ({ named: idsOf(named), verdict, why }));

const named = rows.flatMap((row) => row.named);
for (const id of [...ids, ...risks]) {
  const times = named.filter((one) => one === id).length;
  if (times !== 1) faults.push(`${id} is there ${times} times`);
}
for (const id of named) if (!ids.includes(id) && !risks.includes(id)) faults.push(`${id} is no requirement of level 1 or 2`);

// Below a table: **1.2.3**, and a list of the tests of that row.
const tested = [...text.matchAll(/^\*\*((?:\d|API).*)\*\*\n\n- `/gm)].flatMap(([, cell = ""]) => idsOf(cell));
for (const id of tested) if (!named.includes(id)) faults.push(`${id} has tests, but no row`);
for (const { named, verdict, why } of rows) {
  if (!verdicts.includes(verdict)) faults.push(`${named} has the verdict ${verdict}`);
  const isProved = named.every((id) => tested.includes(id)) || why.includes("No test:");
  if (verdict === "holds" && !isProved) faults.push(`${named} holds, and no test is named`);
}
for (const verdict of verdicts) {
  const count = rows.flatMap((row) => (row.verdict === verdict ? row.named.filter((id) => ids.includes(id)) : [])).length;
  if (!text.includes(`| ${verdict} | ${count} |`)) faults.push(`the sum of "${verdict}" is ${count}`);
}

// `http/actor`: "a name", "another one"
for (const [, path, names = ""] of text.matchAll(/`([\w./-]+)`: ("[^"]+"(?:, "[^"]+")*)/g)) {
  const file = join(root, "test", `${path}.test.ts`);
  const tests = existsSync(file) ? readFileSync(file, "utf8").replaceAll(/\(\s+/g, "(") : undefined;
  if (tests === undefined) faults.push(`test/${path}.test.ts is not there`);
  for (const [quoted, name] of names.matchAll(/"([^"]+)"/g)) {
    const isThere = [quoted, `\`${name}\``].some((title) => tests?.includes(`(${title}`));
    if (tests && !isThere) faults.push(`test/${path}.test.ts has no test ${quoted}`);
  }
}
for (const [, path = ""] of text.matchAll(/`((?:src|scripts|drizzle|test)\/[\w./-]+|[\w-]+\.(?:toml|json|md))`/g)) {
  if (!existsSync(join(root, path))) faults.push(`${path} is not there`);
}

for (const fault of faults) console.error(`docs/security: ${fault}`);
process.exit(faults.length > 0 ? 1 : 0);

/** The ids of a cell such as `1.2.3, 6.5.1-5`. */
function idsOf(cell: string): string[] {
  return cell.split(", ").flatMap((part) => {
    const [, section = "", first, last] = /^(\d+\.\d+)\.(\d+)-(\d+)$/.exec(part) ?? [];
    if (section === "") return part;
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => `${section}.${Number(first) + i}`);
  });
}
