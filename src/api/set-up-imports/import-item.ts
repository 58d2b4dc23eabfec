import { z } from "@hono/zod-openapi";
import { namedRef } from "../../core/refs.ts";
import { setUpImportKinds } from "../../db/values.ts";
import { isoOf } from "../../oee/time.ts";
import type { SetUpImportRow } from "./queries.ts";

const timestamp = z.iso.datetime();
const count = z.int().min(0);

/** An import of set-up in the list of them. */
export const setUpImport = z
  .object({
    id: z.int(),
    companyId: z.int(),
    kind: z.enum(setUpImportKinds),
    created: count.openapi({ description: "Items that it created" }),
    changed: count,
    unchanged: count.openapi({ description: "Rows that said what the item was already" }),
    faulty: count.openapi({ description: "Rows that were left out" }),
    createdBy: namedRef.nullable().openapi({ description: "Who imported it; null: nobody of that id is known any more" }),
    createdAt: timestamp,
    undoneAt: timestamp.nullable().openapi({ description: "Null: it was not undone, and can be" }),
  })
  .openapi("SetUpImport");
export type SetUpImport = z.infer<typeof setUpImport>;

export function setUpImportOf({ row, userName }: { row: SetUpImportRow; userName: string | null }): SetUpImport {
  const { id, companyId, kind, created, changed, unchanged, faulty, createdAt, undoneAt } = row;
  return {
    ...{ id, companyId, kind, created, changed, unchanged, faulty },
    createdBy: userName === null ? null : { id: row.userId, name: userName },
    createdAt: isoOf(createdAt),
    undoneAt: isoOf(undoneAt),
  };
}
