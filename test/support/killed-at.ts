import { env } from "cloudflare:workers";

/**
 * Bindings with which a run of the archive ends at a stage, a method of the bucket, or `record` or `delete` in the database: before its work, or when
 * it is done.
 */
export function killedAt(stage: string, isDone: boolean): Partial<Env> {
  let isDead = false;
  const at = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    if (isDead) throw new Error("killed");
    if (name !== stage) return await work();
    isDead = true;
    if (isDone) await work();
    throw new Error("killed");
  };
  const ARCHIVE = new Proxy(env.ARCHIVE, {
    get:
      (target, name) =>
      (...args: [never]) =>
        at(String(name), () => (target[name as "head"] as (...sent: [never]) => Promise<unknown>)(...args)),
  });
  const stageOf = (sql: string) =>
    /^insert into "archived_days"/i.test(sql) ? "record" : /^delete from "(audit|events)"/i.test(sql) ? "delete" : "";
  const statement = (sql: string, inner: D1PreparedStatement): unknown => ({
    ...{ sql, inner },
    bind: (...values: unknown[]) => statement(sql, inner.bind(...values)),
    all: () => at(stageOf(sql), () => inner.all()),
    run: () => at(stageOf(sql), () => inner.run()),
  });
  const withSession = (start: string) => {
    const session = env.DB_0.withSession(start);
    return {
      prepare: (sql: string) => statement(sql, session.prepare(sql)),
      batch: (all: { sql: string; inner: D1PreparedStatement }[]) =>
        at(stageOf(all[0]?.sql ?? ""), () => session.batch(all.map(({ inner }) => inner))),
      getBookmark: () => session.getBookmark(),
    };
  };
  return { ARCHIVE, DB_0: { withSession } as never };
}
