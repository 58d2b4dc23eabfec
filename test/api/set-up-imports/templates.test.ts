import { describe, expect, it } from "vitest";
import { type ImportKind, importKinds, importMembers, templateOf } from "../../../src/board/domain/set-up-imports.ts";
import { setUpImports as en } from "../../../src/board/texts/en/set-up-imports.ts";
import { setUpImports as es } from "../../../src/board/texts/es/set-up-imports.ts";
import { newPlant } from "../plant/plant-file/full-plant.ts";
import { reportOf } from "./sending.ts";

const templates = importKinds.flatMap((kind) => [
  { kind, language: "English", file: templateOf(kind, en.members, en.examples[kind], ".") },
  { kind, language: "Spanish", file: templateOf(kind, es.members, es.examples[kind], ",") },
]);

describe("the template of the board", () => {
  it.each(templates)("for $kind in $language is imported as it is, with all of its columns", async ({ kind, language, file }) => {
    const plant = await newPlant();
    if (kind === "work-orders") {
      // What the template's order names.
      const [machines = "", skus = ""] = (language === "English" ? en : es).examples[kind].slice(6).map(String);
      await plant.make("machines", { ref: machines, name: "Press", nodeId: 1 });
      await plant.make("skus", { id: skus, name: "Bottle" });
    }
    const report = await reportOf(plant, file, `kind=${kind}`);
    expect(report).toMatchObject({ created: 1, faulty: 0 });
    const members = report.file.columns.map(({ member }: { member: string }) => member);
    expect(members).toEqual(importMembers[kind as ImportKind]);
  });
});
