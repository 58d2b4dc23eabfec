// Bookmarks as callers see them: `<database>.<bookmark>`, such as `0.00000085-...`. A bookmark says nothing to another database than its own.

const shape = /^(?:(\d{1,2})\.)?([0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32})$/;

/** A bookmark that a caller sent. `database`: its number. */
export interface NamedBookmark {
  database: number;
  bookmark: string;
}

/** Returns the bookmark of a database as callers get it. */
export function withDatabase({ database, bookmark }: NamedBookmark): string {
  return `${database}.${bookmark}`;
}

/** Reads a bookmark that a caller sent; null if it is none. One without a database is from before there could be several, so it is that of database 0. */
export function parseBookmark(text: string): NamedBookmark | null {
  const [, database = "0", bookmark] = shape.exec(text) ?? [];
  return bookmark === undefined ? null : { database: Number(database), bookmark };
}
