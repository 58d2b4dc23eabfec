import { jurisdictionOf } from "../db/client.ts";
import { OBJECT_MS, within } from "../limits/load.ts";
import type { GatewayCondition, GatewayStatus, HeardGateway } from "./gateways.ts";
import type { HubReport } from "./machine-protocol.ts";
import { objectOf } from "./names.ts";
import type { HeardSignal, RefusedChannel, SignalSource } from "./signals.ts";

/** The hub's answer to a machine's report. */
export interface HubAnswer {
  isWatched: boolean;
  /** The number of the last time that somebody began to watch. */
  watch: number;
  /** The hub's revision of the view, if it is newer than the reported one; otherwise null. */
  newer: number | null;
}

/** The machines that a watcher wants; null: any. */
export interface Selection {
  machineIds: readonly number[] | null;
  lineIds: readonly number[] | null;
}

/** A watcher's right to watch. It is checked repeatedly. */
export interface Pass {
  userId: number;
  role: string;
  /** The company that the user or token belongs to. */
  companyId: number;
  /** The version of the user's tokens; null for an API token. */
  tokenVersion: number | null;
  apiTokenId: number | null;
  /** When the token ends, epoch ms; null: never. */
  endsAt: number | null;
  /** Whether the watcher sees pseudonyms in place of operators' names. Missing in one from a version of before there were any. */
  hidesNames?: boolean;
}

/** The epoch as a watcher knows it. Rows with names do not continue those with pseudonyms. */
export function epochFor({ hidesNames }: Pick<Pass, "hidesNames">, epoch: string): string {
  return hidesNames ? `${epoch}-hidden` : epoch;
}

/** A watcher: the header `x-andon-watcher` of a request to a hub. */
export interface Watcher {
  pass: Pass;
  selection: Selection;
  /** The last change that the watcher received; null: it has nothing yet. */
  resume: { epoch: string; since: number } | null;
}

/** The part of a caller that is needed here. */
interface Notifier {
  env: Env;
  afterwards(work: Promise<unknown>): void;
}

/** What a hub has to read again. */
export type WatchedData = "set-up" | "access";

export const WATCHER_HEADER = "x-andon-watcher";

/** The interface of a company's hub, so that callers need not import its class. */
export interface HubObject {
  /** Opens a WebSocket or an event stream. 400 for a selection of too many machines, 503 when there are too many watchers already. */
  fetch(request: Request): Promise<Response>;
  /** Null for a selection of too many machines. */
  snapshot(selection: Selection): Promise<{ epoch: string; seq: number; rows: unknown[] } | null>;
  /** Keeps its name: during a gradual deployment, machines and hubs of two versions call each other. */
  tell(machineId: number, report: HubReport): Promise<HubAnswer>;
  /** Has the hub read the data again, for its watchers. Keeps its name, as `tell` does. */
  lookAgain(what: WatchedData): Promise<void>;
  /** Keeps counts that were refused, and why. */
  hear(source: SignalSource, channels: readonly RefusedChannel[]): Promise<void>;
  /** What it keeps of them, the latest first: of the channels that are ignored, or of the others. */
  signals(areIgnored?: boolean): Promise<HeardSignal[]>;
  /** Has the channels read that are ignored from now on, and what is kept of them dropped. */
  ignore(): Promise<void>;
  /** Has the kept counts counted for which there is a channel now. */
  countKept(): Promise<void>;
  /** Keeps what a gateway reports of itself. */
  hearGateway(gatewayTokenId: number, status: GatewayStatus): Promise<void>;
  /** The last reports of some gateways, of those that reported. */
  gateways(gatewayTokenIds: readonly number[]): Promise<HeardGateway[]>;
  /** What alert rules look at, of all gateways that ever reported. */
  gatewayConditions(): Promise<GatewayCondition[]>;
}

/** The hub of a company, which has the jurisdiction of the database (`requireJurisdiction`). */
export function hubOf(env: Env, companyId: number): HubObject {
  return objectOf(env, "HUBS", companyId, jurisdictionOf(env)) as unknown as HubObject;
}

/**
 * Makes a company's hub read a change, after the response: what watchers see, such as names, lines and calls for help (`set-up`), or who may
 * watch (`access`). Never fails: while machines report to it, the hub also checks by itself, tokens always before it sends anything.
 * @param companyId null: nothing was changed
 */
export function notifyWatchers({ env, afterwards }: Notifier, companyId: number | null, what: WatchedData): void {
  if (companyId === null) return;
  const look = async () => await within(OBJECT_MS, "the hub", hubOf(env, companyId).lookAgain(what));
  afterwards(look().catch(() => undefined));
}

/**
 * Has a company's hub read which channels are ignored, after the response. Never fails: if this does, the hub finds the change by itself within
 * minutes, as long as it keeps counts.
 */
export function ignoreAfterwards({ env, afterwards }: Notifier, companyId: number): void {
  const ignore = async () => await within(OBJECT_MS, "the hub", hubOf(env, companyId).ignore());
  afterwards(ignore().catch(() => undefined));
}

/**
 * Has a company's kept counts counted after its count sensors changed, after the response. Never fails: if this does, the hub finds the change by
 * itself within minutes.
 */
export function countKeptAfterwards({ env, afterwards }: Notifier, companyId: number): void {
  const count = async () => await within(OBJECT_MS, "the hub", hubOf(env, companyId).countKept());
  afterwards(count().catch(() => undefined));
}
