import { recordId } from "../../src/core/record-id.ts";
import { DAY_MS, HOUR_MS } from "../../src/oee/time.ts";
import type { Trip } from "./bare-worker.ts";
import { dashboardId, subscriptionId } from "./office.ts";
import type { Plant } from "./plant-folder.ts";

/** A request to an operation, as measured. */
export interface BenchRead {
  /** Its name in the table. */
  name: string;
  method: "GET" | "POST" | "PUT" | "PATCH";
  path: string;
  body?: object;
  /** The bare Worker's queries instead of those of the operation: for the same data, in the simplest way. */
  plain?: Trip;
}

const iso = (at: number) => new Date(at).toISOString();
const last = (until: number, days: number) => ({ from: iso(until - days * DAY_MS), to: iso(until) });
const get = (name: string, path: string): BenchRead => ({ name, method: "GET", path });
const post = (name: string, path: string, body: object): BenchRead => ({ name, method: "POST", path, body });

/** The machine used where one is required, with its stop and its record. */
const machineId = 7;
const stopId = recordId(machineId, 1);
const shiftRecordId = recordId(machineId, 1);
/** An operator of the first company, with a share in one of five shifts. */
const operatorId = 7;

/**
 * Page 1 of a report whose page 10,000 has rows too, on a plant of 1,000,000 stops of which 50,000 are deleted. Oldest first: the newest ones
 * are the bench company's unclassified ones, and the comparison would include answers that are a third shorter.
 */
const ofOldest = (page: number) =>
  post(`stop report, 90 of the oldest, page ${page.toLocaleString("en")}`, "/v1/public/reports/stops", {
    direction: "asc",
    pageSize: 90,
    page,
  });
export const firstPage = ofOldest(1);
export const deepPage = ofOldest(10_000);

export const everyStop = post("11 stop report, of everything", "/v1/public/reports/stops", {});

/** Reads that only use the database. */
export function reads({ until, shape }: Plant): BenchRead[] {
  const metrics = (name: string, body: object) => post(`1 metric report, ${name}`, "/v1/public/reports/metrics", body);
  const stops = (name: string, body: object) => post(`11 stop report, ${name}`, "/v1/public/reports/stops", body);
  const ofCompany = { companyIds: [1], ...last(until, 1) };
  const chart = (name: string, days: number, body: object) =>
    post(`18 stop metrics, ${name}`, "/widget/stop-metrics", { filter_by: { date_range: last(until, days) }, ...body });
  const availability = (days: number) => {
    const window = new URLSearchParams({ start: iso(until - days * DAY_MS), end: iso(until) });
    return get(`20 availability, ${days} d`, `/machines/${machineId}/availability?${window}`);
  };
  const days = Math.min(45, shape.shiftsPerMachine / 3);
  return [
    metrics("of everything", {}),
    metrics("a company's day", ofCompany),
    everyStop,
    stops("a company's day", ofCompany),
    stops("a machine's", { machineIds: [machineId] }),
    stops("unclassified of a company's day", { ...ofCompany, isClassified: false }),
    get("13 subscription logs", `/subscriptions/${subscriptionId}/logs`),
    chart("2 of a day", 1, { metrics: ["stop_count", "stop_duration"], interval: "hour" }),
    chart(`3 of ${days} days by machine`, days, { metrics: ["stop_count", "stop_duration", "mtbf"], group_by: "machine" }),
    availability(1),
    availability(days),
    get("22 webhook secret", "/webhook-subscriptions/secret"),
    get("list stops", "/v1/stops"),
    get("a stop", `/v1/stops/${stopId}`),
    get("list work orders", "/v1/work-orders"),
    get("list open work orders of a machine", `/v1/work-orders?companyId=1&statuses=InProgress&machineIds=${machineId}`),
    get("a work order", "/v1/work-orders/order-1"),
    get("list machines", "/v1/machines"),
    get("a machine", `/v1/machines/${machineId}`),
    get("list operators", "/v1/operators"),
    get("list stop causes", "/v1/stop-causes"),
    get("a dashboard", `/v1/dashboards/${dashboardId}`),
    get("list widgets", "/v1/widgets"),
    get("list tags", "/v1/tags"),
    get("list personas", "/v1/personas"),
    get("list notifications", "/v1/notifications"),
    get("list role permissions", "/v1/role-permissions"),
    get("list report subscriptions", "/v1/report-subscriptions"),
    get("the own config", "/v1/config"),
    get("list the audit", "/v1/audit?companyId=1"),
  ];
}

