import "./card.css";
import type { ComponentChildren } from "preact";
import type { Paged } from "../data/paged.ts";
import { Body, Empty } from "./body.tsx";
import { More } from "./more.tsx";
import { Table, type TableData } from "./table.tsx";

interface ListCardProps<Row> extends Pick<TableData<Row>, "columns" | "keyOf" | "isMarked"> {
  title: string;
  hint: string;
  list: Paged<Row>;
  /** Said instead of the table if it has no rows, and what to do then. */
  none: string;
  noneHint?: string;
  /** The button at its title. */
  tool?: ComponentChildren;
  /** What is said above the table once it is loaded. */
  status?: ComponentChildren;
  /** Forms, above the list. */
  children?: ComponentChildren;
}

/** A card with a table that shows its rows step by step. */
export function ListCard<Row>(props: ListCardProps<Row>) {
  const { title, hint, list, none, noneHint, tool, status, children, ...table } = props;
  const { rows, most, hasMore, isWhole } = list;
  return (
    <section class="card" aria-label={title} aria-busy={list.isStale}>
      <header class="card-head">
        <h2>{title}</h2>
        <p class="card-sub">{hint}</p>
        {tool && <p class="card-tools">{tool}</p>}
      </header>
      {children}
      <Body loaded={list}>
        {status}
        {rows.length > 0 ? (
          <Table caption={title} data={{ ...table, rows, most, isPartial: !isWhole, isStacked: true }} />
        ) : noneHint === undefined ? (
          <p class="quiet">{none}</p>
        ) : (
          <Empty title={none}>
            <p>{noneHint}</p>
          </Empty>
        )}
        {hasMore && <More shown={Math.min(most, rows.length)} onMore={list.more} />}
      </Body>
    </section>
  );
}
