import createClient, { type ClientOptions } from "openapi-fetch";
import type { components, paths } from "./api.d.ts";

/** A schema of the API by its name in the OpenAPI document. */
export type ApiSchema<Name extends keyof components["schemas"]> = components["schemas"][Name];

/**
 * A client of the service at `url` whose paths, parameters, bodies and answers are those of the OpenAPI document.
 * Each call returns `{ data, error, response }`: `error` is the problem of a refusal. Its `use` adds middleware of openapi-fetch.
 * @param token sent with each request
 * @param options those of openapi-fetch, such as a `fetch` with a time limit
 */
export function apiClient(url: string, token?: string, options: Omit<ClientOptions, "baseUrl" | "headers"> = {}) {
  return createClient<paths, "application/json">({
    // Lists are sent with commas, which makes shorter URLs than a parameter per item.
    querySerializer: { array: { style: "form", explode: false } },
    ...options,
    baseUrl: url,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
}