/** Reports of a company's numbers that only use the database. */
export function reports({ until, shape }: Plant): BenchRead[] {
  const of = (days: number) => new URLSearchParams({ companyId: "1", ...last(until, days) });
  const summary = (groupBy: string, days: number) =>
    get(`summary of ${days} d by ${groupBy}`, `/v1/summary?groupBy=${groupBy}&${of(days)}`);
  const production = (interval: string, days: number) =>
    get(`production of ${days} d by ${interval}`, `/v1/production?interval=${interval}&${of(days)}`);
  return [
    get("list shift records", "/v1/shift-records?companyId=1"),
    get("list shift records, a month by OEE", `/v1/shift-records?sort=oee&${of(30)}`),
    get("list stop records", "/v1/stop-records?companyId=1"),
    get("list stop records, a month by duration", `/v1/stop-records?sort=-duration&${of(30)}`),
    summary("machine", 7),
    summary("day", 7),
    summary("shift,hour", 1),
    summary("sku", 7),
    summary("order", 7),
    summary("operator", 7),
    summary("cause", 7),
    summary("machine,day", Math.min(90, shape.partsDays)),
    production("hour", 1),
    production("shift", 7),
    get("production of 8 h by 15min", `/v1/production?interval=15min&companyId=1&${lastHours(until, 8)}`),
    get("an operator's shifts", `/v1/operators/${operatorId}/shifts`),
    get("the operators of a shift", `/v1/shift-records/${shiftRecordId}/operators`),
  ];
}

function lastHours(until: number, hours: number): URLSearchParams {
  return new URLSearchParams({ from: iso(until - hours * HOUR_MS), to: iso(until) });
}

/** The summary of all days with parts, of the first company's machines, compared with the same sums in plain SQL. */
export function longSummary({ until, shape: { partsDays: days, machinesPerCompany } }: Plant): BenchRead {
  const window = new URLSearchParams({ companyId: "1", ...last(until, days) });
  const sums = [
    ...["available_ms", "no_data_ms", "programmed_ms", "non_programmed_ms", "other_ms", "annotated_ms", "cycles", "total_units"],
    ...["defect_units", "ideal_ms", "lost_by_defects_ms", "(available_ms + non_programmed_ms) / unit_standard_ms"],
  ];
  const query = `SELECT start_at / ${DAY_MS} AS day, ${sums.map((sum, i) => `sum(${sum}) AS sum_${i}`).join(", ")}
    FROM shift_parts WHERE company_id = ?1 AND start_at >= ?2 AND start_at < ?3 GROUP BY 1`;
  return {
    ...get(`summary of ${days} d of ${machinesPerCompany} machines by day`, `/v1/summary?groupBy=day&${window}`),
    plain: [{ query, params: [1, until - days * DAY_MS, until] }],
  };
}

/** Reads that query the objects of the bench company's machines. */
export function objectReads(
  { benchCompany }: Plant,
  machinesAPage: number,
): { ofMany: [BenchRead, BenchRead]; others: BenchRead[] } {
  const ids = benchCompany.crowd.flatMap(({ machineIds }) => machineIds).slice(0, machinesAPage);
  const [first] = ids;
  const operators = (of: readonly (number | undefined)[]) =>
    get(`8 realtime operators, ${of.length} on the page`, `/machines/realtime/operators?machineId=${of.join()}&limit=1000`);
  return {
    ofMany: [
      operators(ids),
      get(`the state of ${ids.length} machines`, `/v1/state?companyId=${benchCompany.companyId}&machineIds=${ids.join()}`),
    ],
    others: [operators([first]), get("a machine's state", `/v1/machines/${first}/state`)],
  };
}
