import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { askTheDoor, callsOfMachines, changeInputs, sayThePast, writeShifts } from "../support/past-writers.ts";

const root = resolve(import.meta.dirname, "../..");
const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !/^(?:board|client)\//.test(name))
  .map((name) => ({ path: `src/${name}`, text: readFileSync(join(root, "src", name), "utf8") }));
const ofMachines = files.flatMap(({ path, text }) =>
  path.startsWith("src/machine/") ? [{ path: path.slice("src/machine/".length), text }] : [],
);
const matching = (some: typeof files, pattern: RegExp) => some.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

describe("the list of what may change the past", () => {
  it("has every call of machines", () => {
    const text = files.find(({ path }) => path === "src/objects/machine-protocol.ts")?.text ?? "";
    const body = /export interface MachineObject \{(.*?)\n\}/s.exec(text)?.[1] ?? "";
    const names = [...body.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name ?? "");
    expect(names.length).toBeGreaterThan(20);
    expect(names.sort()).toEqual(Object.keys(callsOfMachines).sort());
  });

  it("has every file of a machine that asks whether the books are open, and every one that changes what it computes from", () => {
    const asking = matching(ofMachines, /\b(isOpenFrom|refusalOfPast|openSince|openPart)\(/).filter(
      (path) => path !== "ledger/books-door.ts",
    );
    expect(asking.sort()).toEqual([...askTheDoor].sort());
    const changing =
      /(?<!function )\b(acceptEvents|foldAgain|replayFrom|requestRecalculation|computeShifts|publishWindow|addManualStop|saveBoundary|events\.replace|corrections\.(add|save))\(/;
    for (const path of matching(ofMachines, changing))
      expect.soft([...changeInputs, "storage/machine-storage.ts"]).toContain(path);
  });

  it("has every file with statements that write the tables of shifts", () => {
    const writing =
      /\.(insert|update|delete)\((schema\.)?(shiftRecords|shiftParts|stops|operatorShifts)\)|upsert\(db, (shiftRecords|shiftParts|stops|operatorShifts)\b/;
    for (const path of matching(files, writing)) expect.soft(writeShifts).toContain(path);
  });

  it("has one place that refuses what would change closed books", () => {
    const naming = ["src/core/closed-books.ts", "src/core/fault-codes.ts", "src/machine/inputs/add-history.ts"];
    expect(matching(files, /"closed_books"|\bclosed_books:/).sort()).toEqual(naming);
  });

  it("has every file whose writes say what they change of the past", () => {
    expect(matching(files, /\bpast: \{ companyId/).sort()).toEqual([...sayThePast].sort());
  });
});
