import { api } from "../../data/api.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { decimalsOf } from "../../domain/formats.ts";
import { shareOf } from "../../domain/pareto.ts";
import { past } from "../../texts/past.ts";
import { BarRows } from "./bar-rows.tsx";
import { Card } from "./card.tsx";
import { useDesk } from "./desk-state.ts";
import { machineQuery } from "./plant-data.ts";
import { isoRange } from "./shift-table.tsx";

const t = past.defects;

/** The rejected units that people entered, by their reason, the most first. Nothing if there are none. */
export function Defects() {
  const { state, day, range } = useDesk();
  const groupBy: "defectReason"[] = ["defectReason"];
  const query = { ...machineQuery(state), ...isoRange(range), groupBy };
  const loaded = useRead(["/v1/summary", query], () => api("get", "/v1/summary", { query }));
  const rows = (loaded.data?.data ?? []).filter(({ defects }) => (defects ?? 0) > 0);
  // If they cannot be read, the card of the losses says so.
  if (rows.length === 0) return null;
  const { number, percent } = formats();
  const shares = shareOf(rows.map(({ defects }) => defects ?? 0));
  const all = rows.map(({ defectReason, defects }, i) => ({
    key: String(defectReason?.id ?? ""),
    label: defectReason?.name ?? t.without,
    units: number(defects ?? 0, decimalsOf(defects ?? 0)),
    ...(shares[i] ?? { share: 0, cumulative: 0, ofLargest: 0 }),
  }));
  return (
    <Card
      title={t.title}
      sub={t.hint}
      loaded={loaded}
      height="small"
      csv={{ path: "/v1/summary", query, name: `defects-${state.span}-${day}` }}
      table={{
        columns: t.columns,
        numbers: [1, 2, 3],
        isStacked: true,
        rows: all.map(({ key, label, units, share, cumulative }) => ({
          key,
          cells: [label, units, percent(share, 1), percent(cumulative, 1)],
        })),
      }}
    >
      <BarRows
        label={t.title}
        rows={all.map(({ key, label, units, ofLargest }) => ({
          ...{ key, label, value: units, from: 0, to: ofLargest, colour: key === "" ? "k-nothing" : "k-quality" },
        }))}
      />
    </Card>
  );
}
