import { z } from "@hono/zod-openapi";

// Shared by all lists: each schema costs start-up time.
const limit = z.coerce.number().int().min(1).max(500).default(50);
const cursorText = z.string().max(1000);
const nextCursor = z.string().nullable().openapi({ description: "Of the next page; null on the last" });

/**
 * The `limit` and `cursor` of a list that is paged by keys.
 * @param keys the schema of the keys of a page's last row, in the order of the list; a cursor with anything else is refused
 */
export function paged<K extends z.ZodType>(keys: K) {
  const cursor = cursorText.transform((text, c): z.output<K> => {
    const parsed = keys.safeParse(decoded(text));
    if (parsed.success) return parsed.data;
    c.addIssue({ code: "custom", message: "is not a cursor that this list gave" });
    return z.NEVER;
  });
  return z.strictObject({
    limit,
    cursor: cursor.optional().openapi({ type: "string", description: "`cursor` of the page before" }),
  });
}

/**
 * The page, and the cursor of the next one, of rows that were read with one more than `limit`.
 * @param keysOf the keys of a row, as given to `paged`
 */
export function pageOf<Row>(rows: readonly Row[], limit: number, keysOf: (row: Row) => readonly (string | number)[]) {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, cursor: last === undefined ? null : encoded(keysOf(last)) };
}

/** The answer of a list of such items. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), cursor: nextCursor });
}

function encoded(keys: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(keys)).toString("base64url");
}

/** The content of a cursor; null if the text is none. */
function decoded(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return null;
  }
}
