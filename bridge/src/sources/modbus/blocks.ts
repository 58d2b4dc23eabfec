import { isRegister, type Table } from "./address.ts";

/** A value to be read: its place in the source's signals, and its registers or its bit. */
export interface Item {
  signal: number;
  unit: number;
  table: Table;
  start: number;
  count: number;
}

/** Values that one request reads. */
export interface Block {
  unit: number;
  table: Table;
  start: number;
  count: number;
  items: Item[];
}

/** What one request may ask for, and what may be read in vain between two values. */
const bounds = { registers: { count: 125, gap: 16 }, bits: { count: 2000, gap: 128 } };

/** Few requests for all values. Each value is in one request as a whole, because its words are of one instant only there. */
export function blocksOf(items: readonly Item[]): Block[] {
  const sorted = items.toSorted(
    (a, b) => a.unit - b.unit || a.table.localeCompare(b.table) || a.start - b.start || a.count - b.count,
  );
  const blocks: Item[][] = [];
  for (const item of sorted) {
    const last = blocks.at(-1);
    if (last !== undefined && fits(last, item)) last.push(item);
    else blocks.push([item]);
  }
  return blocks.map(blockOf);
}

/**
 * The two parts of a block that a device refused: between them is the longest gap, which is what the device does not have. Null for a block of one
 * value.
 */
export function split(block: Block): [Block, Block] | null {
  const { items } = block;
  if (items.length < 2) return null;
  const gaps = items.slice(1).map((item, index) => item.start - endOf(items.slice(0, index + 1)));
  const longest = Math.max(...gaps);
  const at = longest > 0 ? gaps.indexOf(longest) + 1 : Math.floor(items.length / 2);
  return [blockOf(items.slice(0, at)), blockOf(items.slice(at))];
}

function fits(block: readonly Item[], item: Item): boolean {
  const [first] = block;
  if (first === undefined || first.unit !== item.unit || first.table !== item.table) return false;
  const { count, gap } = isRegister(item.table) ? bounds.registers : bounds.bits;
  return item.start - endOf(block) <= gap && item.start + item.count - first.start <= count;
}

function blockOf(items: Item[]): Block {
  const { unit, table, start } = items[0] as Item;
  return { unit, table, start, count: endOf(items) - start, items };
}

function endOf(items: readonly Item[]): number {
  return Math.max(...items.map((item) => item.start + item.count));
}
