import { isDeepStrictEqual } from "node:util";
import { type Fault, invalid } from "../../../core/problem.ts";
import { DAY_MS, isoOf } from "../../../oee/time.ts";
import type { Item } from "../../../resource/resource.ts";
import { MOST_FAULTS, type PlantKind } from "./kinds.ts";
import type { PlantFile } from "./plant-file.ts";
import { type EntryKind, entryKinds, type Named, newEntry } from "./sent-file.ts";

// Compares a plant file with the set-up, by natural keys alone.

/** A file that the schema has taken. */
export interface SentFile {
  /** As it was sent. */
  sent: Item;
  /** What the schema made of it. */
  parsed: Item;
}

/** An entry that is to be created, changed or deleted. */
export interface Difference {
  kind: PlantKind;
  key: Item;
  /** Where the file has it; the list for one that it has not. */
  pointer: string;
  /** The members that differ, and are to be stored: all of them for a new one. */
  parsed: Item;
  before: Item;
  after: Item;
}

export interface Comparison {
  created: Difference[];
  changed: Difference[];
  deleted: Difference[];
  unchanged: number;
}

/** An entry of the set-up as it is to be. `pointer` null: the file does not name it. */
interface Entry {
  entry: Item;
  pointer: string | null;
}

/** Members whose names must not lose what they stand for. Of what others name, a deletion is only reported. */
const needed: readonly string[] = ["machines/line", "calendarDays/line", "calendarDays/shifts", "stopCauses/path"];

/**
 * Compares a set-up with a file.
 * @param prune whether what is there of the kinds of the file, and not in it, is to be deleted
 * @throws Problem 400: the file names something twice, or something that is not there
 */
export function comparePlant(before: PlantFile, file: SentFile, prune: boolean): Comparison {
  const faults: Fault[] = [];
  const all: Comparison = { created: [], changed: [], deleted: [], unchanged: 0 };
  const company = file.parsed.company as Item | undefined;
  if (before.company && company)
    noteChange(all, { kind: "company", key: {}, pointer: "/company" }, before.company, company, company);
  const after = new Map(
    entryKinds.map((kind) => [kind.kind, compareList(all, faults, kind, before[kind.kind] ?? [], file, prune)]),
  );
  const broken = [...faults, ...unknownNames(after)];
  if (broken.length > 0) throw invalid(broken.slice(0, MOST_FAULTS));
  return all;
}

/** Compares the entries of a kind. Returns them as they are to be. */
function compareList(
  all: Comparison,
  faults: Fault[],
  { kind, keyOf, shown }: EntryKind,
  before: readonly Item[],
  { sent, parsed }: SentFile,
  prune: boolean,
): Entry[] {
  const list = parsed[kind] as Item[] | undefined;
  const present = new Map(before.map((entry) => [textOf(keyOf(entry)), entry]));
  const entries = new Map<string, Entry>();
  for (const [i, values] of (list ?? []).entries()) {
    const about = { kind, key: keyOf(values), pointer: `/${kind}/${i}` };
    const text = textOf(about.key);
    if (entries.has(text)) {
      faults.push({ pointer: about.pointer, code: "repeated", message: `has the same key as an earlier entry: ${text}` });
      continue;
    }
    const known = present.get(text);
    const made = known ? values : createdFrom(about, (sent[kind] as unknown[])[i], faults);
    entries.set(text, { entry: { ...known, ...shown(made) }, pointer: about.pointer });
    if (known) noteChange(all, about, known, made, shown(made));
    else all.created.push({ ...about, parsed: made, before: {}, after: shown(made) });
  }
  for (const [text, entry] of present) {
    if (entries.has(text)) continue;
    const about = { kind, key: keyOf(entry), pointer: `/${kind}` };
    if (prune && list) all.deleted.push({ ...about, parsed: {}, before: entry, after: {} });
    else entries.set(text, { entry, pointer: null });
  }
  return [...entries.values()];
}

type About = Pick<Difference, "kind" | "key" | "pointer">;

/** A new entry with what is usual; what was sent, and faults, if it lacks members. */
function createdFrom({ kind, pointer }: About, sent: unknown, faults: Fault[]): Item {
  const found = newEntry(kind as EntryKind["kind"], sent);
  if ("parsed" in found) return found.parsed;
  for (const member of found.missing) {
    faults.push({ pointer: pointer + member, code: "required", message: "is required, because there is no such entry yet" });
  }
  return sent as Item;
}

function noteChange(all: Comparison, about: About, before: Item, parsed: Item, after: Item): void {
  const differing = Object.keys(after).filter((member) => !isDeepStrictEqual(before[member], after[member]));
  if (differing.length === 0) {
    all.unchanged += 1;
    return;
  }
  const only = (entry: Item) => Object.fromEntries(differing.map((member) => [member, entry[member]]));
  all.changed.push({ ...about, parsed: only(parsed), before: only(before), after: only(after) });
}

/** The faults of entries that name what is not there, or would not be there any more. */
function unknownNames(after: ReadonlyMap<PlantKind, readonly Entry[]>): Fault[] {
  const known = new Map<PlantKind, Set<unknown>>(
    entryKinds.map(({ kind, nameOf }) => [kind, new Set((after.get(kind) ?? []).map(({ entry }) => nameOf?.(entry)))]),
  );
  return entryKinds.flatMap(({ kind, namesIn, keyOf }) =>
    (after.get(kind) ?? []).flatMap(({ entry, pointer }) =>
      namesIn(entry)
        .filter(({ to, name }) => !known.get(to)?.has(name))
        .flatMap((one) => faultOfName(one, pointer, kind, keyOf(entry))),
    ),
  );
}

function faultOfName({ to, name, member }: Named, pointer: string | null, kind: PlantKind, key: Item): Fault[] {
  if (pointer !== null) {
    return [{ pointer: pointer + member, code: "not_found", message: `names ${name}, which is not among the ${to}` }];
  }
  if (!needed.some((one) => `${kind}${member}/`.startsWith(`${one}/`)) || isPastDay(key)) return [];
  const message = `${name} would be deleted, because the file does not name it, but ${textOf(key)} of the ${kind} needs it`;
  return [{ pointer: `/${to}`, code: "in_use", message }];
}

/** A calendar day that is over everywhere only says what was. */
export function isPastDay({ date }: { date?: unknown }): boolean {
  return typeof date === "string" && date < isoOf(Date.now() - DAY_MS).slice(0, 10);
}

function textOf(key: Item): string {
  return JSON.stringify(key);
}
