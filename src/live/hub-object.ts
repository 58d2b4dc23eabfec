import { OBJECT_MS, within } from "../core/load.ts";
import type { MachineOverview } from "../machine/overview.ts";

/** What a machine says of itself, with a revision that grows: an older one never replaces a newer one. */
export interface ToldView {
  revision: number;
  overview: MachineOverview;
}

/** What a hub answers to a machine. */
export interface HubAnswer {
  isWatched: boolean;
  /** Number of the newest time that somebody began to watch. */
  watch: number;
  /** The revision that the hub has, if that is newer than what was told. */
  newer: number | null;
}

/** Which machines a watcher wants; null: any. */
export interface Selection {
  machineIds: readonly number[] | null;
  lineIds: readonly number[] | null;
}

/** A watcher's right to watch. It is checked again while it lasts. */
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
}

/** Who watches: the header `x-andon-watcher` of a request to a hub. */
export interface Watcher {
  pass: Pass;
  selection: Selection;
  /** Where the watcher stopped; null: it has nothing yet. */
  resume: { epoch: string; since: number } | null;
}

/** The part of a caller that is needed here. */
interface Teller {
  env: Env;
  afterwards(work: Promise<unknown>): void;
}

/** What a hub is to look at again. */
export type LookedAt = "set-up" | "access";

export const WATCHER_HEADER = "x-andon-watcher";

/** A company's hub, apart from its class: whoever calls it does not import it. */
export interface HubObject {
  /** Opens a WebSocket, or a stream of events. 503 when too many watch already. */
  fetch(request: Request): Promise<Response>;
  snapshot(selection: Selection): Promise<{ epoch: string; seq: number; rows: unknown[] }>;
  tell(machineId: number, told: ToldView): Promise<HubAnswer>;
  lookAgain(at: LookedAt): Promise<void>;
}

/** The hub of a company, which is named by the company's id. */
export function hubOf(env: Env, companyId: number): HubObject {
  return env.HUBS.getByName(String(companyId)) as unknown as HubObject;
}

/**
 * Has a company's hub read again what was changed, after the answer: what watchers see, such as names, lines and calls for help (`set-up`), or
 * who may watch (`access`). Never fails: while machines tell it things, the hub also looks by itself, at tokens before it sends anything.
 * @param companyId null: nothing was changed
 */
export function tellWatchers({ env, afterwards }: Teller, companyId: number | null, at: LookedAt): void {
  if (companyId === null) return;
  afterwards(within(OBJECT_MS, "the hub", hubOf(env, companyId).lookAgain(at)).catch(() => undefined));
}
