import { type ApiSchema, api, type RequestOf } from "../../data/api.ts";
import { type Loaded, useRead } from "../../data/query.ts";
import { refreshOf } from "./recalculating.tsx";

export type Summary = ApiSchema<"Summary">;
type SummaryQuery = RequestOf<"get", "/v1/summary">["query"];

/**
 * Reads a summary: every few seconds while its numbers are being recalculated.
 * @param query null: nothing is read
 * @param usualMs how often it is read otherwise; null: not by itself
 */
export function useSummary(query: SummaryQuery | null, usualMs: number | null = null): Loaded<Summary> {
  return useRead(query && ["/v1/summary", query], () => api("get", "/v1/summary", { query: query as SummaryQuery }), {
    everyMs: refreshOf((found) => found.isRecalculating, usualMs),
  });
}
