import "./table.css";
import { signal } from "@preact/signals";
import { type ComponentChildren, isValidElement, type VNode } from "preact";
import { useState } from "preact/hooks";
import { locale } from "../app/language.ts";
import { isLargestFirst, type SortValue, sorted } from "../domain/sorted.ts";
import { desk as t } from "../texts/desk.ts";
import { ChooseBox } from "./choose-box.tsx";

type Key = string | number;

/** All that a table knows of one of its columns. */
export interface Column<Row> {
  /** Its heading; "" above buttons, where only screen readers get one. No two columns have the same. */
  name: string;
  /** Components in it are pictures or buttons, or have their text as children: a saved table has only the text that is in its elements. */
  cell(row: Row): ComponentChildren;
  /** Whether it has numbers, which are aligned on the right. */
  isNumber?: boolean;
  /** What the rows can be put in order by; null: it is not known of this row. */
  sortBy?(row: Row): SortValue;
  /** Its cell of the last row: the sum. */
  total?: ComponentChildren;
  /** Whether the table has it; default true. */
  isShown?: boolean;
}

export interface TableData<Row> {
  /** The first one names the row. */
  columns: readonly Column<NoInfer<Row>>[];
  rows: readonly Row[];
  keyOf(row: Row): Key;
  isMarked?(row: Row): boolean;
  /** Whether each row is a block on a phone, with the name of its column above each value. For tables that are wider than a phone. */
  isStacked?: boolean;
  /** Whether there are more rows than these. Then they cannot be put in another order: what is first might be among the others. */
  isPartial?: boolean;
  /** How many of the rows are shown, after they were put in order; default all. */
  most?: number;
  /** If rows can be chosen. */
  choose?: Choose<Row> | null;
}

interface Choose<Row> {
  chosen: ReadonlySet<Key> | "all";
  onChoose(row: Row, isChosen: boolean): void;
  /** The accessible name of the field that chooses a row. */
  nameOf(row: Row): string;
}

/** The order of a table's rows. */
export interface Order {
  /** The name of the column. */
  by: string;
  isDescending: boolean;
}

/** A word that may break, because it is longer than some columns. */
const LONG_WORD = /\S{21}/;
/** The name of a row that stays on one line, such as a time: the other columns get the room. */
const SHORT_NAME = /^.{1,10}$/;

/** A heading that takes several lines, because people gave it its name, such as that of a shift. Our own are shorter. */
const LONG_NAME = /^.{25}/;

/** Where tables are stacked, as in table.css: their headings are not seen there. */
const phone = matchMedia("(max-width: 600px)");
const isPhone = signal(phone.matches);
phone.addEventListener("change", () => {
  isPhone.value = phone.matches;
});

/** "Press 2" is before "Press 10". */
const collator = new Intl.Collator(locale, { numeric: true });

/** The parts of a cell, or of the link in it, that are text. */
function textsOf(cell: ComponentChildren): string[] {
  const text = isValidElement(cell) ? (cell as VNode<{ children?: ComponentChildren }>).props.children : cell;
  return [text].flat().filter((part) => typeof part === "string");
}

function classOf(column: number, isNumber: boolean, cell: ComponentChildren): string | undefined {
  if (isNumber) return LONG_NAME.test(textsOf(cell).join("")) ? "number wraps" : "number";
  const texts = textsOf(cell);
  if (column === 0 && texts.length === 1 && SHORT_NAME.test(texts[0] ?? "")) return "short";
  return texts.some((text) => LONG_WORD.test(text)) ? "long" : undefined;
}

export function shownColumns<Row>({ columns }: TableData<Row>): readonly Column<Row>[] {
  return columns.filter(({ isShown = true }) => isShown);
}

function sortableColumns<Row>(data: TableData<Row>): readonly Column<Row>[] {
  if (data.isPartial || data.rows.length < 2) return [];
  return shownColumns(data).filter(({ sortBy }) => sortBy !== undefined);
}

/** The rows of a table in an order; as given, if there is none or the table does not have it. */
export function inOrder<Row>(data: TableData<Row>, order: Order | null): readonly Row[] {
  const by = sortableColumns(data).find(({ name }) => name === order?.by);
  return by?.sortBy && order ? sorted(data.rows, by.sortBy, order.isDescending, collator) : data.rows;
}

interface TableProps<Row> {
  caption: string;
  data: TableData<Row>;
  /** The order and its setter, for what needs the order too; otherwise the table keeps it for itself. */
  ordering?: readonly [Order | null, (order: Order | null) => void];
}

