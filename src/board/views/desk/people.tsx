import { formats } from "../../data/plant.ts";
import type { Loaded } from "../../data/query.ts";
import { people as t } from "../../texts/people.ts";
import { Empty } from "../../ui/body.tsx";
import { unitsText } from "../../ui/numbers.ts";
import type { Column } from "../../ui/table.tsx";
import { Card } from "./card.tsx";
import { useDesk } from "./desk-state.ts";
import { Part } from "./part.tsx";
import { machineQuery } from "./plant-data.ts";
import { RatedNote, useRated } from "./rated.tsx";
import { isoRange } from "./shift-table.tsx";
import { type Summary, useSummary } from "./summary.ts";

const names = t.columns;
type Row = Summary["data"][number];

/** The operators in the shifts of a span: what each made, and on which machines. */
export function PeopleView() {
  const { state, range } = useDesk();
  const base = { ...machineQuery(state), ...isoRange(range) };
  const [people, places] = [
    useQuery({ ...base, groupBy: ["operator"] }),
    useQuery({ ...base, groupBy: ["operator", "machine"] }),
  ];
  const isSomebody = people.loaded.data?.data.some(({ operator }) => operator !== null);
  return (
    <div class="desk-column">
      <Part>
        <Operators {...people} title={t.perPerson} name="operators" />
      </Part>
      {isSomebody && (
        <Part>
          <Operators {...places} title={t.title} name="people" isByMachine />
        </Part>
      )}
    </div>
  );
}

type Query = NonNullable<Parameters<typeof useSummary>[0]>;

function useQuery(query: Query): { query: Query; loaded: Loaded<Summary> } {
  return { query, loaded: useSummary(query) };
}

interface OperatorsProps {
  query: Query;
  loaded: Loaded<Summary>;
  title: string;
  /** The beginning of the name of its files. */
  name: string;
  /** Whether each row is what an operator did on one machine. */
  isByMachine?: boolean;
}

function Operators({ query, loaded, title, name, isByMachine = false }: OperatorsProps) {
  const { state, day } = useDesk();
  const { number, percent } = formats();
  const { rated } = useRated();
  const rows = (loaded.data?.data ?? []).filter(({ operator }) => operator !== null);
  const minutes = (heading: string, of: (row: Row) => number | null): Column<Row> => ({
    ...{ name: heading, isNumber: true, cell: (row) => number(of(row) ?? 0, 1), sortBy: (row) => of(row) ?? 0 },
  });
  const ratedColumn = (heading: string, of: "oee" | "availability"): Column<Row> => ({
    name: heading,
    isNumber: true,
    cell: (row) => rated(of, row[of], 1, row.machine?.id),
    sortBy: (row) => row[of],
  });
  const columns: Column<Row>[] = [
    {
      name: names.operator,
      cell: ({ operator }) => operator?.name ?? "",
      sortBy: ({ operator }) => operator?.name ?? null,
    },
    {
      name: names.machine,
      isShown: isByMachine,
      cell: ({ machine }) => machine?.name ?? "",
      sortBy: ({ machine }) => machine?.name ?? null,
    },
    minutes(names.up, ({ availableTime }) => availableTime),
    minutes(names.down, ({ unavailableTime }) => unavailableTime),
    { name: names.units, isNumber: true, cell: ({ total }) => unitsText(total ?? 0), sortBy: ({ total }) => total ?? 0 },
    ratedColumn(names.availability, "availability"),
    {
      name: names.effectiveness,
      isNumber: true,
      cell: ({ effectiveness }) => (effectiveness === null ? "–" : percent(effectiveness, 1)),
      sortBy: ({ effectiveness }) => effectiveness,
    },
    {
      name: names.quality,
      isNumber: true,
      cell: ({ quality }) => (quality === null ? "–" : percent(quality, 1)),
      sortBy: ({ quality }) => quality,
    },
    ratedColumn(names.oee, "oee"),
  ];
  return (
    <Card
      title={title}
      sub={
        <>
          {isByMachine ? t.note : t.hint} <RatedNote isByMachine={isByMachine} />
        </>
      }
      loaded={loaded}
      isRecalculating={loaded.data?.isRecalculating}
      csv={{ path: "/v1/summary", query, name: `${name}-${state.span}-${day}` }}
      isTable
      height="small"
      table={{ columns, rows, keyOf: ({ operator, machine }) => `${operator?.id} ${machine?.id}`, isStacked: true }}
      empty={
        rows.length === 0 ? (
          <Empty title={t.none}>
            <p>{t.noneHint}</p>
          </Empty>
        ) : undefined
      }
    >
      {null}
    </Card>
  );
}
