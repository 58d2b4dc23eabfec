/** The reading distances of a wall, in metres. */
export const distances = [3, 5, 8, 10] as const;
export type Distance = (typeof distances)[number];

/** The layout of a wall's tiles; lengths in px. */
export interface WallLayout {
  columns: number;
  rows: number;
  /** Machines on a page. */
  perPage: number;
  /** Font size of a tile's state and clock, which must be readable from the distance. */
  fontSize: number;
  /** "compact": only state, clock and name, so that they can be large. */
  density: "full" | "compact";
}

/** The height of a 55-inch 16:9 screen, in mm. */
const SCREEN_MM = 685;
/** Comfortable to read, in minutes of arc (ISO 9241: 20 to 22). */
const ARC_MINUTES = 20;
/** The height of a capital letter in font sizes. */
const CAP = 0.7;
/** Below this, the small text of a tile could not be read even on a phone. */
const LEAST_FONT = 26;
/** How much smaller the text may be to make room for another row or column: 18 minutes of arc. */
const TOLERANCE = 0.92;
/** How much larger than needed the text may be where there is room. */
const MOST_GROWTH = 1.5;

/** The minimum width and height of a tile, in font sizes of its state. */
const least = { full: { width: 6.6, height: 6 }, compact: { width: 5.7, height: 3.4 } };
const GAP = 0.25;

/**
 * The font size (as a share of the screen's height) whose capitals take 20 minutes of arc on a 55-inch screen, read from this many metres.
 * 5 m: 0.061.
 */
export function fontShare(distance: number): number {
  return (2 * Math.PI * distance * 1000 * ARC_MINUTES) / (360 * 60) / SCREEN_MM / CAP;
}

/** The header's figures: at least 18 minutes of arc. */
const HEAD = 0.9;
/** The width of all figures of the header and the content beside them, in font sizes of a figure. */
const headWidth = { beside: 14, alone: 12 };

/**
 * The font size of the header's figures, in px: large enough for the distance, and larger where that takes little of the screen.
 * @param isNarrow whether the figures are on a separate line
 */
export function headSize({ width, height }: { width: number; height: number }, distance: Distance, isNarrow: boolean): number {
  const readable = HEAD * fontShare(distance) * Math.min(height, 0.75 * width);
  const comfortable = Math.min(MOST_GROWTH * readable, 0.05 * height);
  const possible = width / (isNarrow ? headWidth.alone : headWidth.beside);
  return Math.floor(10 * Math.max(20, Math.min(possible, Math.max(readable, comfortable)))) / 10;
}

/**
 * Lays out `count` tiles in `width` x `height` px of a screen of `screen` px: as many on a page as can be read from the distance.
 * Upright screens are read from nearer, so their width counts.
 */
export function layOut(
  count: number,
  { width, height }: { width: number; height: number },
  screen: { width: number; height: number },
  distance: Distance,
): WallLayout {
  const readable = Math.max(LEAST_FONT, fontShare(distance) * Math.min(screen.height, 0.75 * screen.width));
  const most = (density: "full" | "compact") => ({
    columns: fitting(width, TOLERANCE * least[density].width * readable, GAP * readable),
    rows: fitting(height, TOLERANCE * least[density].height * readable, GAP * readable),
  });
  const isRoomy = most("full").rows >= 2 || count <= most("full").columns;
  const density = isRoomy ? "full" : "compact";
  const bound = most(density);
  // If one page is not enough, all have about the same number, so that the last one is not nearly empty.
  const pages = Math.max(1, Math.ceil(count / (bound.columns * bound.rows)));
  const grid = bestGrid(Math.ceil(count / pages), bound, width / height);
  const gap = GAP * readable;
  const tile = { width: (width - (grid.columns - 1) * gap) / grid.columns, height: (height - (grid.rows - 1) * gap) / grid.rows };
  const possible = Math.min(tile.width / least[density].width, tile.height / least[density].height);
  // A screen that is too small for even one tile gets smaller text, so that no text is cut off.
  const fontSize = Math.min(readable * MOST_GROWTH, possible);
  return { ...grid, perPage: grid.columns * grid.rows, fontSize: Math.floor(fontSize * 10) / 10, density };
}

function fitting(space: number, least: number, gap: number): number {
  return Math.max(1, Math.floor((space + gap) / (least + gap)));
}

/** The columns and rows whose tiles are closest to 3:2, among those with room for all; otherwise the largest grid. */
function bestGrid(count: number, most: { columns: number; rows: number }, ratio: number) {
  if (count >= most.columns * most.rows) return most;
  let best = most;
  let bestFault = Number.POSITIVE_INFINITY;
  for (let columns = 1; columns <= most.columns; columns++) {
    const rows = Math.max(1, Math.ceil(count / columns));
    if (rows > most.rows) continue;
    const empty = columns * rows - count;
    const fault = Math.abs(Math.log((ratio * rows) / columns / 1.5)) + 0.2 * empty;
    if (fault < bestFault) [best, bestFault] = [{ columns, rows }, fault];
  }
  return best;
}

/**
 * The pages of a wall. Pinned items are on every page, as far as there is room beside at least one other; more of them take turns.
 * @param perPage at least 1. With room for one item only, nothing can be pinned
 */
export function pagesOf<T>(items: readonly T[], isPinned: (item: T) => boolean, perPage: number): T[][] {
  const pinned = items.filter(isPinned);
  const fixed = Math.min(pinned.length, perPage - 1);
  if (items.length <= perPage || fixed === 0 || pinned.length === items.length) return chunks(items, perPage);
  const others = chunks(
    items.filter((item) => !isPinned(item)),
    perPage - fixed,
  );
  const groups = chunks(pinned, fixed);
  const count = Math.max(others.length, groups.length);
  return Array.from({ length: count }, (_, i) => [
    ...(groups[i % groups.length] ?? []),
    ...(others[i % Math.max(1, others.length)] ?? []),
  ]);
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
