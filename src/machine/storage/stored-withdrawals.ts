import type { WithdrawableKind } from "../../db/values.ts";
import type { EventFilter } from "../../objects/machine-protocol.ts";
import type { MachineEvent } from "../../oee/events.ts";
import { idOf } from "../inputs/ledger-position.ts";
import { asSent, type InputEvent, isSentPulses, type StoredEvent } from "../inputs/stored-event.ts";
import type { UnreadableRows } from "./unreadable-rows.ts";

/** A withdrawal of events, as it was entered. */
export interface StoredWithdrawal extends EventFilter {
  /** Its number among those of the machine. */
  seq: number;
  reason: string;
  /** How many events it withdrew when it was entered. */
  events: number;
  userId: number;
  apiTokenId: number | null;
  /** Null: its events count for nothing. */
  restored: { at: number; userId: number } | null;
}

interface Row extends Record<string, SqlStorageValue> {
  seq: number;
  body: string;
}

/** The kinds of events that machines and their gateways send by themselves. */
const ofMachines: readonly WithdrawableKind[] = ["count", "heartbeat", "state"];

const kindOf: Partial<Record<InputEvent["kind"], WithdrawableKind>> = {
  ...{ pulses: "count", total: "count", count: "count", sample: "heartbeat", state: "state", operator: "operator", sku: "sku" },
};

/**
 * Whether a stored event is one of those that a filter names. What no person can withdraw, such as cuts, never is. The value of a count that version
 * 0.1.0 stored without what was sent is what it counted.
 */
export function isMatch({ from, to, kinds, minValue, ids, ...filter }: EventFilter, stored: StoredEvent): boolean {
  const { at } = stored.event;
  if (at < from || at >= to) return false;
  const { event, pos, importId } = asSent(stored);
  const kind = kindOf[event.kind];
  if (kind === undefined || !(kinds ?? (ids ? [kind] : ofMachines)).includes(kind)) return false;
  const { nodeId, channel, value } = isSentPulses(event) ? event : countOf(event);
  const isOf = <T>(wanted: T | null, one: T | null | undefined) => wanted === null || wanted === one;
  if (!isOf(filter.nodeId, nodeId) || !isOf(filter.channel, channel) || !isOf(filter.importId, importId)) return false;
  if (minValue !== null && (value === null || value < minValue)) return false;
  return ids === null || ids.includes(idOf(pos) ?? "");
}

/** Of an event that came from no known channel. */
function countOf(event: MachineEvent) {
  return { nodeId: null, channel: null, value: event.kind === "count" ? event.total : null };
}

/**
 * The withdrawals of a machine, for good. The events themselves stay where they are: they count for nothing while a withdrawal names them, whenever
 * they arrived.
 */
export class StoredWithdrawals {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;
  /** Those that hold; null: not read yet. */
  #holding: readonly StoredWithdrawal[] | null = null;

  constructor(sql: SqlStorage, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#unreadable = unreadable;
  }

  /** Drops what is in memory, because it was not stored. */
  reload(): void {
    this.#holding = null;
  }

  /** Whether a stored event counts for nothing, because people withdrew it. */
  covers(stored: StoredEvent): boolean {
    // Most machines have none, and every event is asked for.
    const holding = this.holding();
    return holding.length > 0 && holding.some((one) => isMatch(one, stored));
  }

  /** Those that were not taken back. */
  holding(): readonly StoredWithdrawal[] {
    this.#holding ??= this.#read("WHERE holds ORDER BY seq");
    return this.#holding;
  }

  get(seq: number): StoredWithdrawal | null {
    return this.#read("WHERE seq = ?", seq)[0] ?? null;
  }

  /** Stores a new one. Returns its number. */
  add(withdrawal: Omit<StoredWithdrawal, "seq">): number {
    const { last } = this.#sql.exec<{ last: number | null }>("SELECT max(seq) AS last FROM withdrawals").one();
    const seq = (last ?? 0) + 1;
    this.save({ seq, ...withdrawal });
    return seq;
  }

  save({ seq, ...body }: StoredWithdrawal): void {
    const holds = body.restored === null ? 1 : 0;
    this.#sql.exec("INSERT OR REPLACE INTO withdrawals (seq, holds, body) VALUES (?, ?, ?)", seq, holds, JSON.stringify(body));
    this.#holding = null;
  }

  #read(rest: string, ...bindings: number[]): StoredWithdrawal[] {
    return this.#sql
      .exec<Row>(`SELECT seq, body FROM withdrawals ${rest}`, ...bindings)
      .toArray()
      .flatMap(({ seq, body }) => {
        const remove = () => void this.#sql.exec("DELETE FROM withdrawals WHERE seq = ?", seq);
        const said = this.#unreadable.parse<Omit<StoredWithdrawal, "seq">>({ table: "withdrawals", key: seq }, body, remove);
        return said ? [{ seq, ...said }] : [];
      });
  }
}
