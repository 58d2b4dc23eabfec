import { getTableColumns } from "drizzle-orm";
import { webhookSubscriptions } from "../../../db/schema.ts";
import type { SetUpTable } from "../queries.ts";

export type SubscriptionRow = typeof webhookSubscriptions.$inferSelect;

const { id, companyId, updatedAt, deletedAt } = webhookSubscriptions;

export const webhookSubscriptionTable: SetUpTable = {
  ...{ table: webhookSubscriptions, id, companyId, updatedAt, deletedAt },
  columns: () => getTableColumns(webhookSubscriptions),
};
