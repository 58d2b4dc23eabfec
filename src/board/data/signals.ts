import { companyQuery } from "../app/session.ts";
import { SECOND_MS } from "../domain/time.ts";
import { type AnswerOf, type ApiSchema, api } from "./api.ts";
import { type Loaded, useRead } from "./query.ts";

/** A signal is on the page within a second. Asking is cheap for one person who connects machines, and works behind every proxy. */
const EVERY_MS = 400;
const IGNORED_EVERY_MS = 3 * SECOND_MS;

export type Signal = ApiSchema<"Signal">;

/**
 * What arrives for the company, live: what does not count, and the channels of these machines.
 * @param since changes for a reader who wants nothing that was read before
 */
export function useSignals(machineIds: readonly number[], since = 0): Loaded<AnswerOf<"get", "/v1/signals">> {
  const query = { ...companyQuery(), ...(machineIds.length > 0 && { machineIds: [...machineIds] }) };
  return useRead(["/v1/signals", since, ...machineIds], () => api("get", "/v1/signals", { query }), { everyMs: EVERY_MS });
}

/** The channels that nobody wants to see. They are not asked for as often: nobody waits for what comes of them. */
export function useIgnoredSignals(): Loaded<AnswerOf<"get", "/v1/signals">> {
  const query = { ...companyQuery(), ignored: true };
  return useRead(["/v1/signals", "ignored"], () => api("get", "/v1/signals", { query }), { everyMs: IGNORED_EVERY_MS });
}

/** Ignores a channel, or takes it back. */
export async function ignoreSignal({ nodeId, channel }: Signal, isIgnored: boolean): Promise<void> {
  await api("put", "/v1/signals/ignored", { query: companyQuery(), body: { nodeId, channel, isIgnored } });
}
