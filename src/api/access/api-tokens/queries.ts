import { getTableColumns } from "drizzle-orm";
import { apiTokens, roles } from "../../../db/schema.ts";
import type { SetUpTable } from "../../../resource/queries.ts";

export { roles };

/** A deleted token is a revoked one. */
export type ApiTokenRow = Omit<typeof apiTokens.$inferSelect, "revokedAt" | "tokenHash"> & { deletedAt: number | null };

const { tokenHash: _, revokedAt: deletedAt, ...columns } = getTableColumns(apiTokens);
const { id, companyId, updatedAt } = columns;

export const apiTokenTable: SetUpTable = {
  ...{ table: apiTokens, id, companyId, updatedAt, deletedAt },
  columns: () => ({ ...columns, deletedAt }),
};
