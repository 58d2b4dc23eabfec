import { type AnswerOf, type ApiSchema, api } from "../../data/api.ts";
import { useSteps } from "../../data/paged.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { past } from "../../texts/past.ts";
import { ListCard } from "../../ui/list-card.tsx";
import type { Column } from "../../ui/table.tsx";

const t = past.books;
type Sums = NonNullable<ApiSchema<"BooksSums">>;
type OfMachine = AnswerOf<"get", "/v1/books/closings/{id}">["machines"][number];

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
  const loaded = useRead(["/v1/books/closings/{id}", id], () => api("get", "/v1/books/closings/{id}", { path: { id } }));
  const list = useSteps(loaded, loaded.data?.machines ?? [], STEP);
  return (
    <ListCard
      title={t.sumsTitle(formats().dateTime(to))}
      hint={t.sumsHint}
      list={list}
      columns={columns}
      keyOf={({ machine }) => machine.id}
      none={t.noMachines}
      tool={
        <button type="button" class="tool" onClick={onClose}>
          {t.hideSums}
        </button>
      }
    />
  );
}

const units = (value: number) => formats().number(value);
const hours = (minutes: number) => formats().number(minutes / HOUR_MINUTES, 1);

/** A column of sums: that of the closing, and the present one if it differs. */
function sumColumn(name: string, of: (sums: Sums) => number, text: (sum: number) => string): Column<OfMachine> {
  const textOf = (sums: Sums | null) => sums && text(of(sums));
  return {
    name,
    isNumber: true,
    cell: ({ sums, sumsNow }) => changeText(textOf(sums), textOf(sumsNow)),
    sortBy: ({ sums }) => sums && of(sums),
  };
}

const names = t.sumsColumns;
const columns: Column<OfMachine>[] = [
  { name: names.machine, cell: ({ machine }) => machine.name, sortBy: ({ machine }) => machine.name },
  sumColumn(names.shifts, ({ shifts }) => shifts, units),
  sumColumn(names.units, ({ total }) => total, units),
  sumColumn(names.rejected, ({ defects }) => defects, units),
  sumColumn(names.available, ({ available }) => available, hours),
  sumColumn(names.stops, ({ nonProgrammed }) => nonProgrammed, hours),
  sumColumn(names.plannedStops, ({ programmed }) => programmed, hours),
  sumColumn(names.noData, ({ noData }) => noData, hours),
];

function changeText(then: string | null, now: string | null): string {
  if (then === now || now === null) return then ?? "–";
  return t.sumsNow(then ?? "–", now);
}
