import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { plantedFaults } from "../../scripts/checks/planted-faults.ts";

// A change of code with a planted fault must also change the fault. `npm run plant-faults` takes too long to detect that.

it.each(plantedFaults)("$name: can be planted", ({ file, find, replace, tests }) => {
  expect(readFileSync(file, "utf8").split(find).length - 1, `how often its text stands in ${file}`).toBe(1);
  expect(replace).not.toBe(find);
  expect(tests.filter((test) => !existsSync(`test/${test}.test.ts`))).toEqual([]);
});

it("each has a unique name", () => {
  const names = plantedFaults.map(({ name }) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});
