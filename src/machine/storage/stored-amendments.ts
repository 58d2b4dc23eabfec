import type { EditedBy } from "../../objects/machine-protocol.ts";
import { type Amendment, Amendments, type NumberedAmendment } from "../../oee/amendments.ts";
import type { Interval } from "../../oee/time.ts";
import type { UnreadableRows } from "./unreadable-rows.ts";

/** The most amendments of a kind that hold at a machine. */
export const MOST_AMENDMENTS = 500;
/** How many later ones there are when one that was undone is forgotten. */
const UNDONE_KEPT = 2 * MOST_AMENDMENTS;

/** An amendment, and who made it, when and why. */
export type StoredAmendment = NumberedAmendment & { madeAt: number; by: EditedBy; reason: string };

type Row = {
  n: number;
  kind: Amendment["kind"];
  start: number;
  end: number;
  body: string;
  madeAt: number;
  by: string;
  reason: string;
};

const COLUMNS = 'n, kind, start, "end", body, at AS madeAt, by, reason';

/** What people said afterwards of what was made, and of who was there. One that is undone is kept for a while, and holds no more. */
export class StoredAmendments {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;
  /** Those that hold; null: not read yet. */
  #live: Amendments | null = null;

  constructor(sql: SqlStorage, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#unreadable = unreadable;
  }

  /** Drops what is in memory, because it was not stored. */
  reload(): void {
    this.#live = null;
  }

  /** Those that hold, as a function of time. */
  live(): Amendments {
    this.#live ??= new Amendments(this.#read("undone_by IS NULL"));
    return this.#live;
  }

  /** How many of a kind hold. */
  count(kind: Amendment["kind"]): number {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM amendments WHERE kind = ? AND undone_by IS NULL", kind).one()
      .n;
  }

  /** Those of a kind that hold and overlap an interval, the latest first. */
  of(kind: Amendment["kind"], { start, end }: Interval): StoredAmendment[] {
    return this.#read('kind = ? AND undone_by IS NULL AND start < ? AND "end" > ?', kind, end, start).sort((a, b) => b.n - a.n);
  }

  /** One of a kind that holds; null: there is none. */
  get(kind: Amendment["kind"], n: number): StoredAmendment | null {
    return this.#read("n = ? AND kind = ? AND undone_by IS NULL", n, kind)[0] ?? null;
  }

  /** Returns its number. */
  add(
    { kind, start, end, ...body }: Amendment,
    { madeAt, by, reason }: { madeAt: number; by: EditedBy; reason: string },
  ): number {
    const query = 'INSERT INTO amendments (kind, start, "end", body, at, by, reason) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING n';
    const { n } = this.#sql
      .exec<{ n: number }>(query, kind, start, end, JSON.stringify(body), madeAt, JSON.stringify(by), reason)
      .one();
    this.#sql.exec("DELETE FROM amendments WHERE undone_by IS NOT NULL AND n <= ?", n - UNDONE_KEPT);
    this.#live = null;
    return n;
  }

  undo(n: number, by: EditedBy): void {
    this.#sql.exec("UPDATE amendments SET undone_by = ? WHERE n = ?", JSON.stringify(by), n);
    this.#live = null;
  }

  #read(where: string, ...bindings: (string | number)[]): StoredAmendment[] {
    const rows = this.#sql.exec<Row>(`SELECT ${COLUMNS} FROM amendments WHERE ${where} ORDER BY n`, ...bindings).toArray();
    return rows.flatMap(({ body, by, ...row }) => {
      const remove = () => void this.#sql.exec("UPDATE amendments SET undone_by = 'unreadable' WHERE n = ?", row.n);
      const said = this.#unreadable.parse<object>({ table: "amendments", key: row.n }, body, remove);
      return said ? [{ ...row, ...said, by: JSON.parse(by) as EditedBy } as StoredAmendment] : [];
    });
  }
}
