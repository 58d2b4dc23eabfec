import { useState } from "preact/hooks";
import { type ApiSchema, api } from "../../data/api.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { past } from "../../texts/past.ts";
import { ListCard } from "./list-card.tsx";

const t = past.books;
type Sums = NonNullable<ApiSchema<"BooksSums">>;

/** How many rows are shown at first, and added with each press. */
const STEP = 20;
const HOUR_MINUTES = 60;

interface ClosingSumsProps {
  id: number;
  to: string;
  onClose(): void;
}

/** The sums of each machine's shifts as of the closing, and the present ones where they differ, which happens after a reopening. */
export function ClosingSums({ id, to, onClose }: ClosingSumsProps) {
  const [most, setMost] = useState(STEP);
  const loaded = useRead(["/v1/books/closings/{id}", id], () => api("get", "/v1/books/closings/{id}", { path: { id } }));
  const machines = loaded.data?.machines ?? [];
  const rows = machines.slice(0, most).map(({ machine, sums, sumsNow }) => ({
    key: machine.id,
    cells: [machine.name, ...columns.map((textOf) => changeText(sums && textOf(sums), sumsNow && textOf(sumsNow)))],
  }));
  return (
    <ListCard
      title={t.sumsTitle(formats().dateTime(to))}
      hint={t.sumsHint}
      loaded={loaded}
      table={{ columns: t.sumsColumns, numbers: columns.map((_, i) => i + 1), isStacked: true, rows }}
      none={<p class="quiet">{t.noMachines}</p>}
      onMore={machines.length > most ? () => setMost(most + STEP) : null}
      tool={
        <button type="button" class="tool" onClick={onClose}>
          {t.hideSums}
        </button>
      }
    />
  );
}

const hours = (minutes: number) => formats().number(minutes / HOUR_MINUTES, 1);

/** In the order of `t.sumsColumns`, without the machine. */
const columns: ((sums: Sums) => string)[] = [
  ({ shifts }) => formats().number(shifts),
  ({ total }) => formats().number(total),
  ({ defects }) => formats().number(defects),
  ({ available }) => hours(available),
  ({ nonProgrammed }) => hours(nonProgrammed),
  ({ programmed }) => hours(programmed),
  ({ noData }) => hours(noData),
];

function changeText(then: string | null, now: string | null): string {
  if (then === now || now === null) return then ?? "–";
  return t.sumsNow(then ?? "–", now);
}
