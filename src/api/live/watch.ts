import type { Caller } from "../../core/caller.ts";
import { aboutCompany, refuseUnknown } from "../../core/named-ids.ts";
import { unavailable } from "../../core/problem.ts";
import { selectUnknown } from "../../core/queries.ts";
import { OBJECT_MS, within } from "../../limits/load.ts";
import { epochFor, hubOf, type Selection, WATCHER_HEADER, type Watcher } from "../../objects/hubs.ts";
import { tooManyMachines } from "../machines/too-many.ts";

interface LiveQuery {
  companyId?: number | undefined;
  machineIds?: readonly number[] | undefined;
  lineIds?: readonly number[] | undefined;
}

/** What somebody wants to watch: machines of a company. */
export interface Watched {
  companyId: number;
  selection: Selection;
}

/** How a watcher is connected. */
export interface Connection {
  /** Of the watcher's request. */
  url: string;
  /** Those that the hub has to see: whether it is a WebSocket, and its protocol. */
  headers: Record<string, string>;
  /** The version of the user's tokens (null: an API token), and the end of the watcher's token, epoch ms (null: none). */
  token: { version: number | null; endsAt: number | null };
  resume: Watcher["resume"];
  /** Whether the watcher sees pseudonyms in place of operators' names. */
  hidesNames: boolean;
}

/**
 * The company and the machines that a request wants to watch. One trip if it names any.
 * @throws Problem 404 if it names another company, or machines or lines that are not the company's
 */
export async function findWatched({ db, actor }: Caller, query: LiveQuery): Promise<Watched> {
  const { machineIds, lineIds } = query;
  const { companyId, named } = aboutCompany(actor, query, { machineIds, lineIds });
  const unknown = selectUnknown(db, companyId, named);
  if (unknown) refuseUnknown((await unknown)[0]?.unknown ?? null);
  return { companyId, selection: { machineIds: machineIds ?? null, lineIds: lineIds ?? null } };
}

/**
 * Hands a watcher over to the company's hub, which keeps the connection. Returns the hub's answer.
 * @throws Problem 400 if the selection has too many machines, 503 if the company has too many watchers
 */
export async function connectWatcher(caller: Caller, watched: Watched, connection: Connection): Promise<Response> {
  const { userId, role, companyId: own, apiToken } = caller.actor;
  const { hidesNames, token } = connection;
  const { version: tokenVersion, endsAt } = token;
  const pass = { userId, role, companyId: own, tokenVersion, apiTokenId: apiToken?.id ?? null, endsAt, hidesNames };
  const watcher: Watcher = { selection: watched.selection, resume: connection.resume, pass };
  const headers = new Headers({ ...connection.headers, [WATCHER_HEADER]: JSON.stringify(watcher) });
  const hub = hubOf(caller.env, watched.companyId);
  const response = await within(OBJECT_MS, "the hub", hub.fetch(new Request(connection.url, { headers })));
  if (response.status === 400) throw await tooManyMachines(caller.db, watched.companyId);
  if (response.status === 503)
    throw unavailable("This company has as many watchers as it may have. Try again later, or poll.", 30);
  return response;
}

/**
 * What a watcher would see now: all rows, and the number of the last change.
 * @param rights whether the rows will be shown with pseudonyms
 * @throws Problem 400 if the selection has too many machines
 */
export async function getSnapshot(
  { env, db }: Caller,
  { companyId, selection }: Watched,
  rights: Pick<Connection, "hidesNames">,
) {
  const shown = await within(OBJECT_MS, "the hub", hubOf(env, companyId).snapshot(selection));
  if (!shown) throw await tooManyMachines(db, companyId);
  const { epoch, seq, rows } = shown;
  return { type: "snapshot" as const, epoch: epochFor(rights, epoch), seq, at: new Date().toISOString(), rows };
}
