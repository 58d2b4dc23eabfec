import { formats } from "../../data/plant.ts";
import { oeeOfRows } from "../../domain/brief.ts";
import { hrefOf } from "../../domain/desk-state.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { desk as t } from "../../texts/desk.ts";
import type { Column } from "../../ui/table.tsx";
import { Card } from "./card.tsx";
import { useDesk } from "./desk-state.ts";
import { machineQuery } from "./plant-data.ts";
import { RatedNote, useRated } from "./rated.tsx";
import { isoRange } from "./shift-table.tsx";
import { type Summary, useSummary } from "./summary.ts";

/** Without lines, so many machines are listed: those with the lowest OEE. */
const MOST_MACHINES = 12;
const names = t.brief.columns;

interface ShiftRow {
  key: number;
  name: string;
  href: string;
  oee: number;
  ofShift: Map<number, number>;
}

/** OEE by line, or without lines by machine, and by shift. */
export function OeeByShift() {
  const { state, day, setUp, range, isNow, fixed } = useDesk();
  const by = setUp.lines.length > 0 && state.lineId === null && state.machineId === null ? "line" : "machine";
  const query = { ...machineQuery(state), ...isoRange(range), groupBy: [by as "line" | "machine", "shift" as const] };
  const loaded = useSummary(query, isNow ? MINUTE_MS : null);
  const { number } = formats();
  const { rated } = useRated();
  const ratedOee = (value: number | null, machineId?: number) => rated("oee", value, 1, machineId);
  const machineOf = ({ key }: ShiftRow) => (by === "machine" ? key : undefined);
  const data = loaded.data?.data ?? [];
  const shifts = setUp.shifts.filter(({ id }) => data.some(({ shift }) => shift?.id === id));
  const keyOf = (row: Summary["data"][number]) => row[by]?.id ?? 0;
  const rows = [...new Set(data.map(keyOf))].flatMap((key): ShiftRow[] => {
    const own = data.filter((row) => keyOf(row) === key);
    const oee = oeeOfRows(own);
    if (oee === null) return [];
    const ofShift = shifts.flatMap(({ id }): [number, number][] => {
      const value = oeeOfRows(own.filter(({ shift }) => shift?.id === id));
      return value === null ? [] : [[id, value]];
    });
    const where = by === "line" ? { lineId: key === 0 ? null : key } : { machineId: key, lineId: null };
    const href = hrefOf({ ...fixed, tab: "day", asTable: false, ...where });
    return [{ key, name: own[0]?.[by]?.name ?? t.withoutLine, href, oee, ofShift: new Map(ofShift) }];
  });
  const place = ({ key }: ShiftRow) => setUp[by === "line" ? "lines" : "machines"].findIndex(({ id }) => id === key);
  const isCut = by === "machine" && rows.length > MOST_MACHINES;
  const shown = isCut ? rows.sort((a, b) => a.oee - b.oee).slice(0, MOST_MACHINES) : rows.sort((a, b) => place(a) - place(b));
  const total = oeeOfRows(data);
  const columns: Column<ShiftRow>[] = [
    {
      name: by === "line" ? names.line : names.machine,
      cell: ({ name, href }) => <a href={href}>{name}</a>,
      sortBy: ({ name }) => name,
      total: t.allMachines,
    },
    ...shifts.map(({ id, name }): Column<ShiftRow> => {
      const all = oeeOfRows(data.filter(({ shift }) => shift?.id === id));
      return {
        name,
        isNumber: true,
        cell: (row) => ratedOee(row.ofShift.get(id) ?? null, machineOf(row)),
        sortBy: ({ ofShift }) => ofShift.get(id) ?? null,
        total: ratedOee(all),
      };
    }),
    {
      name: names.day,
      isNumber: true,
      cell: (row) => ratedOee(row.oee, machineOf(row)),
      sortBy: ({ oee }) => oee,
      total: ratedOee(total),
    },
  ];
  return (
    <Card
      title={by === "line" ? t.brief.byLine : t.brief.byMachine}
      sub={
        <>
          {isCut && `${t.brief.lowest(number(MOST_MACHINES), number(rows.length))} · `}
          <RatedNote isByMachine={by === "machine"} />
        </>
      }
      loaded={loaded}
      isRecalculating={loaded.data?.isRecalculating}
      csv={{ path: "/v1/summary", query, name: `oee-by-shift-${day}` }}
      isTable
      table={{ columns, rows: shown, keyOf: ({ key }) => key, isStacked: true }}
      height="small"
    >
      {null}
    </Card>
  );
}
