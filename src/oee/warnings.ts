/** Why what was sent may be missing from the numbers, or lower them. The closed list. */
export const warningCodes = [
  "no_shift",
  "outside_shifts",
  "no_standard_cycle",
  "counting_disabled",
  "sku_without_standard",
] as const;

/** What a machine's set-up lacks for the events that it was sent: taken they are all the same. */
export interface Warning {
  code: (typeof warningCodes)[number];
  message: string;
}
