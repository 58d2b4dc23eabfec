import type { GatewayCondition, GatewayStatus, HeardGateway } from "../objects/gateways.ts";
import { SECOND_MS } from "../oee/time.ts";

/** The most gateways of a company whose reports are kept. The one that was silent for the longest time is forgotten. */
const MOST_GATEWAYS = 500;
/** A report is stored if the stored one is older than this: a gateway that reports more often costs no more writes. */
const STORE_EVERY_MS = 10 * SECOND_MS;

interface Row extends Record<string, SqlStorageValue> {
  id: number;
  heardAt: number;
  body: string;
}

/**
 * The last report of each gateway of a company. One that came soon after the stored one is in memory only: if the hub stops before the next, what is
 * lost is younger than a report in good order, and the gateway sends another one.
 */
export class Gateways {
  readonly #storage: DurableObjectStorage;
  /** Reports that are newer than the stored ones, by the id of the token. */
  readonly #newer = new Map<number, HeardGateway>();

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  get #sql(): SqlStorage {
    return this.#storage.sql;
  }

  /** Takes a report. */
  hear(gatewayTokenId: number, status: GatewayStatus, now: number): void {
    const [stored] = this.#sql.exec<{ at: number }>("SELECT heard_at AS at FROM gateways WHERE token_id = ?", gatewayTokenId);
    // If the clock was set back, what is stored seems to come from the future.
    if (stored && stored.at <= now && now - stored.at < STORE_EVERY_MS) {
      this.#newer.set(gatewayTokenId, { gatewayTokenId, heardAt: now, status });
      return;
    }
    this.#newer.delete(gatewayTokenId);
    this.#storage.transactionSync(() => {
      this.#sql.exec(
        `INSERT INTO gateways (token_id, heard_at, oldest_at, clock_skew_ms, body) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET heard_at = excluded.heard_at, oldest_at = excluded.oldest_at, clock_skew_ms = excluded.clock_skew_ms,
            body = excluded.body`,
        ...[gatewayTokenId, now, status.queue.oldestAt, status.clockSkewMs, JSON.stringify(status)],
      );
      if (stored) return;
      const forgotten = this.#sql.exec<{ id: number }>(
        "DELETE FROM gateways WHERE token_id IN (SELECT token_id FROM gateways ORDER BY heard_at DESC LIMIT -1 OFFSET ?) RETURNING token_id AS id",
        MOST_GATEWAYS,
      );
      for (const { id } of forgotten) this.#newer.delete(id);
    });
  }

  /** The last reports of some gateways, of those that reported. */
  heard(gatewayTokenIds: readonly number[]): HeardGateway[] {
    const rows = this.#sql.exec<Row>(
      "SELECT token_id AS id, heard_at AS heardAt, body FROM gateways WHERE token_id IN (SELECT value FROM json_each(?))",
      JSON.stringify(gatewayTokenIds),
    );
    return rows.toArray().map(({ id, heardAt, body }) => {
      return this.#newer.get(id) ?? { gatewayTokenId: id, heardAt, status: JSON.parse(body) as GatewayStatus };
    });
  }

  /** What alert rules look at, of all gateways that ever reported. */
  conditions(): GatewayCondition[] {
    const rows = this.#sql.exec<{ gatewayTokenId: number; heardAt: number; oldestAt: number | null; clockSkewMs: number | null }>(
      "SELECT token_id AS gatewayTokenId, heard_at AS heardAt, oldest_at AS oldestAt, clock_skew_ms AS clockSkewMs FROM gateways ORDER BY token_id",
    );
    return rows.toArray().map((row) => {
      const newer = this.#newer.get(row.gatewayTokenId);
      if (!newer) return row;
      const { heardAt, status } = newer;
      return { ...row, heardAt, oldestAt: status.queue.oldestAt, clockSkewMs: status.clockSkewMs };
    });
  }
}
