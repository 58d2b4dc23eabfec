import { companyQuery } from "../app/session.ts";
import { SECOND_MS } from "../domain/time.ts";
import { type ApiSchema, api } from "./api.ts";
import { type Loaded, useRead } from "./query.ts";

/** Gateways report every 30 seconds. */
const REPORTS_EVERY_MS = 10 * SECOND_MS;
/** Somebody waits for a gateway to come. */
const PAIRING_EVERY_MS = SECOND_MS;
/** As many as the service keeps reports of. */
const MOST = 500;

export type Gateway = ApiSchema<"Gateway">;
type Pairing = ApiSchema<"GatewayPairing">;

/** The gateways of the company with what they reported last, live. */
export function useGateways(): Loaded<readonly Gateway[]> {
  const read = async () => (await api("get", "/v1/gateways", { query: { ...companyQuery(), limit: MOST } })).data;
  return useRead(["/v1/gateways"], read, { everyMs: REPORTS_EVERY_MS });
}

/** Whether the gateway has come that a code was made for, live until it has. */
export function usePairing(id: string): Loaded<Pairing> {
  const read = () => api("get", "/v1/gateway-pairings/{id}", { path: { id }, query: companyQuery() });
  const isWaiting = (pairing: Pairing | null) => pairing === null || pairing.status === "pending";
  return useRead(["/v1/gateway-pairings", id], read, { everyMs: (last) => (isWaiting(last) ? PAIRING_EVERY_MS : null) });
}
