import { setTimeout as sleep } from "node:timers/promises";
import { apiClient } from "../../src/client/client.ts";
import { runJob } from "../crons.ts";
import type { DemoGateway } from "./plant.ts";
import { eventsBetween, type IngestEvent } from "./simulator.ts";

const EVENTS_PER_REQUEST = 1000;

/** A gateway with its token, silent before `since` (epoch ms). */
export interface FeedSource {
  gateway: DemoGateway;
  token: string;
  since: number;
}

/**
 * Sends the events of the gateways in [from, to) (epoch ms) to the service at `url`: all gateways in parallel, the events of each
 * in order. What the service refuses is left out: people change the demo plant, too. Throws if it does not answer.
 * @param notice gets each kind of refusal
 * @returns the number of accepted events
 */
export async function feed(url: string, sources: FeedSource[], from: number, to: number, notice: Notice): Promise<number> {
  const counts = await Promise.all(
    sources.map(async ({ gateway, token, since }) => {
      const api = apiClient(url, token);
      const events = eventsBetween(gateway, Math.max(from, since), to);
      let accepted = 0;
      for (let i = 0; i < events.length; i += EVENTS_PER_REQUEST) {
        accepted += await send(api, events.slice(i, i + EVENTS_PER_REQUEST), (kind, why) => {
          notice(`${gateway.name} ${kind}`, `The gateway ${gateway.name}: ${why}`);
        });
      }
      return accepted;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Called with what is refused, and a sentence for people. */
export type Notice = (kind: string, text: string) => void;

/** Shows the first notice of each kind. */
export function firstOfKind(show: (text: string) => void): Notice {
  const seen = new Set<string>();
  return (kind, text) => {
    if (seen.has(kind)) return;
    seen.add(kind);
    show(text);
  };
}

async function send(api: ReturnType<typeof apiClient>, events: IngestEvent[], notice: Notice): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const { data, error, response } = await api.POST("/v1/ingest", { body: { events } });
    if (data) {
      for (const { code, message } of data.rejected) notice(code, `some events are refused, such as one because ${message}`);
      return events.length - data.rejected.length;
    }
    if (response.status === 503 && attempt < 5) {
      await sleep(1000 * Number(response.headers.get("retry-after") ?? "1"));
      continue;
    }
    if (response.status >= 500 || response.status === 429)
      throw new Error(`POST /v1/ingest answered ${response.status}: ${JSON.stringify(error)}`);
    notice(String(response.status), `its events are refused: ${(error as { detail?: string }).detail}`);
    return 0;
  }
}

/** Wakes the objects of machines with a changed set-up, as the service's cron job does every minute. */
export async function nudge(url: string): Promise<void> {
  await runJob(url, "* * * * *");
}
