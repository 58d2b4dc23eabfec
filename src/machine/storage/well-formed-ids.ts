import { idsOf } from "../inputs/stored-event.ts";
import { STATE_KEY } from "./state-row.ts";

// The step of the object's storage that repairs ids of events. Until November 2026 an id could have half of a surrogate pair. The database stores that
// as bytes that it does not give back as the same text, so that what is stored under such an id was not found after a restart.

/** The columns with positions of events. */
const columns = [
  ["segments", "first"],
  ["checkpoints", "pos"],
  ["spans", "by"],
  ["presences", "by"],
  ["tallies", "by"],
  ["part_tallies", "by"],
  ["runs", "by"],
  ["sku_changes", "by"],
] as const;

interface Stored {
  pos: string;
}

/** The values that an event changes, as far as they have positions. */
interface State {
  head?: Stored;
  "open events"?: { events: Stored[]; newestPos: string | null; storedTo: string };
}

/** Replaces the halves in the positions of all events. */
export function makeIdsWellFormed({ sql, kv }: DurableObjectStorage): void {
  // A half in JSON is escaped, and so it is read as it was sent.
  for (const first of texts(sql, "segments", "first", "instr(events, '\\ud') > 0 AND json_valid(events)")) {
    const { events: text } = sql.exec<{ events: string }>("SELECT events FROM segments WHERE first = ?", first).one();
    const events = inOrder((JSON.parse(text) as Stored[]).map(repaired));
    const query = "UPDATE segments SET events = ?, ids = ? WHERE first = ?";
    sql.exec(query, JSON.stringify(events), idsOf(events).buffer, first);
  }
  for (const [table, column] of columns) {
    // The bytes of a half begin with ED A or ED B.
    for (const text of texts(sql, table, column, `hex(${column}) GLOB '*ED[AB]*'`)) {
      if (!text.isWellFormed()) sql.exec(`UPDATE ${table} SET ${column} = ?1 WHERE ${column} = ?2`, wellFormed(text), text);
    }
  }
  const state = kv.get<State>(STATE_KEY);
  const { head, "open events": open } = state ?? {};
  if (!state) return;
  if (head) state.head = repaired(head);
  if (open) {
    const { events, newestPos, storedTo } = open;
    const [newest, to] = [newestPos && wellFormed(newestPos), wellFormed(storedTo)];
    state["open events"] = { ...open, events: inOrder(events.map(repaired)), newestPos: newest, storedTo: to };
  }
  kv.put(STATE_KEY, state);
}

/** The different texts of a column in some rows, halves of surrogate pairs included. */
function texts(sql: SqlStorage, table: string, column: string, where: string): string[] {
  const query = `SELECT DISTINCT CAST(${column} AS BLOB) AS bytes FROM ${table} WHERE ${where}`;
  return sql
    .exec<{ bytes: ArrayBuffer }>(query)
    .toArray()
    .map(({ bytes }) => textOf(bytes));
}

/** Decodes UTF-8 in which a half of a surrogate pair is encoded as if it were a character. */
function textOf(bytes: ArrayBuffer): string {
  const [whole = "", ...rest] = Buffer.from(new Uint8Array(bytes))
    .toString("latin1")
    .split(/\xed([\xa0-\xbf])([\x80-\xbf])/);
  const decoded = (part = "") => Buffer.from(part, "latin1").toString("utf8");
  let text = decoded(whole);
  for (let i = 0; i < rest.length; i += 3) {
    const [high = "", low = "", part] = rest.slice(i, i + 3);
    text += String.fromCharCode(0xd000 | ((high.charCodeAt(0) & 0x3f) << 6) | (low.charCodeAt(0) & 0x3f)) + decoded(part);
  }
  return text;
}

function repaired<T extends Stored>(stored: T): T {
  return { ...stored, pos: wellFormed(stored.pos) };
}

/** Replaces each half by the last character before them and its own code: different texts stay different, and in their order. */
function wellFormed(text: string): string {
  if (text.isWellFormed()) return text;
  return [...text].map((one) => (one.isWellFormed() ? one : `\ud7ff${one.charCodeAt(0).toString(16)}`)).join("");
}

function inOrder<T extends Stored>(events: T[]): T[] {
  return events.sort((a, b) => (a.pos < b.pos ? -1 : 1));
}
