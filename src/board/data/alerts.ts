import { useMemo } from "preact/hooks";
import { companyQuery, user } from "../app/session.ts";
import { type ApiSchema, api } from "./api.ts";
import { polled } from "./polled.ts";
import { invalidate, type Loaded, useRead } from "./query.ts";

export type Incident = ApiSchema<"Incident">;
export type Notification = ApiSchema<"Notification">;

/** The data behind the bell. */
export interface Alerts {
  /** The open incidents, newest first. */
  incidents: Incident[];
  /** The user's own notifications, newest first. */
  notifications: Notification[];
}

/** The most that the bell lists and counts. */
export const MOST_INCIDENTS = 100;
export const MOST_NOTIFICATIONS = 20;
const POLL_EVERY_MS = 10_000;

/** Acknowledges an incident, so that it escalates no further. An earlier acknowledgement is kept. @throws Refusal, NoAnswer */
export async function acknowledge(id: string): Promise<void> {
  try {
    await api("post", "/v1/incidents/{id}/acknowledge", { path: { id } });
  } finally {
    void invalidate();
  }
}

/** The open incidents of the shown company and the user's notifications, polled every 10 s. */
export function useAlerts(): Loaded<Alerts> {
  const whose = `${user.value?.userId} ${companyQuery().companyId ?? ""}`;
  const load = useMemo(() => {
    const incidents = polled("/v1/incidents", { query: { ...companyQuery(), isOpen: true, limit: MOST_INCIDENTS } });
    const notifications = polled("/v1/notifications", { query: { limit: MOST_NOTIFICATIONS } });
    return async () => {
      const [open, own] = await Promise.all([incidents(), notifications()]);
      return { incidents: open.data, notifications: own.data };
    };
  }, [whose]);
  return useRead(["alerts"], load, { everyMs: POLL_EVERY_MS });
}
