import type { AmendedEvent, MachineEvent, Run } from "./events.ts";
import type { Interval } from "./time.ts";

// What people say afterwards of a past interval: what was made, or who was there. It takes the place of the events that say so, from the start of the
// interval up to its end; there everything is as if those events had counted. Of two amendments of one time, the later one holds.

/** What was made in an interval: each run lasts until the next one, or to the end. The first one begins with the interval. */
interface AmendedRuns extends Interval {
  kind: "runs";
  runs: readonly (Run & { start: number })[];
}

/** Who was there in an interval. */
interface AmendedPresences extends Interval {
  kind: "presences";
  presences: readonly (Interval & { operatorId: number })[];
}

export type Amendment = AmendedRuns | AmendedPresences;

/** Amendments with their numbers; a greater number is a later one. */
export type NumberedAmendment = Amendment & { n: number };

/** The amendments that hold, as a function of time. */
export class Amendments {
  readonly #latestFirst: readonly NumberedAmendment[];
  #edges: readonly number[] | null = null;

  constructor(all: readonly NumberedAmendment[]) {
    this.#latestFirst = [...all].sort((a, b) => b.n - a.n);
  }

  /** The instants in [start, end) at which they may say something else than before, in order. */
  edges({ start, end }: Interval): number[] {
    this.#edges ??= [...new Set(this.#latestFirst.flatMap(edgesOf))].sort((a, b) => a - b);
    return this.#edges.filter((at) => start <= at && at < end);
  }

  /** What they say from an instant on; null: nothing else than before. */
  eventAt(at: number): AmendedEvent | null {
    const run = this.#runAt(at);
    const present = this.#presentAt(at);
    if (run === undefined && present === undefined) return null;
    return { kind: "amended", at, ...(run !== undefined && { run }), ...(present !== undefined && { present }) };
  }

  /** An event as it counts: what an amendment replaces is marked. */
  meaningOf(event: MachineEvent): MachineEvent {
    const isReplaced =
      (event.kind === "sku" && this.#at("runs", event.at)) || (event.kind === "operator" && this.#at("presences", event.at));
    return isReplaced ? ({ ...event, isReplaced: true } as MachineEvent) : event;
  }

  #runAt(at: number): Run | null | undefined {
    const now = this.#at("runs", at);
    const before = this.#at("runs", at - 1);
    if (!now) return before ? null : undefined;
    const run = now.runs.findLast(({ start }) => start <= at);
    if (!run || (now === before && run.start < at)) return undefined;
    return { skuId: run.skuId, workOrderId: run.workOrderId };
  }

  #presentAt(at: number): number[] | null | undefined {
    const now = this.#at("presences", at);
    if (!now) return this.#at("presences", at - 1) ? null : undefined;
    const there = now.presences.filter(({ start, end }) => start <= at && at < end);
    return [...new Set(there.map(({ operatorId }) => operatorId))];
  }

  /** The amendment that holds at an instant. */
  #at<Kind extends Amendment["kind"]>(kind: Kind, at: number): Extract<NumberedAmendment, { kind: Kind }> | undefined {
    const found = this.#latestFirst.find((one) => one.kind === kind && one.start <= at && at < one.end);
    return found as Extract<NumberedAmendment, { kind: Kind }> | undefined;
  }
}

function edgesOf(amendment: Amendment): number[] {
  const parts =
    amendment.kind === "runs" ? amendment.runs : amendment.presences.flatMap(({ start, end }) => [{ start }, { start: end }]);
  return [amendment.start, ...parts.map(({ start }) => start), amendment.end];
}
