import createClient from "openapi-fetch";
import type { components, paths } from "./api.d.ts";

/** A schema of the API by its name in the OpenAPI document. */
export type ApiSchema<Name extends keyof components["schemas"]> = components["schemas"][Name];

/**
 * A client of the service at `url` whose paths, parameters, bodies and answers are those of the OpenAPI document.
 * Each call returns `{ data, error, response }`: `error` is the problem of a refusal.
 */
export function apiClient(url: string, token?: string) {
  return createClient<paths, "application/json">({
    baseUrl: url,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
}
