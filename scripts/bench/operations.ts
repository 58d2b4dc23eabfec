import { recordId } from "../../src/machine/record-id.ts";
import { DAY_MS } from "../../src/oee/time.ts";
import { dashboardId, subscriptionId } from "./office.ts";
import type { Plant } from "./plant-folder.ts";

/** A request of an operation, as it is measured. */
export interface Asking {
  /** As it stands in the table. */
  name: string;
  method: "GET" | "POST" | "PUT" | "PATCH";
  path: string;
  body?: object;
}

const iso = (at: number) => new Date(at).toISOString();
const last = (until: number, days: number) => ({ from: iso(until - days * DAY_MS), to: iso(until) });
const get = (name: string, path: string): Asking => ({ name, method: "GET", path });
const post = (name: string, path: string, body: object): Asking => ({ name, method: "POST", path, body });

/** The machine, its stop and its record that are asked for where one is. */
const machineId = 7;
const stopId = recordId(machineId, 1);

/**
 * Page 1 of a report whose page 10,000 has rows too, on a plant of 1,000,000 stops of which 50,000 are deleted. The oldest come first: the
 * newest are those of the hall, which nobody classified, and answers that are a third shorter would be compared with others.
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

/** What reads from the database alone. */
export function reads({ until, shape }: Plant): Asking[] {
  const metrics = (name: string, body: object) => post(`1 metric report, ${name}`, "/v1/public/reports/metrics", body);
  const stops = (name: string, body: object) => post(`11 stop report, ${name}`, "/v1/public/reports/stops", body);
  const ofCompany = { companyIds: [1], ...last(until, 1) };
  const chart = (name: string, days: number, body: object) =>
    post(`18 stop metrics, ${name}`, "/widget/stop-metrics", { filter_by: { date_range: last(until, days) }, ...body });
  const availability = (days: number) => {
    const window = new URLSearchParams({ start: iso(until - days * DAY_MS), end: iso(until) });
    return get(`20 availability, ${days} d`, `/machines/${machineId}/availability?${window}`);
  };
  const month = new URLSearchParams(last(until, 30));
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
    get("list shift records", "/v1/shift-records?companyId=1"),
    get("list shift records, a month by OEE", `/v1/shift-records?companyId=1&sort=oee&${month}`),
    get("list stop records", "/v1/stop-records?companyId=1"),
    get("list stop records, a month by duration", `/v1/stop-records?companyId=1&sort=-duration&${month}`),
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

/** What asks the objects of the hall's machines. */
export function objectReads({ hall }: Plant, machinesAPage: number): { ofMany: [Asking, Asking]; others: Asking[] } {
  const ids = hall.crowd.flatMap(({ machineIds }) => machineIds).slice(0, machinesAPage);
  const [first] = ids;
  const operators = (of: readonly (number | undefined)[]) =>
    get(`8 realtime operators, ${of.length} on the page`, `/machines/realtime/operators?machineId=${of.join()}&limit=1000`);
  return {
    ofMany: [
      operators(ids),
      get(`the state of ${ids.length} machines`, `/v1/state?companyId=${hall.companyId}&machineIds=${ids.join()}`),
    ],
    others: [operators([first]), get("a machine's state", `/v1/machines/${first}/state`)],
  };
}
