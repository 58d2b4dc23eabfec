import type { en } from "./en.ts";
import { type AlertParams, type FormatTime, kindOf, linesOf, listMachines } from "./kinds.ts";

const percent = (value: number | null) => `${value === null ? "–" : String(Math.round(value * 10) / 10).replace(".", ",")} %`;
const lasting = (minutes: number | null) => (minutes === null ? "" : ` durante ${minutes} min`);

/** The alert as a sentence. */
const matters: { readonly [Kind in AlertParams["kind"]]: (params: AlertParams, since: string) => string } = {
  stop: ({ minutes, cause }, since) => `Parada${lasting(minutes)}, desde el ${since}${cause ? ` (${cause})` : ""}.`,
  cause: ({ minutes, cause }, since) => `Parada${lasting(minutes)}, desde el ${since}: ${cause ?? "aún sin causa"}.`,
  not_running: ({ minutes }, since) => `Sin arrancar ${minutes ?? 0} min después del inicio del turno, el ${since}.`,
  no_data: ({ minutes }, since) => `Sin datos${lasting(minutes)}, desde el ${since}.`,
  unclassified: ({ minutes }, since) => `Una parada${lasting(minutes)}, desde el ${since}, aún no tiene causa.`,
  short_stops: ({ value, threshold }) => `${value ?? 0} paradas cortas en una hora; el máximo es ${threshold ?? 0}.`,
  oee: ({ value, threshold }) => `El OEE es ${percent(value)}, por debajo de ${percent(threshold)}.`,
  availability: ({ value, threshold }) => `La disponibilidad es ${percent(value)}, por debajo de ${percent(threshold)}.`,
  defects: ({ value, threshold }) => `El ${percent(value)} de las piezas es defectuoso, más del ${percent(threshold)}.`,
  order_late: ({ minutes }) => `Se espera que la orden termine ${minutes === null ? "tarde" : `${minutes} min tarde`}.`,
  gateway_silent: ({ minutes }, since) => `La pasarela no informa${lasting(minutes)}, desde el ${since}.`,
  gateway_queue: (_, since) => `La pasarela tiene eventos del ${since} que no ha podido enviar.`,
  gateway_clock: ({ threshold }) => `El reloj de la pasarela va mal en más de ${threshold ?? 0} min.`,
  help: ({ message }, since) => `Se pidió ayuda el ${since}${message ? `: ${message}` : "."}`,
};

const machinesOf = (params: AlertParams) => listMachines(params, "es-ES", (count) => `${count} más`);

/** The machine, the silent gateway with how many machines, or the whole plant; and the rule. */
function about({ ruleName, machineName, lineName, nodeId = null, gatewayName = null, machines }: AlertParams): string {
  if (nodeId !== null && machines && machines.count > 1) return `Pasarela ${nodeId}, ${machines.count} máquinas: ${ruleName}`;
  const gateway = nodeId === null ? gatewayName : `pasarela ${nodeId}`;
  return `${[machineName, lineName, gateway].filter(Boolean).join(", ") || "Planta"}: ${ruleName}`;
}

const matter = (params: AlertParams, time: FormatTime) =>
  linesOf(matters[kindOf(params)](params, time(params.since)), machinesOf(params));

export const es: typeof en = {
  machines: machinesOf,
  openLink: "Abrir en Andon",
  alert_opened: (params, time) => ({ title: about(params), body: matter(params, time) }),
  alert_escalated: (params, time) => ({
    title: `Sigue abierta: ${about(params)}`,
    body: `${matter(params, time)}\nNadie la ha confirmado.`,
  }),
  alert_resolved: (params, time) => ({
    title: `Resuelta: ${about(params)}`,
    body: linesOf(
      `Empezó el ${time(params.since)}${params.minutes === null ? "" : ` y duró ${params.minutes} min`}.`,
      machinesOf(params),
    ),
  }),
  webhook_paused: ({ description, url, failingSince }, time) => ({
    title: `Webhook en pausa: ${description || url}`,
    body:
      failingSince === null
        ? `El receptor ${url} respondió que ya no existe. No se hacen más llamadas hasta que alguien lo active de nuevo.`
        : `Todas las llamadas a ${url} fallan desde el ${time(failingSince)}. No se hacen más hasta que alguien lo active de nuevo.`,
  }),
  digest: ({ count, lines }) => ({
    title: `${count} mensajes`,
    body: [...lines, ...(count > lines.length ? [`y ${count - lines.length} más`] : [])].join("\n"),
  }),
  test: () => ({ title: "Mensaje de prueba", body: "Andon le llega por aquí. No hay nada que hacer." }),
};
