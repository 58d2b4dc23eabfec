import type { Step } from "../core/storage-steps.ts";

/** The steps of the storage of hubs, in order. What a step promises, and how one is added: src/machine/storage/steps.ts. */
export const migrations: readonly Step[] = [
  {
    id: "0000_signals",
    sql: `
      -- A channel whose counts were refused, by its sender. All times are epoch ms.
      CREATE TABLE signals (id INTEGER PRIMARY KEY, source TEXT NOT NULL, node_id INTEGER NOT NULL, channel INTEGER NOT NULL, code TEXT NOT NULL,
        message TEXT NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, sent_at INTEGER, refused INTEGER NOT NULL, recent TEXT NOT NULL,
        kept INTEGER NOT NULL, kept_bytes INTEGER NOT NULL, kept_pulses INTEGER NOT NULL, UNIQUE (source, node_id, channel));
      -- Its counts that are kept, by their own time. key: the id, or the content of one without.
      CREATE TABLE kept_counts (signal_id INTEGER NOT NULL, at INTEGER NOT NULL, key TEXT NOT NULL, source TEXT NOT NULL, heard_at INTEGER NOT NULL,
        bytes INTEGER NOT NULL, pulses INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (signal_id, at, key)) WITHOUT ROWID;
      CREATE INDEX kept_counts_heard ON kept_counts (source, heard_at);
    `,
  },
  {
    id: "0001_gateways",
    sql: `
      -- The last report of a gateway, by its token; of its body, what alert rules look at is in columns. All times are epoch ms.
      CREATE TABLE gateways (token_id INTEGER PRIMARY KEY, heard_at INTEGER NOT NULL, oldest_at INTEGER, clock_skew_ms INTEGER, body TEXT NOT NULL);
    `,
  },
];
