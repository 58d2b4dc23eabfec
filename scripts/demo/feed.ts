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
 * in order. Returns the number of events. Throws at the first refused event or request.
 */
export async function feed(url: string, sources: FeedSource[], from: number, to: number): Promise<number> {
  const counts = await Promise.all(
    sources.map(async ({ gateway, token, since }) => {
      const api = apiClient(url, token);
      const events = eventsBetween(gateway, Math.max(from, since), to);
      for (let i = 0; i < events.length; i += EVENTS_PER_REQUEST) {
        await send(api, events.slice(i, i + EVENTS_PER_REQUEST));
      }
      return events.length;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function send(api: ReturnType<typeof apiClient>, events: IngestEvent[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { data, error, response } = await api.POST("/v1/ingest", { body: { events } });
    if (response.status === 503 && attempt < 5) {
      await sleep(1000 * Number(response.headers.get("retry-after") ?? "1"));
      continue;
    }
    if (!data) throw new Error(`POST /v1/ingest answered ${response.status}: ${JSON.stringify(error)}`);
    const first = data.rejected[0];
    if (first) throw new Error(`Event refused: ${JSON.stringify(events[first.index])}: ${first.code}, ${first.message}`);
    return;
  }
}

/** Wakes the objects of machines with a changed set-up, as the service's cron job does every minute. */
export async function nudge(url: string): Promise<void> {
  await runJob(url, "* * * * *");
}
