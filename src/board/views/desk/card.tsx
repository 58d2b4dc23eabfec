import "./card.css";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Loaded } from "../../data/query.ts";
import { hrefOf } from "../../domain/desk-state.ts";
import { Refused } from "../../form/form-end.tsx";
import { reasonOf } from "../../texts/common.ts";
import { desk as t } from "../../texts/desk.ts";
import { Body } from "../../ui/body.tsx";
import { type Order, PlainTable, Table, type TableData } from "../../ui/table.tsx";
import { saveTable } from "../../ui/table-csv.ts";
import { type CsvSource, saveCsv } from "./csv.ts";
import { useDesk } from "./desk-state.ts";
import { Recalculating } from "./recalculating.tsx";

interface CardProps<Row> {
  title: string;
  /** The total beside the title. */
  sub?: ComponentChildren;
  /** The numbers of the chart; null while there are none. */
  table: TableData<Row> | null;
  /** Whether screen readers get the table beside the chart, which is a picture to them. */
  isPicture?: boolean;
  csv: CsvSource | null;
  loaded: Pick<Loaded<unknown>, "data" | "error" | "isStale" | "reload">;
  /** Replaces the chart if there is nothing to show: what to do then. */
  empty?: ComponentChildren;
  tools?: ComponentChildren;
  /** Whether numbers of it are being recalculated. */
  isRecalculating?: boolean | undefined;
  /** Whether there is only the table, and no chart. */
  isTable?: boolean;
  /** The height of the chart, reserved so that nothing jumps when it appears. */
  height?: "small" | "large";
  children: ComponentChildren;
}

/** A chart with its title, table, link, and two files: the table as it is, and the API's rows behind it. It shows its frame at once, and the reason if it is empty. */
export function Card<Row>(props: CardProps<Row>) {
  const {
    title,
    sub,
    table,
    isPicture = false,
    csv,
    loaded,
    empty,
    tools,
    isRecalculating = false,
    isTable: isOnlyTable = false,
    height = "large",
  } = props;
  const { state, hrefWith } = useDesk();
  const [fault, setFault] = useState<string | null>(null);
  const ordering = useState<Order | null>(null);
  const isTable = (state.asTable || isOnlyTable) && table !== null && table.rows.length > 0;
  async function save(source: CsvSource): Promise<void> {
    setFault(null);
    try {
      await saveCsv(source);
    } catch (error) {
      setFault(t.savingFailed(reasonOf(error)));
    }
  }
  return (
    <section class={`card card-${height}`} aria-busy={loaded.isStale} aria-label={title}>
      <header class="card-head">
        <h2>{title}</h2>
        {sub !== undefined && <p class="card-sub">{sub}</p>}
        <p class="card-tools">
          {!isOnlyTable && (
            <a
              class="tool"
              href={hrefWith({ asTable: !state.asTable })}
              aria-label={`${title}: ${state.asTable ? t.chart : t.table}`}
            >
              {state.asTable ? t.chart : t.table}
            </a>
          )}
          {csv && table && table.rows.length > 0 && (
            <button
              type="button"
              class="tool"
              aria-label={t.csvOf(title)}
              onClick={() => saveTable(table, ordering[0], csv.name)}
            >
              {t.csv}
            </button>
          )}
          {csv && (
            <button type="button" class="tool" aria-label={t.apiCsvOf(title)} onClick={() => void save(csv)}>
              {t.apiCsv}
            </button>
          )}
          <CopyLink title={title} />
        </p>
      </header>
      {tools}
      <Recalculating isShown={isRecalculating} />
      <Refused reason={fault} />
      <div class={loaded.isStale && loaded.data !== null ? "card-body stale" : "card-body"}>
        <Body loaded={loaded} empty={empty}>
          {isTable ? <Table caption={title} data={table} ordering={ordering} /> : props.children}
          {!isTable && isPicture && table && (
            <div class="unseen">
              <PlainTable caption={title} data={table} />
            </div>
          )}
        </Body>
      </div>
    </section>
  );
}

/** Copies an address with the day, machine and shift in it, so that it shows the same tomorrow. */
function CopyLink({ title }: { title: string }) {
  const { fixed } = useDesk();
  const [isCopied, setCopied] = useState(false);
  const { href } = new URL(hrefOf(fixed), location.origin);
  return (
    <a
      class="tool"
      href={href}
      aria-label={isCopied ? t.linkCopied : t.linkOf(title)}
      onClick={(event) => {
        // A browser that cannot copy follows the link, so that the address is in its bar.
        if (!copied(href)) return;
        event.preventDefault();
        setCopied(true);
        setTimeout(() => setCopied(false), 3000);
      }}
    >
      <span role="status">{isCopied ? t.linkCopied : t.link}</span>
    </a>
  );
}

/** Copies a text. The newer clipboard API needs HTTPS, which many plants' networks lack. Returns whether that worked. */
function copied(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  document.body.append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
  }
}
