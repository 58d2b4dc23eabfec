// Calendar days as they are listed and entered.

/** Coming days, the next one first; then past days, the latest one first. */
export function inOrder<T extends { date: string }>(days: readonly T[], today: string): T[] {
  const later = days.filter(({ date }) => date >= today).sort((a, b) => (a.date < b.date ? -1 : 1));
  const earlier = days.filter(({ date }) => date < today).sort((a, b) => (a.date > b.date ? -1 : 1));
  return [...later, ...earlier];
}

/** For what a calendar day is, as one text: "company", "line 3", "machine 7". */
export function scopeText({
  scope,
  lineId,
  machineId,
}: {
  scope: string;
  lineId: number | null;
  machineId: number | null;
}): string {
  return scope === "line" ? `line ${lineId}` : scope === "machine" ? `machine ${machineId}` : "company";
}

/** The members of a request that say for what a calendar day is. */
export function scopeOf(text: string): { scope: "company" | "line" | "machine"; lineId?: number; machineId?: number } {
  const [scope, id] = text.split(" ");
  if (scope === "line") return { scope, lineId: Number(id) };
  return scope === "machine" ? { scope, machineId: Number(id) } : { scope: "company" };
}
