import { formats } from "../../data/plant.ts";
import { desk as t } from "../../texts/desk.ts";
import { Empty } from "../../ui/body.tsx";
import { unitsText } from "../../ui/numbers.ts";
import { Card } from "./card.tsx";
import { useDesk } from "./desk-state.ts";
import { machineQuery } from "./plant-data.ts";
import { isoRange } from "./shift-table.tsx";
import { useSummary } from "./summary.ts";

const names = t.people.columns;

/** The operators of each machine in the shifts of a span, how long it ran with them, and the production. */
export function PeopleView() {
  const { state, day, ...desk } = useDesk();
  const range = isoRange(desk.range);
  const groupBy: ("operator" | "machine")[] = ["operator", "machine"];
  const query = { ...machineQuery(state), ...range, groupBy };
  const loaded = useSummary(query);
  const rows = (loaded.data?.data ?? []).filter(({ operator }) => operator !== null);
  const { number, percent } = formats();
  return (
    <Card
      title={t.people.title}
      sub={t.people.note}
      loaded={loaded}
      isRecalculating={loaded.data?.isRecalculating}
      csv={{ path: "/v1/summary", query, name: `people-${state.span}-${day}` }}
      isTable
      table={{
        columns: [
          {
            name: names.operator,
            cell: ({ operator }) => operator?.name ?? "",
            sortBy: ({ operator }) => operator?.name ?? null,
          },
          { name: names.machine, cell: ({ machine }) => machine?.name ?? "", sortBy: ({ machine }) => machine?.name ?? null },
          {
            name: names.up,
            isNumber: true,
            cell: ({ availableTime }) => number(availableTime ?? 0, 1),
            sortBy: ({ availableTime }) => availableTime ?? 0,
          },
          {
            name: names.down,
            isNumber: true,
            cell: ({ unavailableTime }) => number(unavailableTime ?? 0, 1),
            sortBy: ({ unavailableTime }) => unavailableTime ?? 0,
          },
          {
            name: names.availability,
            isNumber: true,
            cell: ({ availability }) => percent(availability ?? 0, 1),
            sortBy: ({ availability }) => availability ?? 0,
          },
          { name: names.units, isNumber: true, cell: ({ total }) => unitsText(total ?? 0), sortBy: ({ total }) => total ?? 0 },
        ],
        rows,
        keyOf: ({ operator, machine }) => `${operator?.id} ${machine?.id}`,
        isStacked: true,
      }}
      empty={
        rows.length === 0 ? (
          <Empty title={t.people.none}>
            <p>{t.people.noneHint}</p>
          </Empty>
        ) : undefined
      }
    >
      {null}
    </Card>
  );
}
