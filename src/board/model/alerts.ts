// What the bell counts and lists. Times are ISO 8601, as the API gives them.

/** What of an incident decides where it stands in a list. */
export interface IncidentState {
  openedAt: string;
  acknowledgedAt: string | null;
  resolvedAt: string | null;
}

/** What needs someone first: those that nobody has acknowledged, then the others that are open, each the newest first. */
export function byNeed<T extends IncidentState>(incidents: readonly T[]): T[] {
  const place = ({ acknowledgedAt, resolvedAt }: IncidentState) => (resolvedAt !== null ? 2 : acknowledgedAt !== null ? 1 : 0);
  return [...incidents].sort((a, b) => place(a) - place(b) || Date.parse(b.openedAt) - Date.parse(a.openedAt));
}

/** Whether somebody should look at it: it is open, and nobody has acknowledged it. */
export function needsSomeone({ acknowledgedAt, resolvedAt }: IncidentState): boolean {
  return acknowledgedAt === null && resolvedAt === null;
}

/** A number of a list that was read up to a limit: "7", or "20+" where there may be more. */
export function countText(count: number, limit: number): string {
  return count < limit ? String(count) : `${limit}+`;
}

/** How long an incident has lasted, or lasted, in ms. */
export function lengthOf({ since, resolvedAt }: { since: string; resolvedAt: string | null }, now: number): number {
  return Math.max(0, (resolvedAt === null ? now : Date.parse(resolvedAt)) - Date.parse(since));
}
