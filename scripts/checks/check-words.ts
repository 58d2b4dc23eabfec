import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { apiDocument } from "../openapi/document.ts";

// Refuses the words that docs/glossary.md lists under "Words we do not use" in public texts: the summaries, descriptions and names of the OpenAPI
// document, and the pages of the documentation.

const root = resolve(import.meta.dirname, "../..");
const glossary = "docs/glossary.md";
const HEADING = "## Words we do not use";

/** Pages that may contain a word, because it is somebody else's. */
const exceptions: Record<string, readonly string[]> = { journal: ["docs/plant-pc.md"] };
/** What happened before the words were decided. */
const past = /^(CHANGELOG\.md|docs\/results\/|docs\/adr\/)/;

const [own = "", list = ""] = readFileSync(join(root, glossary), "utf8").split(HEADING);
const words = [...list.matchAll(/^\| `([^`]+)`/gm)].map(([, word = ""]) => word);

const texts: [string, string][] = textsOf(await apiDocument(), "");
for (const page of pages()) texts.push([page, page === glossary ? own : readFileSync(join(root, page), "utf8")]);

const complaints = texts.flatMap(([place, text]) =>
  words
    .filter((word) => !exceptions[word]?.includes(place) && new RegExp(`(?<![\\w/-])${word}(?![\\w/-])`, "i").test(text))
    .map((word) => `${place}: "${word}": ${glossary} says what to write instead`),
);
for (const complaint of complaints) console.error(complaint);
if (words.length === 0) complaints.push(`${glossary} lists no words`);
if (complaints.length === 0) console.log(`${texts.length} public texts have none of ${words.length} retired words.`);
process.exitCode = complaints.length > 0 ? 1 : 0;

function pages(): string[] {
  const found = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((name) => join("docs", name));
  return [...readdirSync(root), ...found].filter((name) => name.endsWith(".md") && !past.test(name));
}

/** All texts and names of members in the document, with their places. */
function textsOf(value: unknown, place: string): [string, string][] {
  if (typeof value === "string") return /\.(summary|description|title)$/.test(place) ? [[`OpenAPI ${place}`, value]] : [];
  if (typeof value !== "object" || value === null) return [];
  const isExample = /\.(example|examples|default|enum)$/.test(place);
  return Object.entries(value).flatMap(([name, one]) => [
    ...(isExample || Array.isArray(value) ? [] : ([[`OpenAPI ${place}.${name}`, name]] as [string, string][])),
    ...textsOf(one, `${place}.${name}`),
  ]);
}
