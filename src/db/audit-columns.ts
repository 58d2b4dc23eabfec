import { sql } from "drizzle-orm";
import { customType } from "drizzle-orm/sqlite-core";
import { namesIn } from "./values.ts";

// How the audit keeps texts that repeat in each entry: as numbers and bytes.

/** Never renumber a kind or a verb, and never use a number again: entries that are stored keep theirs. test/db/audit-columns.test.ts has the list. */
export const kindNumbers = {
  company: 1,
  user: 2,
  line: 3,
  machine: 4,
  shift: 5,
  operator: 6,
  sku: 7,
  "stop-cause": 8,
  "operator-plan": 9,
  "gateway-token": 10,
  "api-token": 11,
  widget: 12,
  dashboard: 13,
  "count-sensors": 14,
  events: 15,
  "held-events": 16,
  "help-call": 17,
  stop: 18,
  "work-order": 19,
  tag: 20,
  "alert-rule": 21,
  incident: 22,
  persona: 23,
  "chat-room": 24,
  "role-permission": 25,
  config: 26,
  quota: 27,
  "report-subscription": 28,
  "webhook-secret": 29,
  "webhook-subscription": 30,
  login: 31,
  "stop-classification": 32,
  import: 33,
  recalculation: 34,
  "calendar-day": 35,
  "defect-reason": 36,
  correction: 37,
  "event-withdrawal": 38,
  "orphaned-edit": 39,
  run: 40,
  presence: 41,
  "book-closing": 42,
  "hand-over": 43,
  action: 44,
  "set-up-import": 45,
} as const;

export const verbNumbers = {
  create: 1,
  change: 2,
  delete: 3,
  run: 4,
  "sign-in": 5,
  "sign-out": 6,
  promote: 7,
  "set-thumbnail": 8,
  archive: 9,
  unarchive: 10,
  ingest: 11,
  accept: 12,
  drop: 13,
  answer: 14,
  record: 15,
  classify: 16,
  split: 17,
  merge: 18,
  "set-target": 19,
  "report-progress": 20,
  save: 21,
  acknowledge: 22,
  test: 23,
  leave: 24,
  rotate: 25,
  "rotate-secret": 26,
  replay: 27,
  ping: 28,
  success: 29,
  failure: 30,
  undo: 31,
  reopen: 32,
  restore: 33,
} as const;

/** An action is its kind times this, plus its verb. */
const VERBS_PER_KIND = 256;

const numbersOfKinds = byName(kindNumbers);
const numbersOfVerbs = byName(verbNumbers);
const kinds = namesIn(kindNumbers);
const verbs = namesIn(verbNumbers);

function byName(numbers: Record<string, number>): ReadonlyMap<string, number> {
  return new Map(Object.entries(numbers));
}

/** The number of a kind; none has the number of an unknown one. */
export function kindNumber(kind: string): number {
  return numbersOfKinds.get(kind) ?? -1;
}

/** The number of an action; null if this version does not know it. */
function actionNumber(action: string): number | null {
  const [kind = "", verb = ""] = action.split(".");
  const [kindNo, verbNo] = [numbersOfKinds.get(kind), numbersOfVerbs.get(verb)];
  return kindNo === undefined || verbNo === undefined ? null : kindNo * VERBS_PER_KIND + verbNo;
}

/** `stop.classify` as 4624. An action that this version does not know stays a text. */
export const actionColumn = customType<{ data: string; driverData: number | string }>({
  dataType: () => "integer",
  toDriver: (action) => actionNumber(action) ?? action,
  fromDriver: (stored) => {
    if (typeof stored === "string") return stored;
    const [kind, verb] = [kinds.get(Math.floor(stored / VERBS_PER_KIND)), verbs.get(stored % VERBS_PER_KIND)];
    return `${kind ?? "unknown"}.${verb ?? "unknown"}`;
  },
});

/** An id: whole numbers as such, other texts as they are. */
export const anyIdColumn = customType<{ data: string; driverData: number | string }>({
  // Without an affinity: as an integer column it would make a number of the SKU 007.
  dataType: () => "blob",
  // The cast, because D1 binds every number as a real one. The plus takes the affinity from it: with one, no index on the column would be used.
  toDriver: (id) => (isWholeNumber(id) ? sql`+CAST(${id} AS INTEGER)` : id),
  fromDriver: String,
});

function isWholeNumber(id: string): boolean {
  return Number.isSafeInteger(Number(id)) && String(Number(id)) === id;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The id of a request: a UUID in 16 bytes, other texts as they are. */
export const requestIdColumn = customType<{ data: string; driverData: string | readonly number[] | ArrayBuffer }>({
  dataType: () => "blob",
  toDriver: (id) => (uuid.test(id) ? sql`unhex(${id.replaceAll("-", "")})` : id),
  fromDriver: (stored) => {
    if (typeof stored === "string") return stored;
    const hex = Array.from(new Uint8Array(stored), (byte) => byte.toString(16).padStart(2, "0")).join("");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  },
});
