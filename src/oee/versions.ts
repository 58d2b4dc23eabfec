// Which of several versions of the same thing holds when.

/** What decides when a version holds. Times are epoch ms. */
export interface Version {
  /** Of two versions, the one with the higher id was recorded later. */
  id: number;
  validFrom: number;
  /** Null: for ever. */
  validUntil: number | null;
  /** Whether somebody said from when it holds; otherwise from when it was recorded. */
  isExplicit: boolean;
  recordedAt: number;
  /** Null: it was not withdrawn. */
  withdrawnAt: number | null;
}

/** A time in which one version holds: from `since` to that of the next piece. */
export interface Piece<V> {
  since: number;
  version: V;
}

/**
 * The times in which versions hold, from the beginning of time on; empty if there is no version. In the order of their ids each version that was not
 * withdrawn paints its time, over what earlier ones painted: so the version that was recorded last holds, and withdrawing it shows what was under it.
 * Time that no version paints has the value before it, and the time before all of them the first value. The version that was recorded first holds from the
 * beginning, unless somebody said from when: it is what was there.
 * @param heardAt when the machine's first event arrived, null: none has yet. What was recorded before that holds from the beginning unless somebody said
 * from when: the set-up of a machine can be made in any order
 */
export function pieces<V extends Version>(versions: readonly V[], heardAt: number | null): Piece<V>[] {
  let painted: (Piece<V> & { until: number })[] = [];
  const inOrder = versions.toSorted((a, b) => a.id - b.id);
  for (const version of inOrder) {
    if (version.withdrawnAt !== null) continue;
    const isFromBeginning = !version.isExplicit && (heardAt === null || version.recordedAt < heardAt || version === inOrder[0]);
    const since = isFromBeginning ? 0 : version.validFrom;
    const until = version.validUntil ?? Number.POSITIVE_INFINITY;
    if (until <= since) continue;
    const before = painted.filter((one) => one.since < since).map((one) => ({ ...one, until: Math.min(one.until, since) }));
    const after = painted.filter((one) => one.until > until).map((one) => ({ ...one, since: Math.max(one.since, until) }));
    painted = [...before, { since, until, version }, ...after];
  }
  return painted
    .filter(({ version }, i) => version !== painted[i - 1]?.version)
    .map(({ since, version }, i) => ({ since: i === 0 ? 0 : since, version }));
}

/**
 * The version that holds at an instant.
 */
export function versionAt<V extends Version>(all: readonly Piece<V>[], at: number): V | undefined {
  return (all.findLast(({ since }) => since <= at) ?? all[0])?.version;
}
