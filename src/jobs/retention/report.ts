/** Why a kind failed. */
export function reasonOf(kind: string, error: unknown): string {
  return `${kind}: ${(error instanceof Error && error.cause) || error}`;
}

/** Logs how many rows of each kind a run deleted, unless it had nothing to do. */
export function logForgotten(
  of: { companyId?: number } & Record<string, number>,
  failures: readonly string[],
  startedAt: number,
): void {
  const { companyId: _, ...counts } = of;
  if (failures.length === 0 && Object.values(counts).every((count) => count === 0)) return;
  console.log(JSON.stringify({ event: "forgotten", ...of, failed: failures.length, durationMs: Date.now() - startedAt }));
}

export function notForgotten(failures: readonly string[]): Error {
  return new Error(`Not forgotten: ${failures.join("; ")}`);
}
