// Values of enumerated columns and shapes of JSON columns. Anyone may import them; the tables themselves belong to queries.

export const roles = ["superuser", "superadmin", "admin", "user", "readonly"] as const;
export type Role = (typeof roles)[number];

/** Permissions that can be granted to roles, for operations without a fixed list of roles. */
export const permissions = [
  "work-orders:write",
  "targets:write",
  "progress:write",
  /** Delete the own config. */
  "configs:write",
  /** Delete anyone's config in the company. */
  "configs:manage",
  "set-up:read",
  "set-up:write",
  "users:read",
  "users:write",
  "gateways:write",
  "api-tokens:read",
  "api-tokens:write",
  /** Record, classify, change, split, merge and delete stops. */
  "stops:write",
  /** Sign operators in and out at machines. */
  "operators:sign-in",
  /** Set what a machine makes: SKU and work order. */
  "runs:write",
  /** Change personas: contacts, hours and language of alerts. */
  "personas:write",
  /** Read the numbers of the own company: shift and stop records, summaries, production, the state of all machines. */
  "reports:read",
  /** Call for help at machines, and answer calls. */
  "help-calls:write",
] as const;
export type Permission = (typeof permissions)[number];

export const tagSubjects = ["Machines", "Operators", "Skus", "WorkOrders", "Stops", "Shifts", "Sensors"] as const;

export interface Contact {
  id: string;
  value: string;
  isActive: boolean;
  reference: string;
}

export const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

/** `HH:mm`, end exclusive and up to `24:00`; an end before the start is on the next day, equal ones are silence. */
export type AlertHours = Record<(typeof weekdays)[number], { start: string; end: string }>;

export const workOrderStatuses = ["Backlog", "Planned", "InProgress", "Paused", "Completed", "Cancelled"] as const;
export type WorkOrderStatus = (typeof workOrderStatuses)[number];

export const channelTypes = ["cycle", "total", "good", "defect", "rework"] as const;
export type ChannelType = (typeof channelTypes)[number];

export interface ShiftBreak {
  name: string;
  /** Local wall-clock `HH:mm`. */
  start: string;
  end: string;
  isIncludedInAvailability: boolean;
}

/** A text in the languages of the contract. */
export interface L10n {
  en: string;
  es: string;
}
