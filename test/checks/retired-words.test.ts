import { describe, expect, it } from "vitest";
import { messagesIn, readGlossary, retiredWords } from "../../scripts/checks/retired-words.ts";

const glossary = [
  "# Glossary",
  "",
  "| word | meaning |",
  "|---|---|",
  "| `stop` | a word that we use |",
  "",
  "## Words we do not use",
  "",
  "`npm run check` refuses them.",
  "",
  "| word | instead |",
  "|---|---|",
  "| `wake`, `wakes` | call `notify` |",
  "| `heard of` | started |",
];
const { own, words } = readGlossary(glossary.join("\n"));

describe("the check of retired words", () => {
  it("reads the words from the last table of the glossary, whose own text may not have them either", () => {
    expect(words).toEqual(["wake", "wakes", "heard of"]);
    expect(own).toContain("a word that we use");
    expect(own).not.toContain("heard of");
  });

  it("finds a retired word in any case, and a phrase that is broken over two lines", () => {
    const texts = [
      ["good.md", "A machine starts, its awakening, `wake_lock`, /v1/wake and wake-up are other words."],
      ["word.md", "A rule\nWakes people."],
      ["phrase.md", "Once a machine was heard\n  of, its settings hold."],
    ] as const;
    expect(retiredWords(texts, words)).toEqual([
      { place: "word.md", word: "wakes" },
      { place: "phrase.md", word: "heard of" },
    ]);
    expect(retiredWords(texts, words, { wakes: ["word.md"] })).toEqual([{ place: "phrase.md", word: "heard of" }]);
  });

  it("finds one in the message of a problem, and neither in a comment nor in a name", () => {
    const source = [
      '// The machine wakes: a comment, even with `marks` and "more" of them.',
      "/** Wakes the object. */",
      'import { wake } from "./wake.ts";',
      'const message = "is only for CSV: see https://example.com // nothing wakes here";',
      `throw notFound(\`No machine \${wake(id)} was heard\nof.\`);`,
      "const rows = sql`SELECT wake FROM rows`;",
    ].join("\n");
    const found = retiredWords(
      messagesIn(source).map((message) => ["source", message] as const),
      words,
    );
    expect(found.map(({ word }) => word)).toEqual(["wakes", "heard of"]);
  });
});
