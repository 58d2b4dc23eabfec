/** The reading distances of a wall, in metres. */
export const distances = [3, 5, 8, 10] as const;
export type Distance = (typeof distances)[number];

/** A width and a height, in px. */
export interface Size {
  width: number;
  height: number;
}

/** The sizes of a wall's texts, in px. They follow from the distance and the screen, never from a text. */
export interface TextSizes {
  /** Machines' names, causes, differences: at least 16 minutes of arc. */
  text: number;
  /** The figures of the header. */
  figure: number;
  /** The name of the plant. */
  title: number;
  /** What is learned once: captions and the legend. */
  caption: number;
}

/** The column beside the tiles. Its machines have texts of the tiles' size. */
interface Column {
  /** In px. */
  width: number;
  /** The width of a line, in font sizes. */
  ems: number;
  /** The height that its machines can take, in font sizes, and that of the chart of hours beneath them. */
  room: number;
  hours: number;
  /** The font size of the counts at its foot, in px: three of them share its width. */
  count: number;
}

/** The grid of a wall's tiles, and the column beside it. */
export interface WallLayout {
  /** The column of those who are needed; null: narrow and upright screens have none. */
  column: Column | null;
  columns: number;
  rows: number;
  /** Machines on a page. */
  perPage: number;
  /** Font size of a tile's text, in px. Larger than needed where all machines fit on one page. */
  text: number;
  /** Whether tiles have two lines instead of three. */
  isDense: boolean;
  /** The width of a line of a tile, in font sizes. */
  ems: number;
}

/** The height of a 55-inch 16:9 screen, in mm. */
const SCREEN_MM = 685;
/** The height of a capital letter of the wall's face, in font sizes. */
export const CAP = 0.711;
/** The least height of capitals that people read without effort, in minutes of arc. */
const LEAST_ARC = 16;
/** The sizes, in minutes of arc, that are tried in turn: the first one with which all machines fit on one page. */
const arcs = [24, 20, LEAST_ARC];
/** Below these, in px, texts cannot be read even on a phone. */
const least = { text: 20, figure: 20, caption: 12 };

/** The least width of a tile, and the width of the column, in font sizes. From afar both leave out more. */
const tileWidth: Record<Distance, number> = { 3: 8.4, 5: 7.6, 8: 7.2, 10: 5.75 };
const columnWidth: Record<Distance, number> = { 3: 8, 5: 7.96, 8: 7.2, 10: 5.75 };
/** The heights in the column, as in column.css: a line and the edges of a machine, in font sizes; the counts, the chart of hours, in theirs. */
const pinHeight = { line: 1.16, edges: 0.5 };
const countsHeight = { count: 2.5, caption: 1.9 };
const HOURS_HEIGHT = 6.6;
/** The least height of a tile of three and of two lines with its strip, in font sizes. As in tile.css. */
const tileHeight = { roomy: 3.9, dense: 2.62 };
/** Between tiles, in font sizes, and beside their texts. As in tile.css. */
const gap = { roomy: 0.27, dense: 0.23 };
const TILE_EDGES = 0.87;
/** How many pages of three lines there may be before tiles have two. */
const MOST_PAGES = 2;

/** The px of one minute of arc on a 55-inch screen of this height, seen from `distance` metres: 2.293 at 5 m and 1080 px. */
export function pxPerArcMinute(distance: number, height: number): number {
  return (Math.tan(Math.PI / 180 / 60) * distance * 1000 * height) / SCREEN_MM;
}

/** The height of a screen as far as its letters are concerned: upright ones are read from nearer. */
const heightOf = ({ width, height }: Size) => Math.min(height, 0.75 * width);

/** The font size whose capitals have so many minutes of arc, in whole px. */
function fontSize(arc: number, distance: Distance, screen: Size): number {
  return Math.max(least.text, Math.ceil((arc * pxPerArcMinute(distance, heightOf(screen))) / CAP));
}

/** The sizes of the texts around the tiles. */
export function textSizes(distance: Distance, screen: Size): TextSizes {
  const text = fontSize(LEAST_ARC, distance, screen);
  const scale = heightOf(screen) / 1080;
  const near = distance === 3 ? 0.7 : 1;
  return {
    text,
    figure: Math.round(Math.max(least.figure, text, 66 * near * scale)),
    title: Math.round(Math.max(least.figure, 52 * near * scale)),
    caption: Math.round(Math.max(least.caption, 30 * near * scale)),
  };
}

/**
 * Lays out `count` tiles in `space` on a screen: as many on a page as can be read from the distance, of three lines or, if those took many pages,
 * of two. Only a change of the number of machines or of the screen changes it.
 */
export function layOut(count: number, space: Size, screen: Size, distance: Distance): WallLayout {
  const sizes = textSizes(distance, screen);
  const hasColumn = screen.width > 900 && screen.width > screen.height;
  const gridOf = (text: number, isDense: boolean) => gridIn(space, distance, { text, isDense, hasColumn, sizes });
  const grids = arcs.map((arc) => gridOf(fontSize(arc, distance, screen), false));
  const roomy = grids.find(({ perPage }) => count <= perPage) ?? (grids[grids.length - 1] as WallLayout);
  const dense = gridOf(roomy.text, true);
  return count <= MOST_PAGES * roomy.perPage || dense.perPage === roomy.perPage ? roomy : dense;
}

interface Look {
  text: number;
  isDense: boolean;
  hasColumn: boolean;
  sizes: TextSizes;
}

function gridIn({ width: whole, height }: Size, distance: Distance, { text, isDense, hasColumn, sizes }: Look): WallLayout {
  const kind = isDense ? "dense" : "roomy";
  const between = gap[kind] * text;
  const column = hasColumn ? Math.round(columnWidth[distance] * text) : 0;
  const width = hasColumn ? whole - column - between : whole;
  const columns = fitting(width, tileWidth[distance] * text, between);
  const rows = fitting(height, tileHeight[kind] * text, between);
  const ems = (width - (columns - 1) * between) / columns / text - TILE_EDGES;
  const count = Math.min(text, sizes.title);
  const counts = countsHeight.count * count + countsHeight.caption * sizes.caption;
  const room = Math.max(0, height - counts) / text;
  const hours = (HOURS_HEIGHT * sizes.caption) / text;
  return {
    column: hasColumn ? { width: column, ems: column / text - TILE_EDGES, room, hours, count } : null,
    ...{ columns, rows, perPage: columns * rows, text, isDense, ems },
  };
}

/** The height of a machine in the column, in font sizes, with the gap to the next. */
export function pinSize(lines: number): number {
  return lines * pinHeight.line + pinHeight.edges;
}

function fitting(space: number, one: number, between: number): number {
  return Math.max(1, Math.floor((space + between) / (one + between)));
}

/**
 * The pages of a wall. The first ones of some pinned items are on every page, as far as there is room beside at least one other.
 * @param perPage at least 1
 */
export function pagesOf<T>(items: readonly T[], pinned: readonly T[], perPage: number): T[][] {
  const fixed = pinned.slice(0, perPage - 1);
  const others = items.filter((item) => !fixed.includes(item));
  const pages = chunks(others, perPage - fixed.length);
  return pages.length > 0 ? pages.map((page) => [...fixed, ...page]) : chunks(fixed, perPage);
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
