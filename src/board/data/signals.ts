import { companyQuery } from "../app/session.ts";
import { type ApiSchema, api } from "./api.ts";
import { type Loaded, useRead } from "./query.ts";

/** A signal is on the page within a second. Asking is cheap for one person who connects machines, and works behind every proxy. */
const EVERY_MS = 400;

export type Signal = ApiSchema<"Signal">;

/**
 * What arrives for the company, live: what does not count, and the channels of these machines.
 * @param since changes for a reader who wants nothing that was read before
 */
export function useSignals(machineIds: readonly number[], since = 0): Loaded<{ asOf: string; signals: Signal[] }> {
  const query = { ...companyQuery(), ...(machineIds.length > 0 && { machineIds: [...machineIds] }) };
  return useRead(["/v1/signals", since, ...machineIds], () => api("get", "/v1/signals", { query }), { everyMs: EVERY_MS });
}
