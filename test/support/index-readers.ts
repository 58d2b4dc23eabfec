import { env } from "cloudflare:workers";
import { afterAll } from "vitest";

// For `npm run indexes` (scripts/checks/index-readers.ts): which indexes the plans of the service's statements name. Tests themselves
// use the databases without a session.

declare module "vitest" {
  interface ProvidedContext {
    indexReaders: boolean;
  }
}

interface Prepared {
  prepare(query: string): D1PreparedStatement;
}

const databases = [env.DB_0, env.DIRECTORY];

/** The statements that are not planned yet, with values that one was sent with, and the indexes of those that are: for all files of the process. */
const shared = globalThis as { indexReaders?: { waiting: Map<string, unknown[]>; known: Set<string>; used: Set<string> } };

/** Watches the statements of all sessions, and says at the end of each file which indexes they use. */
export function watchIndexReaders(): void {
  shared.indexReaders ??= watch();
  const { waiting, used } = shared.indexReaders;
  // biome-ignore lint/correctness/noEmptyPattern: Vitest wants the fixtures that it uses: none.
  afterAll(async ({}, suite) => {
    const all: string[] = [];
    for (const database of databases) {
      for (const [query, values] of waiting) for (const name of await indexesOf(database, query, values)) used.add(name);
      const { results } = await database
        .prepare("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND sql NOT LIKE 'CREATE UNIQUE %'")
        .all<{ name: string }>();
      all.push(...results.map(({ name }) => name));
    }
    waiting.clear();
    Object.assign(suite.meta, { indexes: { all, used: [...used] } });
  });
}

function watch(): NonNullable<typeof shared.indexReaders> {
  const readers = { waiting: new Map<string, unknown[]>(), known: new Set<string>(), used: new Set<string>() };
  const sessions: Prepared = Object.getPrototypeOf(env.DB_0.withSession());
  const { prepare } = sessions;
  sessions.prepare = function (this: Prepared, query) {
    const statement = prepare.call(this, query);
    if (readers.known.has(query)) return statement;
    readers.known.add(query);
    readers.waiting.set(query, []);
    const bind = statement.bind.bind(statement);
    statement.bind = (...values) => {
      readers.waiting.set(query, values);
      return bind(...values);
    };
    return statement;
  };
  return readers;
}

/** The indexes in the plan of a statement; none if it is not one of this database. */
async function indexesOf(database: D1Database, query: string, values: unknown[]): Promise<string[]> {
  try {
    const plan = await database
      .prepare(`EXPLAIN QUERY PLAN ${query}`)
      .bind(...values)
      .all<{ detail: string }>();
    return plan.results.flatMap(({ detail }) => / USING (?:COVERING )?INDEX (\w+)/.exec(detail)?.[1] ?? []);
  } catch {
    return [];
  }
}
