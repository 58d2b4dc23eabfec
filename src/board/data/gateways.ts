import { companyQuery } from "../app/session.ts";
import { SECOND_MS } from "../domain/time.ts";
import { type ApiSchema, api } from "./api.ts";
import { type Loaded, useRead } from "./query.ts";

/** How often the reports are read. A gateway sends one every 30 seconds. */
const READ_EVERY_MS = 10 * SECOND_MS;
/** Somebody is waiting for the gateway. */
const PAIRING_EVERY_MS = SECOND_MS;
/** The service keeps the reports of as many gateways. */
const MOST = 500;

export type Gateway = ApiSchema<"Gateway">;
type Pairing = ApiSchema<"GatewayPairing">;

/** The gateways of the company with what they reported last, live. */
export function useGateways(): Loaded<readonly Gateway[]> {
  const read = async () => (await api("get", "/v1/gateways", { query: { ...companyQuery(), limit: MOST } })).data;
  return useRead(["/v1/gateways"], read, { everyMs: READ_EVERY_MS });
}

/** Whether a gateway has used a code, live until it has or the code has expired. */
export function usePairing(id: string): Loaded<Pairing> {
  const read = () => api("get", "/v1/gateway-pairings/{id}", { path: { id }, query: companyQuery() });
  const isWaiting = (pairing: Pairing | null) => pairing === null || pairing.status === "pending";
  return useRead(["/v1/gateway-pairings", id], read, { everyMs: (last) => (isWaiting(last) ? PAIRING_EVERY_MS : null) });
}
