import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { checkLock, checkSteps, lockLineOf } from "../../scripts/checks/steps-lock.ts";
import { migrations as hubSteps } from "../../src/live/steps.ts";
import { migrations } from "../../src/machine/storage/steps.ts";

const steps = [
  { id: "0000_first", sql: "CREATE TABLE a (b INTEGER)" },
  { id: "0001_second", sql: "CREATE TABLE c (d INTEGER)" },
];
const lock = `${steps.map(lockLineOf).join("\n")}\n`;

it("the steps of the machine's object are those of their lock", () => {
  const own = readFileSync(resolve(import.meta.dirname, "../../src/machine/storage/migrations.lock"), "utf8");
  expect(checkSteps(migrations, own)).toEqual([]);
});

it("the steps of the hub are those of their lock", () => {
  const own = readFileSync(resolve(import.meta.dirname, "../../src/live/migrations.lock"), "utf8");
  expect(checkSteps(hubSteps, own)).toEqual([]);
});

it("refuses a step that was edited, removed, renamed or put between others, and names it", () => {
  const [first, second] = steps as [(typeof steps)[0], (typeof steps)[0]];
  expect(checkSteps(steps, lock)).toEqual([]);
  expect(checkSteps([{ ...first, sql: `${first.sql} ` }, second], lock)).toEqual([
    expect.stringContaining("Step 0000_first was edited"),
  ]);
  expect(checkSteps([first], lock)).toEqual([expect.stringContaining("Step 0001_second was removed")]);
  const renamed = { ...second, id: "0001_other" };
  expect(checkSteps([first, renamed], lock)).toEqual([
    expect.stringContaining("Step 0001_second was removed or renamed"),
    expect.stringContaining("Step 0001_other is not in the lock"),
  ]);
  expect(checkSteps([first, { id: "0000_between", sql: "" }, second], lock)).toEqual([
    expect.stringContaining(`append the line: ${lockLineOf({ id: "0000_between", sql: "" })}`),
    expect.stringContaining("not numbered"),
  ]);
});

it("refuses a lock whose released lines were changed", () => {
  expect(checkLock(`${lock}0002_third 0123456789abcdef\n`, lock)).toEqual([]);
  expect(checkLock(lock.replace("0001_second", "0001_other"), lock)).toEqual([expect.stringContaining("0001_second")]);
  expect(checkLock("", lock)).toHaveLength(2);
});
