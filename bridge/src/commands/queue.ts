import { existsSync } from "node:fs";
import { type Config, readConfig } from "../config/config.ts";
import { createQueue, type Lane, type QuarantinedEvent, type Queue } from "../queue/queue.ts";
import { sentEvent } from "../upstream/sent-event.ts";
import { type Command, configFile, UsageError } from "./command.ts";

type Action = (queue: Queue, seqs: readonly number[]) => number;

const actions: Record<string, Action> = {
  list,
  export: exported,
  retry: (queue, seqs) => {
    console.log(`${queue.retry(seqs)} events are sent again.`);
    return 0;
  },
  drop: (queue, seqs) => {
    console.log(`${queue.discard(seqs)} rows of the quarantine were deleted.`);
    return 0;
  },
};

export const queue: Command = {
  usage: "ACTION [NUMBER...]",
  summary: "list: what waits and what is in quarantine; retry, export, drop: rows of the quarantine by number, or --all",
  options: { all: { type: "boolean", help: "all rows of the quarantine" } },
  run: async ([name = "", ...numbers], options) => {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new UsageError(`queue ${name}: the actions are ${Object.keys(actions).join(", ")}.`);
    const opened = openQueue(readConfig(configFile([], options)));
    if (!opened) return 1;
    try {
      const all = opened.quarantine().map(({ seq }) => seq);
      return action(opened, name === "list" || options.all ? all : seqsOf(name, numbers, all));
    } finally {
      opened.close();
    }
  },
};

/** The queue of a configuration; null, said why, if there is none. The bridge may run meanwhile. */
function openQueue({ folder, queue: { max_age, max_bytes } }: Config): Queue | null {
  if (!existsSync(`${folder}/queue.db`)) {
    console.error(`There is no queue in ${folder} yet.`);
    return null;
  }
  const opened = createQueue({ folder, maxAgeMs: max_age, maxBytes: max_bytes, log: (message) => console.error(message) });
  opened.open();
  return opened;
}

function seqsOf(name: string, numbers: readonly string[], all: readonly number[]): number[] {
  if (numbers.length === 0) throw new UsageError(`queue ${name}: which rows? Their numbers, or --all.`);
  return numbers.map((text) => {
    const seq = Number(text);
    if (!all.includes(seq)) throw new UsageError(`There is no row ${text} in the quarantine.`);
    return seq;
  });
}

function list(opened: Queue): number {
  const { events, oldestAt, bytes, quarantined } = opened.status();
  const oldest = oldestAt === null ? "" : `, the oldest of ${new Date(oldestAt).toISOString()}`;
  console.log(`waiting: ${events} events${oldest}, ${(bytes / 1e6).toFixed(1)} MB`);
  for (const { machine, events: many, from, to } of opened.drops())
    console.log(
      `missing of ${machine || "unknown machines"}: ${many} events from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`,
    );
  console.log(`in quarantine: ${quarantined}`);
  const lanes = lanesOf(opened);
  for (const row of opened.quarantine()) {
    const lane = lanes.get(row.lane);
    const content = row.isEvent ? ` ${row.content}` : "";
    const time = new Date(row.at + (row.offsetMs ?? 0)).toISOString();
    console.log(`  ${row.seq}  ${time}  ${lane?.machine} ${lane?.kind}${content}  ${row.code}: ${row.message}`);
  }
  return 0;
}

/** Writes rows as JSON, one a line: events as Andon takes them, with why they are in quarantine. */
function exported(opened: Queue, seqs: readonly number[]): number {
  const wanted = new Set(seqs);
  const lanes = lanesOf(opened);
  for (const row of opened.quarantine().filter(({ seq }) => wanted.has(seq))) {
    const lane = lanes.get(row.lane);
    if (lane) console.log(JSON.stringify(exportedRow(opened.id(), lane, row)));
  }
  return 0;
}

function exportedRow(id: string, lane: Lane, row: QuarantinedEvent) {
  const { code, message, isEvent, at } = row;
  const place = { machineRef: lane.machine, kind: lane.kind, at: new Date(at).toISOString() };
  return { event: isEvent ? sentEvent(id, lane, row) : null, ...(!isEvent && place), code, message };
}

function lanesOf(opened: Queue): Map<number, Lane> {
  return new Map(opened.lanes().map((lane) => [lane.id, lane]));
}
