// What check-words.ts does with texts, without reading any file.

/** A text that people read, and where it stands. */
export type Text = readonly [place: string, text: string];

const HEADING = "## Words we do not use";

/** The glossary's own text, and the words that its last table retires. */
export function readGlossary(page: string): { own: string; words: string[] } {
  const [own = "", list = ""] = page.split(HEADING);
  const cells = [...list.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = ""]) => cell);
  return { own, words: cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word)) };
}

/** The places with a retired word, each with the word. A phrase is found across the end of a line, too. */
export function retiredWords(
  texts: readonly Text[],
  words: readonly string[],
  exceptions: Readonly<Record<string, readonly string[]>> = {},
): { place: string; word: string }[] {
  const patterns = words.map((word) => ({ word, pattern: new RegExp(`(?<![\\w/-])${word}(?![\\w/-])`, "i") }));
  return texts.flatMap(([place, text]) => {
    const line = text.replace(/\s+/g, " ");
    return patterns
      .filter(({ word, pattern }) => !exceptions[word]?.includes(place) && pattern.test(line))
      .map(({ word }) => ({ place, word }));
  });
}

/** A comment, or a text between quotation marks: whichever begins first contains the other. */
const COMMENT_OR_LITERAL = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/g;
const SQL = /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|FROM|WHERE|SET|AND|AS)\b/;

/**
 * The literals of a source file that may be part of a message: more than one word, and no SQL. What a template inserts is left out, since it is
 * code or a literal of its own.
 */
export function messagesIn(source: string): string[] {
  return [...source.matchAll(COMMENT_OR_LITERAL)]
    .map(([found]) => found)
    .filter((found) => !found.startsWith("/"))
    .map((literal) => (literal.startsWith("`") ? literal.replace(/\$\{[^}]*\}/g, "…") : literal).slice(1, -1))
    .filter((text) => text.includes(" ") && !SQL.test(text));
}
