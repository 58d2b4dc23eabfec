import { type AlertParams, type FormatTime, kindOf, linesOf, listMachines, type Texts } from "./kinds.ts";

const percent = (value: number | null) => `${value === null ? "–" : Math.round(value * 10) / 10} %`;
const lasting = (minutes: number | null) => (minutes === null ? "" : ` for ${minutes} min`);

/** The alert as a sentence. */
const matters: { readonly [Kind in AlertParams["kind"]]: (params: AlertParams, since: string) => string } = {
  stop: ({ minutes, cause }, since) => `Stopped${lasting(minutes)}, since ${since}${cause ? ` (${cause})` : ""}.`,
  cause: ({ minutes, cause }, since) => `Stopped${lasting(minutes)}, since ${since}: ${cause ?? "no cause yet"}.`,
  not_running: ({ minutes }, since) => `Not running ${minutes ?? 0} min after the shift began at ${since}.`,
  no_data: ({ minutes }, since) => `No data${lasting(minutes)}, since ${since}.`,
  unclassified: ({ minutes }, since) => `A stop${lasting(minutes)}, since ${since}, has no cause yet.`,
  short_stops: ({ value, threshold }) => `${value ?? 0} short stops within an hour; more than ${threshold ?? 0} is too many.`,
  oee: ({ value, threshold }) => `OEE is ${percent(value)}, below ${percent(threshold)}.`,
  availability: ({ value, threshold }) => `Availability is ${percent(value)}, below ${percent(threshold)}.`,
  defects: ({ value, threshold }) => `${percent(value)} of the parts are defective, more than ${percent(threshold)}.`,
  order_late: ({ minutes }) => `The work order is expected ${minutes === null ? "late" : `${minutes} min late`}.`,
  gateway_silent: ({ minutes }, since) => `The gateway has not reported${lasting(minutes)}, since ${since}.`,
  gateway_queue: (_, since) => `The gateway has events from ${since} that it could not send.`,
  gateway_clock: ({ threshold }) => `The gateway's clock is more than ${threshold ?? 0} min wrong.`,
  help: ({ message }, since) => `Help was called at ${since}${message ? `: ${message}` : "."}`,
};

const machinesOf = (params: AlertParams) => listMachines(params, "en-GB", (count) => `${count} more`);

/** The machine, the silent gateway with how many machines, or the whole plant; and the rule. */
function about({ ruleName, machineName, lineName, nodeId = null, gatewayName = null, machines }: AlertParams): string {
  if (nodeId !== null && machines && machines.count > 1) return `Gateway ${nodeId}, ${machines.count} machines: ${ruleName}`;
  const gateway = nodeId === null ? gatewayName : `gateway ${nodeId}`;
  return `${[machineName, lineName, gateway].filter(Boolean).join(", ") || "Plant"}: ${ruleName}`;
}

const matter = (params: AlertParams, time: FormatTime) =>
  linesOf(matters[kindOf(params)](params, time(params.since)), machinesOf(params));

export const en = {
  machines: machinesOf,
  openLink: "Open in Andon",
  alert_opened: (params, time) => ({ title: about(params), body: matter(params, time) }),
  alert_escalated: (params, time) => ({
    title: `Still open: ${about(params)}`,
    body: `${matter(params, time)}\nNobody has acknowledged it.`,
  }),
  alert_resolved: (params, time) => ({
    title: `Resolved: ${about(params)}`,
    body: linesOf(
      `It began at ${time(params.since)}${params.minutes === null ? "" : ` and lasted ${params.minutes} min`}.`,
      machinesOf(params),
    ),
  }),
  webhook_paused: ({ description, url, failingSince }, time) => ({
    title: `Webhook paused: ${description || url}`,
    body:
      failingSince === null
        ? `The receiver at ${url} answered that it is gone for good. No more calls are made until somebody activates it again.`
        : `Every call of ${url} has failed since ${time(failingSince)}. No more are made until somebody activates it again.`,
  }),
  digest: ({ count, lines }) => ({
    title: `${count} messages`,
    body: [...lines, ...(count > lines.length ? [`and ${count - lines.length} more`] : [])].join("\n"),
  }),
  test: () => ({ title: "Test message", body: "Andon reaches you here. There is nothing to do." }),
} satisfies Texts;
