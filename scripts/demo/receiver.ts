import { apiClient } from "../../src/client/client.ts";
import { webhookSubscriptions } from "../../src/db/schema.ts";
import { insertSql } from "../sql.ts";
import { sql } from "../sql-text.ts";
import { password } from "./plant.ts";

/** The demo plant's webhook subscription. */
const id = "00000000-0000-4000-8000-000000000001";

/**
 * The statements that send all events of the demo plant to a receiver on a port of this computer. Null: to nobody, so that no calls go
 * to a closed port.
 */
export function receiverSql(port: number | null): string[] {
  const now = Date.now();
  const url = `http://127.0.0.1:${port}/`;
  const row = {
    ...{ id, companyId: 1, url, events: null, machineIds: null, lineIds: null, isActive: true, sealedSecret: null },
    ...{ description: "The receiver of npm start -- --receiver", createdAt: now, updatedAt: now },
  };
  if (port === null) return [sql`UPDATE webhook_subscriptions SET is_active = 0 WHERE id = ${id}`];
  return [
    insertSql(webhookSubscriptions, [row]).replace(/^INSERT/, "INSERT OR IGNORE"),
    sql`UPDATE webhook_subscriptions SET url = ${url}, is_active = 1, ended_at = NULL, ended_because = NULL, failing_since = NULL,
      deleted_at = NULL, updated_at = ${now} WHERE id = ${id}`,
  ];
}

/** The secret that signs the demo plant's webhooks. Throws if the service does not return it. */
export async function demoWebhookSecret(url: string): Promise<string> {
  const login = await apiClient(url).POST("/identity/login", { body: { email: "admin@demo.test", password } });
  const { data, response } = await apiClient(url, login.data?.data.jwt.token ?? "").GET("/webhook-subscriptions/secret");
  if (!data) throw new Error(`The service does not tell the secret of its webhooks: ${response.status}`);
  return data;
}
