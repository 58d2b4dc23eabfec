import type { Plant } from "./plant.ts";

/** What `POST /v1/ingest` answers. */
export interface IngestAnswer {
  accepted: number;
  duplicates: number;
  rejected: unknown[];
}

interface MetricReport {
  totalPages: number;
  metrics: { machine: { id: number }; productionMetrics: { total: number } }[];
}

/** Sends JSON and gives the JSON answered. Throws on any status but 200, and when the server goes away. */
export async function post<T>(url: string, path: string, body: unknown, token?: string): Promise<T> {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`POST ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

/** The token that the plant's superuser gets for e-mail and password. */
export async function login(url: string, { email, password }: Plant): Promise<string> {
  const answer = await post<{ data: { jwt: { token: string } } }>(url, "/identity/login", { email, password });
  return answer.data.jwt.token;
}

/** The machine's total over all its shifts, from the shift report. */
export async function reportedTotal(url: string, token: string, machineId: number): Promise<number> {
  const body = { machineIds: [machineId], pageSize: 1000 };
  const { metrics, totalPages } = await post<MetricReport>(url, "/v1/public/reports/metrics", body, token);
  if (totalPages > 1) throw new Error(`${totalPages} pages: one was expected`);
  return metrics.reduce((sum, { productionMetrics }) => sum + productionMetrics.total, 0);
}

/** Asks again until the total is at least `expected` or the time is over; gives the last one seen. */
export async function settledTotal(url: string, token: string, machineId: number, expected: number): Promise<number> {
  for (const deadline = Date.now() + 30_000; ; await new Promise((done) => setTimeout(done, 250))) {
    const total = await reportedTotal(url, token, machineId);
    if (total >= expected || Date.now() > deadline) return total;
  }
}