/** A table. Pressing a heading puts its rows in order, pressing it again in the opposite one, and a third time in that of the given rows. */
export function Table<Row>({ caption, data, ordering }: TableProps<Row>) {
  const { rows, keyOf, isStacked = false, most, choose } = data;
  const own = useState<Order | null>(null);
  const [order, setOrder] = ordering ?? own;
  const columns = shownColumns(data);
  const sortable = sortableColumns(data);
  const by = sortable.find(({ name }) => name === order?.by);
  const press = ({ name, sortBy }: Column<Row>) => {
    const isFirstDescending = sortBy !== undefined && isLargestFirst(rows, sortBy);
    if (order?.by !== name) setOrder({ by: name, isDescending: isFirstDescending });
    else setOrder(order.isDescending === isFirstDescending ? { by: name, isDescending: !isFirstDescending } : null);
  };
  const directionOf = (column: Column<Row>) => (column !== by ? "none" : order?.isDescending ? "descending" : "ascending");
  const cellsOf = (row: Row) =>
    columns.map((column, i) => {
      const Cell = i === 0 ? "th" : "td";
      const cell = column.cell(row);
      return (
        <Cell
          key={column.name}
          scope={i === 0 ? "row" : undefined}
          class={classOf(i, column.isNumber ?? false, cell)}
          data-column={column.name}
        >
          {i === 0 && choose ? (
            <span class="choose-row">
              <ChooseBox
                name={choose.nameOf(row)}
                isChosen={choose.chosen === "all" || choose.chosen.has(keyOf(row))}
                isDisabled={choose.chosen === "all"}
                onChoose={(isChosen) => choose.onChoose(row, isChosen)}
              />
              {cell}
            </span>
          ) : (
            cell
          )}
        </Cell>
      );
    });
  return (
    <>
      {isStacked && isPhone.value && sortable.length > 0 && <SortField columns={sortable} order={order} onOrder={setOrder} />}
      {/* Wide tables scroll in their box, which the keyboard reaches. Not a region: the card around it already is one, by the same name. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise the keyboard could not scroll it. */}
      <div class="table-box" role="group" tabIndex={0} aria-label={caption}>
        <table class={isStacked ? "table stacked" : "table"}>
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column, i) => {
                // The headings of a stacked table are for screen readers only: buttons there would get a focus that nobody sees.
                const isButton = sortable.includes(column) && !(isStacked && isPhone.value);
                const direction = sortable.includes(column) ? directionOf(column) : undefined;
                return (
                  <th
                    key={column.name}
                    scope="col"
                    class={classOf(i, column.isNumber ?? false, column.name)}
                    aria-sort={direction}
                  >
                    {column.name === "" ? (
                      <span class="unseen">{t.actions}</span>
                    ) : isButton ? (
                      <button type="button" class="sort" onClick={() => press(column)}>
                        {column.name}
                        <SortMark direction={directionOf(column)} />
                      </button>
                    ) : (
                      column.name
                    )}
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {inOrder(data, order)
              .slice(0, most)
              .map((row) => (
                <tr key={keyOf(row)} class={data.isMarked?.(row) ? "marked" : undefined}>
                  {cellsOf(row)}
                </tr>
              ))}
          </tbody>
          {columns.some(({ total }) => total !== undefined) && (
            <tfoot>
              <tr>
                {columns.map(({ name, isNumber = false, total }, i) => {
                  const Cell = i === 0 ? "th" : "td";
                  return (
                    <Cell key={name} scope={i === 0 ? "row" : undefined} class={classOf(i, isNumber, total)} data-column={name}>
                      {total}
                    </Cell>
                  );
                })}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
    </>
  );
}

type Direction = "none" | "ascending" | "descending";

/** Beside a heading, in the space between columns: an arrow in the direction of the order, or both. The fonts of some devices have no arrows. */
function SortMark({ direction }: { direction: Direction }) {
  return (
    <svg class={direction === "none" ? "sort-mark faint" : "sort-mark"} viewBox="0 0 8 14" aria-hidden="true">
      {direction !== "descending" && <path d="M4 0l4 6H0z" />}
      {direction !== "ascending" && <path d="M4 14l4-6H0z" />}
    </svg>
  );
}

interface SortFieldProps<Row> {
  columns: readonly Column<Row>[];
  order: Order | null;
  onOrder(order: Order | null): void;
}

/** The choice of the order where no heading is seen. */
function SortField<Row>({ columns, order, onOrder }: SortFieldProps<Row>) {
  const orders = columns.flatMap(({ name }) => [false, true].map((isDescending): Order => ({ by: name, isDescending })));
  const chosen = orders.findIndex((one) => one.by === order?.by && one.isDescending === order.isDescending);
  return (
    <label class="field sort-field">
      <span>{t.sort.by}</span>
      <select value={String(chosen)} onChange={({ currentTarget }) => onOrder(orders[Number(currentTarget.value)] ?? null)}>
        <option value="-1">{t.sort.given}</option>
        {orders.map(({ by, isDescending }, i) => (
          <option key={`${by} ${isDescending}`} value={String(i)}>
            {isDescending ? t.sort.descending(by) : t.sort.ascending(by)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The same table without a box that scrolls and without buttons, for screen readers: beside a chart, which is a picture to them. */
export function PlainTable<Row>({ caption, data }: { caption: string; data: TableData<Row> }) {
  const columns = shownColumns(data);
  return (
    <table>
      <caption>{caption}</caption>
      <tbody>
        <tr>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
        {data.rows.map((row) => (
          <tr key={data.keyOf(row)}>
            {columns.map((column) => (
              <td key={column.name}>{column.cell(row)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
