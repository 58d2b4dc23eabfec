import { append } from "../domain/extremes.ts";

// Lists of the API that come in pages. No list is cut without saying so.

type PageOf<T> = (cursor: { cursor?: string }) => Promise<{ data: T[]; cursor: string | null }>;

/** All items of a list, page by page. */
export function allOf<T>(page: PageOf<T>): Promise<T[]> {
  return someOf(Number.POSITIVE_INFINITY, () => true, page);
}

/** The first items of a list, at least `count` if it has so many, and whether there are more. */
export async function firstOf<T>(count: number, page: PageOf<T>): Promise<{ data: T[]; hasMore: boolean }> {
  const data: T[] = [];
  let cursor: string | null = null;
  do {
    const answer: { data: T[]; cursor: string | null } = await page(cursor === null ? {} : { cursor });
    append(data, answer.data);
    cursor = answer.cursor;
  } while (cursor !== null && data.length < count);
  return { data, hasMore: cursor !== null };
}

/** The first `count` items of a list for which `isWanted` is true. Reads no more pages than that takes. */
export async function someOf<T>(count: number, isWanted: (item: T) => boolean, page: PageOf<T>): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const answer: { data: T[]; cursor: string | null } = await page(cursor === null ? {} : { cursor });
    append(items, answer.data.filter(isWanted));
    cursor = answer.cursor;
  } while (cursor !== null && items.length < count);
  return items.slice(0, count);
}
