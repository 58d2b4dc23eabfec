import { callWebhook } from "../../channels/call-webhook.ts";
import type { CompanyDb } from "../../db/client.ts";
import { isoOf, MINUTE_MS } from "../../oee/time.ts";
import type { RowFigures } from "../reports/summary/summary.ts";
import { selectCalledOf, selectSecret } from "../webhooks/queries.ts";
import { secretsOf } from "../webhooks/secrets.ts";
import type { Report } from "./gather.ts";
import { type LogRow, updateLog } from "./queries.ts";

// Reports are not events: the run itself calls webhooks with them. The calls are signed like those of events and use the log's id as event id,
// so that a receiver recognizes a report that it gets again.

/** Limits that keep a call below 20 KB. */
const MOST_MACHINES = 50;
const MOST_STOPS = 5;

const figuresOf = ({ oee, availability, quality, effectiveness, total, correct, defects, ...times }: RowFigures) => {
  const { availableTime, unavailableTime, annotatedDowntime, noDataTime } = times;
  return {
    ...{ oee, availability, effectiveness, quality, total, correct, defects },
    ...{ availableTime, unavailableTime, annotatedDowntime, noDataTime },
  };
};

/** The body of a webhook call: the figures of a report, as JSON. Times are ISO 8601, durations are in minutes, shares in percent. */
export function callBodyOf(log: LogRow, report: Report, url: string | null): string {
  const { scope, at, total, before, machines, stops, late } = report;
  const ref = (name: string, one: { id: number; name: string } | null) => ({
    [`${name}Id`]: one?.id ?? null,
    [`${name}Name`]: one?.name ?? null,
  });
  const down = stops.filter(({ isDowntime }) => isDowntime);
  const data = {
    ...{ subscriptionId: log.subscriptionId, name: scope.name, kind: scope.kind, timezone: scope.timezone },
    ...ref("shift", scope.shift),
    ...{ since: isoOf(scope.period.start), until: isoOf(scope.period.end) },
    total: figuresOf(total),
    lastWeek: before && figuresOf(before),
    unclassifiedShare: report.unclassified === null ? null : Math.round(report.unclassified * 1e4) / 100,
    machineCount: machines.length,
    machines: machines.slice(0, MOST_MACHINES).map(({ machine, line, figures, stopCount }) => ({
      ...{ ...ref("machine", machine), ...ref("line", line), stopCount },
      ...{ oee: figures.oee, correct: figures.correct, unavailableTime: figures.unavailableTime },
    })),
    stopCount: down.length,
    stops: down.slice(0, MOST_STOPS).map((stop) => ({
      ...{ stopId: stop.id, name: stop.name, ...ref("machine", stop.machine) },
      ...{ ...ref("generalCause", stop.generalCause), ...ref("specificCause", stop.specificCause) },
      ...{ since: isoOf(stop.start), until: isoOf(stop.end), minutes: Math.round((stop.durationMs / MINUTE_MS) * 100) / 100 },
      cost: stop.cost === null ? null : Math.round(stop.cost * 100) / 100,
    })),
    lateOrders: late.orders.map(({ id, code, name, estimatedDeliveryTime, expectedAt, remaining }) => {
      return { workOrderId: id, code, name, estimatedDeliveryTime, expectedAt, remaining };
    }),
    hasMoreLateOrders: late.hasMore,
  };
  return JSON.stringify({ id: log.id, type: "report", timestamp: isoOf(at), data, url });
}

/** The result of calling webhooks: how many have accepted the report, in this or an earlier attempt, and the errors of the others as text. */
export interface Called {
  count: number;
  /** Errors after which another attempt may succeed. */
  failures: string[];
  /** Errors after which no attempt can succeed. */
  refusals: string[];
}

/** Calls the webhooks of a run that have not accepted it yet. Records each one that accepts it at once. */
export async function callWebhooks(
  { env, db, now }: { env: Env; db: CompanyDb; now: number },
  log: LogRow,
  { companyId, webhookSubscriptionIds: ids }: { companyId: number; webhookSubscriptionIds: readonly string[] },
  body: string,
): Promise<Called> {
  if (ids.length === 0) return { count: 0, failures: [], refusals: [] };
  const [rows, [companySecret]] = await db.batch([selectCalledOf(db, companyId, ids), selectSecret(db, companyId)]);
  const called: Called = { count: 0, failures: [], refusals: [] };
  if (rows.length < ids.length) {
    const missing = ids.length - rows.length;
    called.refusals.push(`${missing} webhook subscription${missing === 1 ? " is" : "s are"} not active`);
  }
  let { calledIds } = log;
  for (const row of rows) {
    if (!calledIds.includes(row.id)) {
      const secrets = await secretsOf(env, row, companySecret, now);
      const { error } = await callWebhook(env, row.url, secrets, { id: log.id, at: now, body });
      if (error !== null) {
        called.failures.push(`the webhook at ${new URL(row.url).host} ${error}`);
        continue;
      }
      calledIds = [...calledIds, row.id];
      await updateLog(db, log, { calledIds });
    }
    called.count++;
  }
  return called;
}
