// The counts and lists of the bell. Times are ISO 8601, as in the API.

/** The members of an incident that decide its place in a list. */
export interface IncidentState {
  openedAt: string;
  acknowledgedAt: string | null;
  resolvedAt: string | null;
}

/** Sorts incidents by need: unacknowledged ones, other open ones, resolved ones, each newest first. */
export function byNeed<T extends IncidentState>(incidents: readonly T[]): T[] {
  const place = ({ acknowledgedAt, resolvedAt }: IncidentState) => (resolvedAt !== null ? 2 : acknowledgedAt !== null ? 1 : 0);
  return [...incidents].sort((a, b) => place(a) - place(b) || Date.parse(b.openedAt) - Date.parse(a.openedAt));
}

/** Whether somebody should look at an incident: it is open and not acknowledged. */
export function needsSomeone({ acknowledgedAt, resolvedAt }: IncidentState): boolean {
  return acknowledgedAt === null && resolvedAt === null;
}

/** The length of a list that was read up to a limit: "7", or "20+" where there may be more. */
export function countText(count: number, limit: number): string {
  return count < limit ? String(count) : `${limit}+`;
}

/** How long an incident lasted, or has lasted so far, in ms. */
export function incidentLength({ since, resolvedAt }: { since: string; resolvedAt: string | null }, now: number): number {
  return Math.max(0, (resolvedAt === null ? now : Date.parse(resolvedAt)) - Date.parse(since));
}
