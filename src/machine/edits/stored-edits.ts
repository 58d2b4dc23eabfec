import type { EditedBy, StopEdit, StopMark } from "../../objects/machine-protocol.ts";
import type { AnchoredEdit, OrphanReason } from "../../oee/edits.ts";
import type { Interval } from "../../oee/time.ts";
import { overlapping } from "../storage/reach.ts";
import type { UnreadableRows } from "../storage/unreadable-rows.ts";

/** An edit that a person made. */
export interface StoredEdit extends AnchoredEdit<StopMark> {
  kind: Exclude<StopEdit["action"], "delete">;
  /** Null: it is not known any more. */
  by: EditedBy | null;
  /** The number of the stop of which it was said. */
  seq: number;
  /** Why nothing of it counts; null: something does. */
  orphan: OrphanReason | null;
  /** What it was made with; null: it was made alone. */
  bulkId: string | null;
}

/** The part of an edit that is JSON. Members that are missing are null, false or empty. */
interface Body {
  seq: number;
  isManual?: true;
  said?: Partial<StopMark>;
  boundary?: NonNullable<StoredEdit["boundary"]>;
}

type Row = Omit<StoredEdit, "by" | "seq" | "isManual" | "said" | "boundary"> & { by: string | null; body: string };

const IS_LIVE = "replaced_by IS NULL AND undone_by IS NULL";
const COLUMNS = 'n, at, by, kind, start, "end", body, orphan, bulk_id AS bulkId';

/**
 * Everything that people said of the machine's stops. An edit is live until a later one of a person takes its place, or it is undone. Nothing is
 * deleted.
 */
export class StoredEdits {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;

  constructor(sql: SqlStorage, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#unreadable = unreadable;
  }

  /** Returns its number. */
  add({ at, by, kind, start, end, seq, isManual, said, boundary, bulkId }: Omit<StoredEdit, "n" | "orphan">): number {
    const body: Body = {
      seq,
      ...(isManual && { isManual }),
      ...(Object.keys(said).length > 0 && { said }),
      ...(boundary && { boundary }),
    };
    const query = 'INSERT INTO edits (at, by, kind, start, "end", body, bulk_id) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING n';
    return this.#sql
      .exec<{ n: number }>(query, ...[at, by && JSON.stringify(by), kind, start, end, JSON.stringify(body), bulkId])
      .one().n;
  }

  /** The live ones whose time overlaps [start, end), in order. */
  live({ start, end }: Interval): StoredEdit[] {
    return this.#read(`${overlapping("edits", IS_LIVE)} ORDER BY n`, start, end);
  }

  /** One that is live; null: there is none. */
  get(n: number): StoredEdit | null {
    return this.#read(`FROM edits WHERE n = ? AND ${IS_LIVE}`, n)[0] ?? null;
  }

  /** Those that were made together and are not undone, live or replaced. */
  ofBulk(bulkId: string): (StoredEdit & { isReplaced: boolean })[] {
    const replaced = this.#sql
      .exec<{ n: number }>("SELECT n FROM edits WHERE bulk_id = ? AND replaced_by IS NOT NULL", bulkId)
      .toArray();
    const isReplaced = new Set(replaced.map(({ n }) => n));
    const edits = this.#read("FROM edits WHERE bulk_id = ? AND undone_by IS NULL ORDER BY n", bulkId);
    return edits.map((edit) => ({ ...edit, isReplaced: isReplaced.has(edit.n) }));
  }

  setOrphan(n: number, reason: OrphanReason | null): void {
    this.#sql.exec("UPDATE edits SET orphan = ? WHERE n = ?", reason, n);
  }

  /** Notes that a later edit took the place of one. */
  replace(n: number, by: number): void {
    this.#sql.exec("UPDATE edits SET replaced_by = ?, orphan = NULL WHERE n = ?", by, n);
  }

  /** Takes an edit back. Those whose place it took are live again, unless another one took its own place. Returns their times. */
  undo(n: number, by: EditedBy): Interval[] {
    this.#sql.exec("UPDATE edits SET undone_by = ?, orphan = NULL WHERE n = ?", JSON.stringify(by), n);
    const query = `UPDATE edits SET replaced_by = (SELECT replaced_by FROM edits WHERE n = ?1) WHERE replaced_by = ?1
      RETURNING start, "end", ${IS_LIVE} AS isLive`;
    const released = this.#sql.exec<{ start: number; end: number; isLive: number }>(query, n).toArray();
    return released.filter(({ isLive }) => isLive === 1).map(({ start, end }) => ({ start, end }));
  }

  #read(rest: string, ...bindings: (string | number)[]): StoredEdit[] {
    const rows = this.#sql.exec<Row & Record<string, SqlStorageValue>>(`SELECT ${COLUMNS} ${rest}`, ...bindings).toArray();
    return rows.flatMap(({ body, by, ...row }) => {
      const remove = () => void this.#sql.exec("UPDATE edits SET undone_by = 'unreadable' WHERE n = ?", row.n);
      const read = this.#unreadable.parse<Body>({ table: "edits", key: row.n }, body, remove);
      if (!read) return [];
      const { seq, isManual = false, said = {}, boundary = null } = read;
      return [{ ...row, by: by === null ? null : (JSON.parse(by) as EditedBy), seq, isManual, said, boundary }];
    });
  }
}
