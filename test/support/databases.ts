import { env } from "cloudflare:workers";

/** A companies' database whose trips are made by `trip`. */
export function databaseWith(trip: <T>(work: () => Promise<T>) => Promise<T>): D1Database {
  const withSession = (start: string) => {
    const session = env.DB_0.withSession(start);
    const statement = (inner: D1PreparedStatement): unknown => ({
      inner,
      bind: (...values: unknown[]) => statement(inner.bind(...values)),
      all: () => trip(() => inner.all()),
      run: () => trip(() => inner.run()),
    });
    return {
      prepare: (sql: string) => statement(session.prepare(sql)),
      batch: (all: { inner: D1PreparedStatement }[]) => trip(() => session.batch(all.map(({ inner }) => inner))),
      getBookmark: () => session.getBookmark(),
    };
  };
  return { withSession } as never;
}

/** A database that fails after so many trips. */
export function killedAfter(trips: number): Partial<Env> {
  let left = trips;
  const DB_0 = databaseWith((work) => {
    left -= 1;
    return left < 0 ? Promise.reject(new Error("killed")) : work();
  });
  return { DB_0 };
}
