import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { seededFaults } from "../../scripts/checks/seeded-faults.ts";

// A change of code with a seeded fault must also change the fault. `npm run seeded-faults` takes too long to detect that.

it.each(seededFaults)("$name: can be seeded", ({ file, find, replace, tests }) => {
  expect(readFileSync(file, "utf8").split(find).length - 1, `how often its text stands in ${file}`).toBe(1);
  expect(replace).not.toBe(find);
  expect(tests.filter((test) => !existsSync(`test/${test}.test.ts`))).toEqual([]);
});

it("each has a unique name", () => {
  const names = seededFaults.map(({ name }) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});
