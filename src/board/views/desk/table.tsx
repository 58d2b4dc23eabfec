import "./table.css";
import { type ComponentChildren, isValidElement, type VNode } from "preact";

export interface TableData {
  columns: readonly string[];
  /** The columns with numbers, which are aligned on the right. */
  numbers?: readonly number[];
  rows: readonly { key: string | number; cells: readonly ComponentChildren[]; isMarked?: boolean }[];
  /** The last row: sums. */
  total?: readonly ComponentChildren[];
  /** Whether each row is a block on a phone, with the name of its column above each value. For tables that are wider than a phone. */
  isStacked?: boolean;
}

/** A word that may break, because it is longer than some columns. */
const LONG_WORD = /\S{21}/;
/** The name of a row that stays on one line, such as a time: the other columns get the room. */
const SHORT_NAME = /^.{1,10}$/;

/** The parts of a cell, or of the link in it, that are text. */
function textsOf(cell: ComponentChildren): string[] {
  const text = isValidElement(cell) ? (cell as VNode<{ children?: ComponentChildren }>).props.children : cell;
  return [text].flat().filter((part) => typeof part === "string");
}

/** A table of a chart's numbers. The first cell of a row names it. */
export function Table({ caption, data }: { caption: string; data: TableData }) {
  const { columns, numbers = [], rows, total, isStacked = false } = data;
  const classOf = (column: number, cell: ComponentChildren) => {
    if (numbers.includes(column)) return "number";
    const texts = textsOf(cell);
    if (column === 0 && texts.length === 1 && SHORT_NAME.test(texts[0] ?? "")) return "short";
    return texts.some((text) => LONG_WORD.test(text)) ? "long" : undefined;
  };
  const cellsOf = (cells: readonly ComponentChildren[]) =>
    cells.map((cell, i) => {
      const Cell = i === 0 ? "th" : "td";
      return (
        <Cell key={i} scope={i === 0 ? "row" : undefined} class={classOf(i, cell)} data-column={columns[i]}>
          {cell}
        </Cell>
      );
    });
  return (
    // Wide tables scroll in their box, which the keyboard reaches.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise the keyboard could not scroll it.
    <section class="table-box" tabIndex={0} aria-label={caption}>
      <table class={isStacked ? "table stacked" : "table"}>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((name, i) => (
              <th key={name} scope="col" class={classOf(i, name)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells, isMarked }) => (
            <tr key={key} class={isMarked ? "marked" : undefined}>
              {cellsOf(cells)}
            </tr>
          ))}
        </tbody>
        {total && (
          <tfoot>
            <tr>{cellsOf(total)}</tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}
