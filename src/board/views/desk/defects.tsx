import { BarRows } from "../../charts/bar-rows.tsx";
import { api } from "../../data/api.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { decimalsOf } from "../../domain/formats.ts";
import { shareOf } from "../../domain/pareto.ts";
import { past } from "../../texts/past.ts";
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
  const text = (value: number) => number(value, decimalsOf(value));
  const shares = shareOf(rows.map(({ defects }) => defects ?? 0));
  const all = rows.map(({ defectReason, defects }, i) => ({
    key: String(defectReason?.id ?? ""),
    label: defectReason?.name ?? t.without,
    value: defects ?? 0,
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
        columns: [
          { name: t.columns.reason, cell: ({ label }) => label, sortBy: ({ label }) => label },
          { name: t.columns.units, isNumber: true, cell: ({ value }) => text(value), sortBy: ({ value }) => value },
          { name: t.columns.share, isNumber: true, cell: ({ share }) => percent(share, 1), sortBy: ({ share }) => share },
          { name: t.columns.cumulative, isNumber: true, cell: ({ cumulative }) => percent(cumulative, 1) },
        ],
        rows: all,
        keyOf: ({ key }) => key,
        isStacked: true,
      }}
    >
      <BarRows
        label={t.title}
        rows={all.map(({ key, label, value, ofLargest }) => ({
          ...{ key, label, value: text(value), from: 0, to: ofLargest, colour: key === "" ? "k-nothing" : "k-quality" },
        }))}
      />
    </Card>
  );
}
