import { type Config, readConfig } from "../config/config.ts";
import type { SignalConfig } from "../config/signal.ts";
import type { CheckStep } from "../sources/source.ts";
import { sourceOf } from "../sources/types.ts";
import { createAndon } from "../upstream/andon.ts";
import { createOffset } from "../upstream/offset.ts";
import { version } from "../version.ts";
import { type Command, configFile, endSignal } from "./command.ts";

/** What `GET /v1/gateways/self` says, as far as it is used here. */
interface Self {
  name: string;
  company: { name: string };
  machines: { ref: string; signal: "counts" | "states"; countSensors: { type: string }[] }[];
  cursor: string | null;
}

export const check: Command = {
  usage: "[FILE]",
  summary: "connects to Andon and to each source step by step, and says which step fails",
  options: { source: { type: "string", help: "only this source, and not Andon" } },
  run: async (args, options) => {
    const config = readConfig(configFile(args, options));
    const abort = endSignal();
    const only = options.source;
    const sources = config.source.filter(({ id }) => only === undefined || id === only);
    if (sources.length === 0) {
      console.error(`There is no source "${only}".`);
      return 2;
    }
    const results: boolean[] = [];
    if (only === undefined) results.push(await stepsOf("andon", andonSteps(config)));
    for (const source of sources) results.push(await stepsOf(source.id, sourceOf(source).check(abort)));
    return results.every(Boolean) ? 0 : 1;
  },
};

async function stepsOf(name: string, steps: AsyncIterable<CheckStep>): Promise<boolean> {
  let isOk = true;
  for await (const { step, ok, detail } of steps) {
    console.log(`${ok ? "ok    " : "FAILED"} ${name}: ${step}: ${detail}`);
    isOk &&= ok;
  }
  return isOk;
}

async function* andonSteps(config: Config): AsyncIterable<CheckStep> {
  const {
    andon: { url },
    tokenFile,
    source,
  } = config;
  const offset = createOffset();
  const andon = createAndon({ url, tokenFile, offset, now: Date.now, version });
  const open = await createAndon({ url, tokenFile: null, offset, now: Date.now, version }).send("GET", "/v1/gateways/self");
  yield { step: "connection", ok: open.kind !== "failed", detail: open.kind === "failed" ? open.detail : `${url} answers` };
  if (open.kind === "failed") return;
  const answer = await andon.send("POST", "/v1/ingest", { events: [] });
  yield { step: "token", ok: answer.kind === "ok", detail: answer.kind === "ok" ? "Andon takes events with it" : answer.detail };
  if (answer.kind !== "ok") return;
  const ahead = -(offset.current() ?? 0);
  yield {
    step: "clock",
    ok: true,
    detail: `this computer's clock is ${(Math.abs(ahead) / 1000).toFixed(1)} s ${ahead < 0 ? "behind" : "ahead of"} Andon's; events are corrected by that`,
  };
  const machines = await machinesOf(andon.send);
  if (machines === null) return;
  for (const signal of source.flatMap((one): readonly SignalConfig[] => one.signal)) {
    const machine = machines.find(({ ref }) => ref === signal.machine);
    const fault = machine ? signalFault(machine, signal.kind) : "Andon has no machine with this reference";
    yield { step: `machine ${signal.machine}, ${signal.kind}`, ok: fault === null, detail: fault ?? "Andon knows it" };
  }
}

function signalFault({ signal, countSensors }: Self["machines"][number], kind: string): string | null {
  if (kind === "sku" || kind === "order") return null;
  if (kind === "state") return signal === "states" ? null : "the machine's signal is counts: it takes no states";
  return countSensors.some(({ type }) => type === kind) ? null : `the machine has no count sensor of type ${kind}`;
}

/** All machines that the token may feed; null: this version of Andon does not say. */
async function machinesOf(send: ReturnType<typeof createAndon>["send"]): Promise<Self["machines"] | null> {
  const machines: Self["machines"] = [];
  let cursor: string | null = null;
  do {
    const answer = await send("GET", `/v1/gateways/self?limit=500${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
    if (answer.kind !== "ok") return null;
    const self = answer.body as Self;
    machines.push(...self.machines);
    cursor = self.cursor;
  } while (cursor !== null);
  return machines;
}
