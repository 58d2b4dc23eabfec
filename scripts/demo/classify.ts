import { setTimeout as sleep } from "node:timers/promises";
import { apiClient } from "../../src/client/client.ts";
import { DAY_MS, MINUTE_MS } from "../../src/oee/time.ts";
import { seededRandom } from "../random.ts";
import { accounts, causes, companies, password } from "./plant.ts";

// The people of the demo plant classify stops a few minutes after the machines run again.

/** The user who classifies the stops of each company. */
const classifiers = companies.map(({ id }) => ({
  companyId: id,
  email: accounts.findLast(({ companyId, role }) => companyId === id && ["user", "admin"].includes(role))?.email ?? "",
}));

/** The percentage of stops that nobody classifies. */
const FORGOTTEN_PERCENT = 3;
/** The history of the demo plant, and a day that it may have been off. */
const HISTORY_MS = 9 * DAY_MS;
const CLASSIFIED_AFTER_MS = 4 * MINUTE_MS;
const AT_ONCE = 4;

/** Specific causes by how often they occur, of short stops and of long ones. */
const shortCauses = { "Part stuck": 40, "Conveyor full": 20, "No material": 15, Cleaning: 10, Mechanical: 8, Electrical: 7 };
const longCauses = {
  Mechanical: 30,
  "Mould change": 20,
  "No material": 15,
  Hydraulic: 12,
  Electrical: 10,
  "No operator": 8,
  "Colour change": 5,
};
const LONG_MINUTES = 15;

type Api = ReturnType<typeof apiClient>;

/** Classifies the stops of all companies from time to time, until `signal` ends it. */
export async function classifyUntil(url: string, signal: AbortSignal): Promise<void> {
  const apis = await Promise.all(
    classifiers.map(async ({ companyId, email }) => ({ companyId, api: apiClient(url, await tokenOf(url, email)) })),
  );
  while (!signal.aborted) {
    // The whole history each time: some of it may not have been in the database the last time.
    const since = Date.now() - HISTORY_MS;
    for (const { companyId, api } of apis) await classifySince(api, companyId, since);
    await sleep(MINUTE_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function tokenOf(url: string, email: string): Promise<string> {
  const { data, error } = await apiClient(url).POST("/identity/login", { body: { email, password } });
  if (!data) throw new Error(`${email} cannot log in: ${JSON.stringify(error)}`);
  return data.data.jwt.token;
}

/** Classifies stops that started since an instant, the newest ones first. */
async function classifySince(api: Api, companyId: number, since: number): Promise<void> {
  const from = new Date(since).toISOString();
  const flags = { isClassified: false, isProgrammed: false, isOpen: false, isIncludedInAvailability: true };
  for (let after: { cursor?: string } = {}; ; ) {
    const { data: page } = await api.GET("/v1/stops", { params: { query: { ...flags, ...after, from, limit: 200 } } });
    if (!page) return;
    const ready = page.data.filter(({ endTime }) => endTime !== null && Date.parse(endTime) < Date.now() - CLASSIFIED_AFTER_MS);
    for (let i = 0; i < ready.length; i += AT_ONCE) {
      await Promise.all(ready.slice(i, i + AT_ONCE).map((stop) => classify(api, companyId, stop)));
    }
    if (page.cursor === null) return;
    after = { cursor: page.cursor };
  }
}

/** The same stop always gets the same cause, or none. A stop that has changed meanwhile is left to the next round. */
async function classify(api: Api, companyId: number, stop: { id: number; durationInMinutes: number }): Promise<void> {
  const random = seededRandom("cause", companyId, stop.id);
  if (100 * random() < FORGOTTEN_PERCENT) return;
  const name = pick(stop.durationInMinutes < LONG_MINUTES ? shortCauses : longCauses, random());
  const specific = causes.find((cause) => cause.companyId === companyId && cause.level === "specific" && cause.name === name);
  if (!specific) throw new Error(`The demo plant has no cause ${name}`);
  await api.PUT("/v1/stops/{id}/classification", {
    params: { path: { id: stop.id } },
    body: { generalCauseId: String(specific.parentId), specificCauseId: String(specific.id) },
  });
}

/** A name by its weight. @param at 0..1 */
function pick(weights: Readonly<Record<string, number>>, at: number): string {
  const sum = Object.values(weights).reduce((total, weight) => total + weight, 0);
  let left = at * sum;
  for (const [name, weight] of Object.entries(weights)) {
    left -= weight;
    if (left < 0) return name;
  }
  return Object.keys(weights)[0] ?? "";
}
