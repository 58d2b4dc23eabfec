import { apiClient } from "../../src/client/client.ts";
import { alertRuleIds } from "./office.ts";
import { password } from "./plant.ts";

/** Activates the demo plant's alert rules. Deleted ones are skipped. */
export async function activateAlerts(url: string): Promise<void> {
  const { data } = await apiClient(url).POST("/identity/login", { body: { email: "admin@demo.test", password } });
  const api = apiClient(url, data?.data.jwt.token ?? "");
  for (const id of alertRuleIds) {
    await api.PATCH("/v1/alert-rules/{id}", { params: { path: { id } }, body: { isActive: true } });
  }
}
