/** All reasons why accepted events may be missing from the numbers, lower them, or count for no work order. */
export const warningCodes = [
  "no_shift",
  "outside_shifts",
  "no_standard_cycle",
  "counting_disabled",
  "sku_without_standard",
  "work_order_closed",
  "equal_events",
  "held",
  "reports_seldom",
  "clock_ahead",
] as const;

/** What a machine's set-up lacks for the events it received. The events are stored anyway. */
export interface Warning {
  code: (typeof warningCodes)[number];
  message: string;
}
