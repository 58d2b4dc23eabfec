import { type ApiSchema, apiClient } from "../../src/client/client.ts";
import type { Plant } from "./plant.ts";

/** Sends events and returns their results. Throws on any status but 200, and if the connection to the server breaks. */
export async function ingest(url: string, token: string, events: ApiSchema<"IngestEvent">[]) {
  return answered(await apiClient(url, token).POST("/v1/ingest", { body: { events } }));
}

/** The results of sent events. */
export type IngestAnswer = Awaited<ReturnType<typeof ingest>>;

/** Logs the plant's superuser in with e-mail and password, and returns the token. */
export async function login(url: string, { email, password }: Pick<Plant, "email" | "password">): Promise<string> {
  return answered(await apiClient(url).POST("/identity/login", { body: { email, password } })).data.jwt.token;
}

/** The machine's total over all its shifts, from the shift report. */
export async function reportedTotal(url: string, token: string, machineId: number): Promise<number> {
  const body = { machineIds: [machineId], pageSize: 1000 };
  const { metrics, totalPages } = answered(await apiClient(url, token).POST("/v1/public/reports/metrics", { body }));
  if (totalPages > 1) throw new Error(`${totalPages} pages: one was expected`);
  return metrics.reduce((sum, { productionMetrics }) => sum + productionMetrics.total, 0);
}

/** Polls until the total is at least `expected` or the time is over; returns the last total. */
export async function settledTotal(url: string, token: string, machineId: number, expected: number): Promise<number> {
  for (const deadline = Date.now() + 30_000; ; await new Promise((done) => setTimeout(done, 250))) {
    const total = await reportedTotal(url, token, machineId);
    if (total >= expected || Date.now() > deadline) return total;
  }
}

/** The body of a successful answer. Throws on a refusal, with its text. */
export function answered<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
  return data;
}
