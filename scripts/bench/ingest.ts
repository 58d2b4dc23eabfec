import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/oee/time.ts";
import { type BenchCompany, type BenchMachine, Gateway } from "./bench-company.ts";
import type { Caller } from "./caller.ts";
import { type BenchRequest, closedLoop, inTurns, type Measured, median, quantile, send } from "./load.ts";
import type { Server } from "./server.ts";
import type { Size } from "./size.ts";
import type { Finding, Line } from "./table.ts";

const FLOOR = { atLeast: 0.5 };
const EVENTS_PER_REQUEST = { single: 100, crowd: 1000 };
const PER_MINUTE = 6;
const LATE_LIMIT_MS = 48 * HOUR_MS;

/** The results of feeding machines: lines of the table, and findings beside it. */
export interface Fed {
  lines: Line[];
  findings: Finding[];
}

/** The requests of the bench company's gateway to the service, and the same requests to the bare Worker. */
export class Feeder {
  readonly #server: Server;
  readonly #token: string;

  constructor(server: Server, { token }: BenchCompany) {
    this.#server = server;
    this.#token = token;
  }

  andon(body: string): BenchRequest {
    const headers = { authorization: `Bearer ${this.#token}`, "content-type": "application/json" };
    return { url: new URL("/v1/ingest", this.#server.andon), method: "POST", headers, body };
  }

  bare(body: string): BenchRequest {
    return { url: this.#server.bare, method: "POST", headers: { "content-type": "application/json" }, body };
  }
}

/** One gateway with one machine, in order, each request as soon as the previous one is answered. */
export async function feedOne(caller: Caller, feeder: Feeder, { single }: BenchCompany, { profile, name }: Size): Promise<Fed> {
  const since = Date.now() - LATE_LIMIT_MS;
  const [andonGateway, bareGateway] = [1, 2].map(() => new Gateway(single, EVENTS_PER_REQUEST.single, since));
  if (!andonGateway || !bareGateway) throw new Error("two gateways");
  await send(feeder.andon(andonGateway.next()));
  const cost = await caller.costOf(feeder.andon(andonGateway.next()));
  const requests = [() => feeder.andon(andonGateway.next()), () => feeder.bare(bareGateway.next())];
  const [andon, bare] = await inTurns(requests, { ...profile, callers: 1 });
  if (!andon || !bare) throw new Error("two loads, two results");
  const lines = [{ name: `ingest, ${EVENTS_PER_REQUEST.single} events, 1 object`, andon, bare, cost }];
  return { lines, findings: shareOfFloor("1 object", andon, bare, EVENTS_PER_REQUEST.single, name) };
}

/** Gateways with many machines each, in parallel. The objects' flushes to D1 continue meanwhile, and are included. */
export async function feedCrowd(caller: Caller, feeder: Feeder, { crowd }: BenchCompany, { feedMs, name }: Size): Promise<Fed> {
  const since = Date.now() - HOUR_MS;
  const objects = crowd.reduce((sum, { machineIds }) => sum + machineIds.length, 0);
  const perMachine = (EVENTS_PER_REQUEST.crowd * crowd.length) / objects;
  const gateways = () => crowd.map((one) => new Gateway(one, perMachine, since));
  const feed = async (all: readonly Gateway[], requestOf: (body: string) => BenchRequest, ms: number): Promise<Measured> => {
    const startedAt = performance.now();
    const latencies = (await Promise.all(all.map((one) => closedLoop(() => requestOf(one.next()), 1, ms)))).flat();
    const perSecond = (1000 * latencies.length) / (performance.now() - startedAt);
    const p50 = median(latencies);
    return { perSecond, p50, p50s: [p50], p99: quantile(latencies, 0.99) };
  };
  const [toAndon, toBare] = [gateways(), gateways()];
  const andonShot = (body: string) => feeder.andon(body);
  const bareShot = (body: string) => feeder.bare(body);
  await feed(toBare, bareShot, 0);
  const bare = await feed(toBare, bareShot, feedMs);
  const [first] = toAndon;
  if (!first) throw new Error("no gateway");
  for (const one of toAndon) await send(feeder.andon(one.next()));
  const cost = await caller.costOf(feeder.andon(first.next()));
  const andon = await feed(toAndon, andonShot, feedMs);
  const lines = [
    { name: `ingest, ${EVENTS_PER_REQUEST.crowd} events, ${objects / crowd.length} of ${objects} objects`, andon, bare, cost },
  ];
  return { lines, findings: shareOfFloor(`${objects} objects`, andon, bare, EVENTS_PER_REQUEST.crowd, name) };
}

function shareOfFloor(into: string, andon: Measured, bare: Measured, perRequest: number, run: Size["name"]): Finding[] {
  const share = andon.perSecond / bare.perSecond;
  return [
    { name: `ingest into ${into}`, value: andon.perSecond * perRequest, unit: "events/s" },
    {
      name: `ingest into ${into}, share of the bare objects' ${(bare.perSecond * perRequest).toFixed(0)} events/s`,
      value: share,
      unit: "",
      ...(run === "large" && { limit: FLOOR }),
    },
  ];
}

/** The cost of one event in order, of one an hour late, and of one as late as allowed, on a machine with two days of 10-second counts. */
export async function feedLate(feeder: Feeder, { late }: BenchCompany, events: number): Promise<Finding[]> {
  const end = Date.now() - MINUTE_MS;
  const gateway = new Gateway(late, 1000, end - LATE_LIMIT_MS, MINUTE_MS / PER_MINUTE);
  for (let sent = 0; sent < (LATE_LIMIT_MS / MINUTE_MS) * PER_MINUTE; sent += gateway.eventsPerRequest) {
    await send(feeder.andon(gateway.next()));
  }
  const ages = { "in order": 0, "an hour late": HOUR_MS, "47 h late": LATE_LIMIT_MS - HOUR_MS };
  const findings: Finding[] = [];
  for (const [name, age] of Object.entries(ages)) {
    const times: number[] = [];
    for (let n = 0; n < events; n++) {
      const startedAt = performance.now();
      await send(feeder.andon(oneCount(late, Date.now() - age - n * SECOND_MS, `${name} ${n}`)));
      times.push(performance.now() - startedAt);
    }
    findings.push({ name: `an event ${name}, among 17,280 of two days, p50`, value: median(times), unit: "ms" });
  }
  return findings;
}

function oneCount({ nodeId }: BenchMachine, at: number, id: string): string {
  return JSON.stringify({ events: [{ id, type: "count", at: new Date(at).toISOString(), nodeId, channel: 1, value: 1 }] });
}
