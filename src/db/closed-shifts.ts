import { MINUTE_MS } from "../oee/time.ts";

/**
 * How long after its end a shift counts as closed for good. Gateways send its last counts within this time, and its last silence becomes a stop: what
 * changes until then revises nothing. From then on every change of what reports say is kept (machine/publish/replaced-rows.ts).
 */
export const CLOSED_AFTER_MS = 10 * MINUTE_MS;
