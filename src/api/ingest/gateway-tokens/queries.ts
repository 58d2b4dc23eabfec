import { gatewayTokens } from "../../../db/schema.ts";
import type { SetUpTable } from "../../../resource/queries.ts";

/** A deleted token is a revoked one. */
export type GatewayTokenRow = Omit<typeof gatewayTokens.$inferSelect, "revokedAt"> & { deletedAt: number | null };

const { id, companyId, name, createdAt, updatedAt, revokedAt: deletedAt } = gatewayTokens;

const columns = { id, companyId, name, createdAt, updatedAt, deletedAt };

export const gatewayTokenTable: SetUpTable = {
  ...{ table: gatewayTokens, id, companyId, updatedAt, deletedAt },
  columns: () => columns,
};
