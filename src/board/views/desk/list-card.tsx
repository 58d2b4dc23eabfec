import type { ComponentChildren } from "preact";
import type { Loaded } from "../../data/query.ts";
import { Body } from "./card.tsx";
import { More } from "./more.tsx";
import { Table, type TableData } from "./table.tsx";

interface ListCardProps {
  title: string;
  hint: string;
  loaded: Pick<Loaded<unknown>, "data" | "error" | "isStale" | "reload">;
  table: TableData;
  /** Replaces the table if it has no rows. */
  none: ComponentChildren;
  /** Shows more rows; null: there are no more. */
  onMore: (() => void) | null;
  /** The button at its title. */
  tool?: ComponentChildren;
  /** What is said above the table once it is loaded. */
  status?: ComponentChildren;
  /** Forms, above the list. */
  children?: ComponentChildren;
}

/** A card with a table that shows its rows step by step. */
export function ListCard({ title, hint, loaded, table, none, onMore, tool, status, children }: ListCardProps) {
  return (
    <section class="card" aria-label={title} aria-busy={loaded.isStale}>
      <header class="card-head">
        <h2>{title}</h2>
        <p class="card-sub">{hint}</p>
        {tool && <p class="card-tools">{tool}</p>}
      </header>
      {children}
      <Body loaded={loaded}>
        {status}
        {table.rows.length === 0 ? none : <Table caption={title} data={table} />}
        {onMore && <More shown={table.rows.length} onMore={onMore} />}
      </Body>
    </section>
  );
}
