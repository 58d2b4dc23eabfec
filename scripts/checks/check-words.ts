import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { apiDocument } from "../openapi/document.ts";
import { messagesIn, readGlossary, retiredWords, type Text } from "./retired-words.ts";

// Refuses the words that docs/glossary.md lists under "Words we do not use" in public texts: the summaries, descriptions and names of the OpenAPI
// document, the pages of the documentation, the messages that the service answers with and sends, and the texts of the board.

const root = resolve(import.meta.dirname, "../..");
const glossary = "docs/glossary.md";

/** The places that may contain a word: pages where it is somebody else's, and files with names that two versions share during a deployment. */
const exceptions: Record<string, readonly string[]> = {
  journal: ["docs/plant-pc.md"],
  told: ["src/machine/publish/domain-events.ts", "src/machine/storage/steps.ts"],
};
/** What happened before the words were decided. */
const past = /^(CHANGELOG\.md|docs\/results\/|docs\/adr\/)/;

const { own, words } = readGlossary(read(glossary));
const texts: Text[] = [
  ...textsOf(await apiDocument(), ""),
  ...pages().map((page): Text => [page, page === glossary ? own : read(page)]),
  ...sources().flatMap((path) => messagesIn(read(path)).map((message): Text => [path, message])),
];

const complaints = retiredWords(texts, words, exceptions).map(
  ({ place, word }) => `${place}: "${word}": ${glossary} says what to write instead`,
);
if (words.length === 0) complaints.push(`${glossary} lists no words`);
for (const complaint of complaints) console.error(complaint);
if (complaints.length === 0) console.log(`${texts.length} public texts have none of ${words.length} retired words.`);
process.exitCode = complaints.length > 0 ? 1 : 0;

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function pages(): string[] {
  return [...readdirSync(root), ...filesIn("docs")].filter((name) => name.endsWith(".md") && !past.test(name));
}

/** The source files whose messages people read. Of the board, the files with its English texts. */
function sources(): string[] {
  return filesIn("src").filter((path) =>
    path.startsWith("src/board/") ? path.startsWith("src/board/texts/en/") : path.endsWith(".ts") && !path.endsWith(".d.ts"),
  );
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
}

/** All texts and names of members in the document, with their places. */
function textsOf(value: unknown, place: string): Text[] {
  if (typeof value === "string") return /\.(summary|description|title)$/.test(place) ? [[`OpenAPI ${place}`, value]] : [];
  if (typeof value !== "object" || value === null) return [];
  const isExample = /\.(example|examples|default|enum)$/.test(place);
  return Object.entries(value).flatMap(([name, one]): Text[] => [
    ...(isExample || Array.isArray(value) ? [] : [[`OpenAPI ${place}.${name}`, name] as Text]),
    ...textsOf(one, `${place}.${name}`),
  ]);
}
