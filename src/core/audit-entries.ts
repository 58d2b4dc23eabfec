import type { AuditRow } from "../db/audit-row.ts";
import type { audit } from "../db/schema.ts";

// How entries of the audit are stored: the number instead of the id, and of a change the members that differ.

type StoredEntry = typeof audit.$inferInsert;
type Members = Record<string, unknown>;

/**
 * The forms of `changes`, which are never renumbered.
 * - `both`: `[before, after]`, of lists, and of all entries that were stored before there were other forms
 * - `members`: of an object that was changed, `{ member: [before, after] }` of each that differs. `[before]`: it is gone. `[null, after, true]`: it is new.
 * - `created`, `deleted`: the object
 */
const forms = { both: 0, members: 1, created: 2, deleted: 3 };

/** Members of a kind that say something together: if one of them differs, an entry has all of them that are not null. */
const keptTogether: Partial<Record<string, readonly string[]>> = {
  stop: ["generalCauseId", "specificCauseId", "componentId"],
  "held-events": ["day", "reason", "count", "units", "decided"],
  "work-order": ["skuId", "targetQuantity", "reportedCorrect", "reportedDefects"],
};

/** A member that only counts the changes, and so differs in each: without it the entries of a machine-day take 7 % less. */
const COUNTER = "version";

/** The row of an entry. The same entry always has the same number, so storing it again is recognized. */
export function storedEntry({ id, objectType, before, after, ...row }: AuditRow): StoredEntry {
  return { ...row, nr: numberOf(id), ...changesOf(before, after, keptTogether[objectType] ?? []) };
}

/** The first 48 bits of a UUID: the counter of `auditRow`, and 32 random bits. */
function numberOf(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}

function changesOf(before: object | null, after: object | null, together: readonly string[]) {
  if (before === null && after !== null) return { form: forms.created, changes: after };
  if (before !== null && after === null) return { form: forms.deleted, changes: before };
  if (before === null || after === null || Array.isArray(before) || Array.isArray(after)) {
    return { form: forms.both, changes: [before, after] };
  }
  return { form: forms.members, changes: differences(before as Members, after as Members, together) };
}

function differences(before: Members, after: Members, together: readonly string[]): Record<string, unknown[]> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differs = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const areTogether = together.some(differs);
  const isKept = (name: string) => areTogether && together.includes(name) && before[name] !== null;
  const changed = names.filter((name) => name !== COUNTER && (differs(name) || isKept(name)));
  return Object.fromEntries(changed.map((name) => [name, pairOf(before[name], after[name])]));
}

function pairOf(before: unknown, after: unknown): unknown[] {
  if (after === undefined) return [before];
  return before === undefined ? [null, after, true] : [before, after];
}

/** The object, or the members that differ, before and after. */
export function shownChanges({ form, changes }: { form: number; changes: unknown }): { before: unknown; after: unknown } {
  if (form === forms.created) return { before: null, after: changes };
  if (form === forms.deleted) return { before: changes, after: null };
  if (form === forms.both) return { before: (changes as unknown[])[0], after: (changes as unknown[])[1] };
  const [before, after]: [Members, Members] = [{}, {}];
  for (const [name, [was, is, isNew]] of Object.entries(changes as Record<string, unknown[]>)) {
    if (!isNew) before[name] = was;
    if (is !== undefined) after[name] = is;
  }
  return { before, after };
}

/** The id of an entry, as the API shows it. */
export function entryId({ at, nr }: { at: number; nr: number }): string {
  return `${at}-${nr.toString(16).padStart(12, "0")}`;
}

/** The time and the number in the id of an entry. */
export function numbersOfId(id: string): [at: number, nr: number] {
  const [at = "", nr = ""] = id.split("-");
  return [Number(at), Number.parseInt(nr, 16)];
}

/** The kind of object that an action applies to. */
export function kindOf(action: string): string {
  return action.slice(0, action.indexOf("."));
}
