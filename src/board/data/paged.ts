import { useState } from "preact/hooks";
import { type Loaded, type ReadOptions, useRead } from "./query.ts";

// Lists that are shown step by step: more rows with each press of a button.

export interface Paged<T> extends Loaded<unknown> {
  /** The rows that are known; none while nothing was read. */
  rows: readonly T[];
  /** How many of these are shown. */
  most: number;
  /** Whether there are more than are shown. */
  hasMore: boolean;
  /** Whether the rows are all that there are: only then can they be put in another order. */
  isWhole: boolean;
  /** Shows more. */
  more(): void;
}

/**
 * A list whose rows are read as they are shown.
 * @param key that of `useRead`; the number of rows is added to it
 * @param step how many rows are shown at first, and added each time
 * @param read reads at least `most` rows, if there are so many
 */
export function usePaged<L extends { data: readonly unknown[]; hasMore: boolean }>(
  key: readonly unknown[] | null,
  step: number,
  read: (most: number) => Promise<L>,
  options?: ReadOptions<L>,
): Paged<L["data"][number]> & Loaded<L> {
  const [most, setMost] = useState(step);
  const loaded = useRead(key && [...key, most], () => read(most), options);
  const { data: rows = [], hasMore = false } = loaded.data ?? {};
  return { ...loaded, rows, most: rows.length, hasMore, isWhole: !hasMore, more: () => setMost(most + step) };
}

/** A list whose rows were all read, but are not all shown at first. */
export function useSteps<T>(loaded: Loaded<unknown>, rows: readonly T[], step: number): Paged<T> {
  const [most, setMost] = useState(step);
  return { ...loaded, rows, most, hasMore: rows.length > most, isWhole: true, more: () => setMost(most + step) };
}
