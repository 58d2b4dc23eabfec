import { describe, expect, it } from "vitest";
import { importKinds, importMembers, linesText, templateOf, withColumn } from "../../src/board/domain/set-up-imports.ts";
import { setUpImports as en } from "../../src/board/texts/en/set-up-imports.ts";
import { setUpImports as es } from "../../src/board/texts/es/set-up-imports.ts";

describe("files of set-up", () => {
  it("have templates with a name and an example for each column, in each language", () => {
    for (const texts of [en, es]) {
      for (const kind of importKinds) {
        expect(texts.examples[kind]).toHaveLength(importMembers[kind].length);
        for (const member of importMembers[kind]) expect(texts.members[member], member).toEqual(expect.any(String));
      }
    }
    expect(templateOf("skus", es.members, es.examples.skus, ",")).toBe(
      "\uFEFFCódigo;Nombre;Ciclo estándar (s)\r\nBOTELLA-500;Botella, 500 ml;1,5\r\n",
    );
  });

  it("have each member in one column: the one that was chosen last", () => {
    expect(withColumn(["id", null, "name"], 1, "name")).toEqual(["id", "name", ""]);
    expect(withColumn(["id", null, "name"], 0, "")).toEqual(["", "", "name"]);
  });

  it("have lines that are named by their runs", () => {
    expect(
      linesText(
        [
          [2, 2],
          [5, 7],
        ],
        String,
      ),
    ).toBe("2, 5–7");
  });
});
