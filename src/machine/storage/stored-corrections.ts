import type { AppliedCorrection, Correction } from "../../oee/corrections.ts";
import type { Interval } from "../../oee/time.ts";
import type { UnreadableRows } from "./unreadable-rows.ts";

/** A correction, as it was entered and with what became of it. */
export interface StoredCorrection extends Correction {
  /** Its number among those of the machine. */
  seq: number;
  /** Those of its defects that are to be made good. */
  rework: number;
  reasonId: number | null;
  comment: string | null;
  userId: number;
  apiTokenId: number | null;
  /** Null: it counts. */
  undone: { at: number; userId: number } | null;
  /** Null: it changes nothing, because it was undone, or the machine did not make this in the shift. */
  applied: AppliedCorrection | null;
}

interface Row extends Record<string, SqlStorageValue> {
  seq: number;
  at: number;
  body: string;
}

/**
 * What people corrected, for good: nothing is deleted. Corrections are no part of the input log, because nothing has to be replayed for them: they
 * are applied where a shift is computed. So they can be of a time whose events are not kept, and a recalculation does not concern them.
 */
export class StoredCorrections {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;
  /** Most machines have none, and ask with each shift that they compute; null: not read yet. */
  #isAny: boolean | null = null;

  constructor(sql: SqlStorage, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#unreadable = unreadable;
  }

  /** Drops what is in memory, because it was not stored. */
  reload(): void {
    this.#isAny = null;
  }

  /** Those at an instant in [start, end), in the order in which they were entered. */
  in({ start, end }: Interval): StoredCorrection[] {
    this.#isAny ??= this.#sql.exec("SELECT 1 FROM corrections LIMIT 1").toArray().length > 0;
    return this.#isAny ? this.#read("WHERE at >= ? AND at < ? ORDER BY seq", start, end) : [];
  }

  /** Those of them that count. */
  counting(interval: Interval): StoredCorrection[] {
    return this.in(interval).filter(({ undone }) => undone === null);
  }

  get(seq: number): StoredCorrection | null {
    return this.#read("WHERE seq = ?", seq)[0] ?? null;
  }

  /** Stores a new one. Returns its number. */
  add(correction: Omit<StoredCorrection, "seq">): number {
    const { last } = this.#sql.exec<{ last: number | null }>("SELECT max(seq) AS last FROM corrections").one();
    const seq = (last ?? 0) + 1;
    this.save({ seq, ...correction });
    return seq;
  }

  save({ seq, at, ...body }: StoredCorrection): void {
    this.#sql.exec("INSERT OR REPLACE INTO corrections (seq, at, body) VALUES (?, ?, ?)", seq, at, JSON.stringify(body));
    this.#isAny = true;
  }

  #read(rest: string, ...bindings: number[]): StoredCorrection[] {
    return this.#sql
      .exec<Row>(`SELECT seq, at, body FROM corrections ${rest}`, ...bindings)
      .toArray()
      .flatMap(({ seq, at, body }) => {
        const remove = () => void this.#sql.exec("DELETE FROM corrections WHERE seq = ?", seq);
        const said = this.#unreadable.parse<Omit<StoredCorrection, "seq" | "at">>(
          { table: "corrections", key: seq },
          body,
          remove,
        );
        return said ? [{ seq, at, ...said }] : [];
      });
  }
}
