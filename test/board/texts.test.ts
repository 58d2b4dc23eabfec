import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const board = resolve(import.meta.dirname, "../../src/board");
const english = join(board, "texts/en");

type Texts = Readonly<Record<string, unknown>>;

const isGroup = (value: unknown): value is Texts => typeof value === "object" && value !== null && !Array.isArray(value);

/** The paths of all single texts: "desk.stop.title". */
function pathsOf(value: unknown, path: string): string[] {
  return isGroup(value) ? Object.entries(value).flatMap(([name, one]) => pathsOf(one, `${path}.${name}`)) : [path];
}

/** The members that a pattern takes, with the names that it gives them: `did, by: who`. */
function namesIn(pattern = ""): [own: string, local: string][] {
  return pattern
    .split(",")
    .map((member) => member.trim().split(/:\s*/))
    .flatMap(([own = "", local = own]): [string, string][] => (own === "" ? [] : [[own, local]]));
}

/**
 * The paths of texts, or of groups of texts, that a file uses. A group that is looked into by name counts as far as the names go; one that is
 * used in another way counts with all of its texts.
 */
function usedIn(source: string, names: readonly string[]): string[] {
  // A name may stand for one group in one function and for another one in the next: both count then.
  const aliases = new Map<string, string[]>();
  const addAlias = (name: string, path: string) => aliases.set(name, [...(aliases.get(name) ?? []), path]);
  for (const [, list = ""] of source.matchAll(/^import \{([^}]*)\} from "[^"]*\/texts\/[\w-]+\.ts";/gm)) {
    for (const part of list.split(",")) {
      const [name = "", local = name] = part.trim().split(" as ");
      if (names.includes(name)) addAlias(local, name);
    }
  }
  for (const [, name = ""] of source.matchAll(/^export let (\w+):/gm)) addAlias(name, name);
  const code = source.replace(/^import [^;]*;|\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  const pathsIn = (text: string) => {
    const [first = "", ...rest] = text.split(/\??\./);
    return (aliases.get(first) ?? []).map((start) => [start, ...rest].join("."));
  };
  // Other names of groups: `const t = past.books;`, and of their members: `const { did } = t.stop;`.
  const others = /const (?:(\w+)|\{([^}=]*)\}) = (\w+(?:\.\w+)*);/g;
  const isOther = new Set<string>();
  for (const [statement, name, members, text = ""] of code.matchAll(others)) {
    for (const path of pathsIn(text)) {
      isOther.add(statement);
      if (name !== undefined) addAlias(name, path);
      for (const [own, local] of namesIn(members)) addAlias(local, `${path}.${own}`);
    }
  }
  const rest = code.replace(others, (statement) => (isOther.has(statement) ? "" : statement));
  const uses = [...rest.matchAll(/(?<![\w.$]|\.\.\.)(?:\.\.\.)?(\w+(?:\??\.\w+)*)/g)];
  // All texts of a module are used only by looking into it: `home[view]`.
  return uses.flatMap(({ 1: text = "", index, 0: { length } }) => {
    return pathsIn(text).filter((path) => path.includes(".") || rest[index + length] === "[");
  });
}

it("all texts of the board are used", async () => {
  const files = readdirSync(english);
  const modules = await Promise.all(files.map(async (file): Promise<Texts> => import(join(english, file))));
  const texts = Object.assign({}, ...modules) as Texts;
  const names = Object.keys(texts);
  const sources = readdirSync(board, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !/^texts\/\w+\//.test(path))
    .map((path) => readFileSync(join(board, path), "utf8"));
  const used = new Set(sources.flatMap((source) => usedIn(source, names)));
  // The text itself, a member of it ("length" of a list), or a group that it is in.
  const isUsed = (path: string) =>
    [...used].some((one) => one === path || one.startsWith(`${path}.`) || path.startsWith(`${one}.`));
  const all = names.flatMap((name) => pathsOf(texts[name], name));
  expect(all.length).toBeGreaterThan(500);
  expect(all.filter((path) => !isUsed(path))).toEqual([]);
});
