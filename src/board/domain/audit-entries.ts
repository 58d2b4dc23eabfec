// What an entry of the audit says: the name of its object, and the members that differ.

import type { Members } from "./set-up.ts";

/** A member that was changed. Undefined: it was not there, or is not any more. */
export interface ChangedMember {
  name: string;
  before: unknown;
  after: unknown;
}

interface Entry {
  objectType: string;
  objectId: string;
  before?: unknown;
  after?: unknown;
}

/** Members that every object has, and that say nothing about it. */
const stamps = new Set(["id", "companyId", "createdAt", "updatedAt", "deletedAt", "version"]);

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

/** The name of the object, as it was known then; null: the entry does not have it, as most changes do not. */
export function nameOfEntry({ before, after }: Entry): string | null {
  const members = { ...membersOf(before), ...membersOf(after) };
  for (const name of ["name", "description", "url", "date", "title"]) {
    const value = members[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return null;
}

/** The names of the objects of some entries, by kind and id: entries of one object lend each other its name. */
export function namesOfEntries(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const entry of entries) {
    const name = nameOfEntry(entry);
    const key = keyOfEntry(entry);
    if (name !== null && !names.has(key)) names.set(key, name);
  }
  return names;
}

/** The object of an entry: its kind and id. */
export function keyOfEntry({ objectType, objectId }: Pick<Entry, "objectType" | "objectId">): string {
  return `${objectType} ${objectId}`;
}

/** The members that a change made different, in the order in which the API has them; none of a new or a deleted object. */
export function changedMembers({ before, after }: Entry): ChangedMember[] {
  if (before === null || after === null) return [];
  const [was, is] = [membersOf(before), membersOf(after)];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((name) => !stamps.has(name) && JSON.stringify(was[name]) !== JSON.stringify(is[name]))
    .map((name) => ({ name, before: was[name], after: is[name] }));
}
