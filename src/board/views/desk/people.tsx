import { api } from "../../data/api.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { desk as t } from "../../texts/desk.ts";
import { Card, Empty } from "./card.tsx";
import { useDesk } from "./desk-state.ts";
import { unitsText } from "./numbers.ts";
import { machineQuery } from "./plant-data.ts";
import { refreshOf } from "./recalculating.tsx";
import { isoRange } from "./shift-table.tsx";

/** The operators of each machine in the shifts of a span, how long it ran with them, and the production. */
export function PeopleView() {
  const { state, day, ...desk } = useDesk();
  const range = isoRange(desk.range);
  const groupBy: ("operator" | "machine")[] = ["operator", "machine"];
  const query = { ...machineQuery(state), ...range, groupBy };
  const loaded = useRead(["/v1/summary", query], () => api("get", "/v1/summary", { query }), {
    everyMs: refreshOf((found) => found.isRecalculating, null),
  });
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
        columns: t.people.columns,
        numbers: [2, 3, 4, 5],
        isStacked: true,
        rows: rows.map(({ operator, machine, availableTime, unavailableTime, availability, total }) => ({
          key: `${operator?.id} ${machine?.id}`,
          cells: [
            operator?.name ?? "",
            machine?.name ?? "",
            number(availableTime ?? 0, 1),
            number(unavailableTime ?? 0, 1),
            percent(availability ?? 0, 1),
            unitsText(total ?? 0),
          ],
        })),
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
