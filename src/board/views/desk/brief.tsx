import "../../charts/kinds.css";
import "./brief.css";
import { Fragment } from "preact";
import { companyQuery } from "../../app/session.ts";
import { Hatchings } from "../../charts/hatchings.tsx";
import { type ApiSchema, api } from "../../data/api.ts";
import { firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { type Loaded, useRead } from "../../data/query.ts";
import { type Brief, type BriefLoss, type BriefPart, briefOf, changesOf, oeeOf, reasonsOf } from "../../domain/brief.ts";
import { addDays, rangeOf } from "../../domain/days.ts";
import { type DeskState, hrefOf } from "../../domain/desk-state.ts";
import { maxOf } from "../../domain/extremes.ts";
import { coverageOf, WANTED_COVERAGE } from "../../domain/pareto.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { desk as t } from "../../texts/desk.ts";
import { Empty } from "../../ui/body.tsx";
import { unitsText } from "../../ui/numbers.ts";
import type { Column } from "../../ui/table.tsx";
import { dayName, lossName } from "../../ui/words.ts";
import { Card } from "./card.tsx";
import type { CsvSource } from "./csv.ts";
import { useDesk } from "./desk-state.ts";
import { Part } from "./part.tsx";
import { machineQuery } from "./plant-data.ts";
import { refreshOf } from "./recalculating.tsx";
import { DayBefore, isoRange } from "./shift-table.tsx";

type Summary = ApiSchema<"Summary">;

/** How many of the same weekdays before are what is usual. */
const USUAL_WEEKS = 4;
const MOST_CHANGES = 6;
const MOST_ORDERS = 5;
/** Without lines, the table by shift lists so many machines: those with the lowest OEE. */
const MOST_MACHINES = 12;
/** A change of fewer points than this is not coloured. */
const ORDINARY_POINTS = 1;

const names = t.brief.columns;

/** What happened on a day, and why it was not better: in a sentence, in figures, and where the time went. Every number leads on. */
export function BriefView() {
  const { state, day, setUp, range, isNow, fixed } = useDesk();
  const which = machineQuery(state);
  const everyMs = refreshOf((found: Summary) => found.isRecalculating, isNow ? MINUTE_MS : null);
  const query = { ...which, ...isoRange(range), groupBy: ["machine" as const, "cause" as const] };
  const loaded = useRead(["/v1/summary", query], () => api("get", "/v1/summary", { query }), { everyMs });
  const before = useRead(["brief", "before", which, day], () =>
    Promise.all(
      Array.from({ length: USUAL_WEEKS }, (_, i) => {
        const then = rangeOf("day", addDays(day, -7 * (i + 1)), setUp.timezone, setUp.weekStart);
        return api("get", "/v1/summary", { query: { ...which, ...isoRange(then), groupBy: ["cause"] } });
      }),
    ),
  );
  const brief = loaded.data && before.data ? briefOf(loaded.data, before.data) : null;
  const both: Loaded<unknown> = loaded.data === null || loaded.error !== null ? loaded : before;
  // A link leads to the same day, also tomorrow.
  const to = (changes: Partial<DeskState>): DeskState => ({ ...fixed, asTable: false, ...changes });
  const isNone = loaded.data !== null && before.data !== null && brief === null;
  const parts = brief?.parts ?? [];
  return (
    <div class="desk-column">
      <Hatchings />
      <Part>
        <Card
          title={t.brief.title(dayName(day))}
          sub={isNow ? t.brief.soFar : undefined}
          loaded={both}
          isRecalculating={loaded.data?.isRecalculating}
          csv={null}
          table={null}
          height="small"
          isTable
          empty={
            isNone ? (
              <Empty title={t.brief.none}>
                <DayBefore />
              </Empty>
            ) : undefined
          }
        >
          {brief && loaded.data && (
            <>
              <Sentence brief={brief} to={to} />
              <BriefFigures brief={brief} total={loaded.data.total} />
            </>
          )}
        </Card>
      </Part>
      {brief && (
        <div class="brief-rows">
          <Part>
            <Card
              title={t.brief.where}
              sub={t.brief.whereSub}
              loaded={both}
              csv={{ path: "/v1/summary", query, name: `time-${day}` }}
              isTable
              table={{ columns: partColumns(to), rows: parts, keyOf: ({ key }) => key, isStacked: true }}
            >
              {null}
            </Card>
          </Part>
          <Part>
            <Changes brief={brief} loaded={both} to={to} csv={{ path: "/v1/summary", query, name: `changes-${day}` }} />
          </Part>
          <Part>
            <ByShift />
          </Part>
          <Part>
            <LateOrders />
          </Part>
        </div>
      )}
    </div>
  );
}

interface To {
  to(changes: Partial<DeskState>): DeskState;
}

/** Why the OEE was what it was: at most three reasons, each a link, with their points. */
function Sentence({ brief, to }: { brief: Brief } & To) {
  const { day, isNow } = useDesk();
  const { number, percent } = formats();
  const { difference, reasons, sum } = reasonsOf(brief);
  const points = (value: number) => number(Math.abs(value), 1);
  const isLevel = difference === null || points(difference) === points(0);
  const lead = isLevel
    ? t.brief.largest
    : difference > 0
      ? t.brief.smaller(reasons.length, points(sum))
      : t.brief.larger(reasons.length, points(sum));
  return (
    <p class="brief-sentence">
      {isNow ? t.brief.oeeIs : t.brief.oeeWas(dayName(day))} <strong>{percent(brief.oee, 1)}</strong>
      {difference !== null && (
        <>
          ,{" "}
          <strong>
            {isLevel ? t.brief.asUsual : difference > 0 ? t.brief.above(points(difference)) : t.brief.below(points(difference))}
          </strong>
        </>
      )}
      {"."}
      {reasons.length > 0 && ` ${lead} `}
      {reasons.map(({ loss, points: own }, i) => (
        <Fragment key={loss.key}>
          {i > 0 && (i === reasons.length - 1 ? ` ${t.brief.and} ` : ", ")}
          <LossLink loss={loss} to={to} /> ({points(own)})
        </Fragment>
      ))}
      {reasons.length > 0 && "."}
    </p>
  );
}

function nameOf({ kind, cause, key }: BriefLoss): string {
  if (kind === "speed" || kind === "quality") return t.brief.parts[kind];
  return cause && key !== "/" ? lossName({ ...cause, isUnknown: false }) : t.losses.unknown;
}

/** Where a loss is looked into. */
function LossLink({ loss, to }: { loss: BriefLoss } & To) {
  const { kind, key, mostly } = loss;
  const machine = mostly ? { machineId: mostly.id, lineId: null } : {};
  const where: Partial<DeskState> =
    kind === "speed"
      ? { tab: "hours" }
      : kind === "quality"
        ? { tab: "losses" }
        : key === "/"
          ? { tab: "day", ...machine }
          : { tab: "losses", cause: key };
  const { setUp } = useDesk();
  const at = mostly?.name && setUp.machines.length > 1 ? t.brief.mostly(mostly.name) : "";
  return (
    <a href={hrefOf(to(where))}>
      {nameOf(loss)}
      {at}
    </a>
  );
}

/** The figures of the day, each with what it is compared with. */
function BriefFigures({ brief: { oee, usual, losses }, total }: { brief: Brief; total: Summary["total"] }) {
  const { percent, number, signed } = formats();
  const [correct, target] = [total.correct ?? 0, total.target ?? 0];
  const coverage = coverageOf(total);
  const unknown = losses.find(({ key }) => key === "/");
  return (
    <dl class="brief-figures">
      <div>
        <dt>{t.brief.oee}</dt>
        <dd class="figure">{percent(oee, 1)}</dd>
        <dd>{usual ? t.brief.usual(percent(usual.oee, 1), usual.days) : t.brief.noUsual}</dd>
      </div>
      <div>
        <dt>{t.brief.good}</dt>
        <dd class="figure">{unitsText(correct)}</dd>
        <dd class={target > 0 && correct < target ? "worse" : undefined}>
          {target > 0 ? t.brief.toTarget(signed(correct - target), percent((100 * correct) / target)) : t.hours.noTarget}
        </dd>
      </div>
      <div>
        <dt>{t.brief.known}</dt>
        <dd class="figure">{coverage === null ? "–" : percent(coverage, 1)}</dd>
        <dd>{t.brief.wanted(percent(WANTED_COVERAGE))}</dd>
      </div>
      <div>
        <dt>{t.brief.unknown}</dt>
        <dd class="figure">{number(unknown?.stopCount ?? 0)}</dd>
        <dd>{t.brief.minutes(number(unknown?.minutes ?? 0))}</dd>
      </div>
      <TodaySoFar />
    </dl>
  );
}

/** On the brief of another day: how the present one goes, with a link to it. */
function TodaySoFar() {
  const { state, setUp, isNow, today, hrefWith } = useDesk();
  const which = machineQuery(state);
  const range = isoRange(rangeOf("day", today, setUp.timezone, setUp.weekStart));
  const query = { ...which, ...range, groupBy: ["line" as const, "shift" as const] };
  const loaded = useRead(isNow ? null : ["/v1/summary", query], () => api("get", "/v1/summary", { query }), {
    everyMs: MINUTE_MS,
  });
  const oee = !isNow && loaded.data ? oeeOf([loaded.data.total]) : null;
  if (oee === null) return null;
  return (
    <div>
      <dt>{t.brief.today}</dt>
      <dd class="figure">{formats().percent(oee, 1)}</dd>
      <dd>
        <a href={hrefWith({ day: today })}>{t.brief.toToday}</a>
      </dd>
    </div>
  );
}

const colours: Record<BriefPart["key"], string> = {
  all: "k-off",
  noData: "k-noData",
  outside: "k-outside",
  planned: "k-planned",
  stops: "k-stopped",
  speed: "k-slow",
  quality: "k-quality",
  good: "k-running",
};

/** Points more than usual: of a loss more is worse, of what is left it is better. */
function changeClass(change: number | null, isLoss: boolean): string | undefined {
  if (change === null || Math.abs(change) < ORDINARY_POINTS) return;
  return change > 0 === isLoss ? "worse" : "better";
}

function partColumns(to: To["to"]): Column<BriefPart>[] {
  const { number, signed } = formats();
  const tabs: Partial<Record<BriefPart["key"], Partial<DeskState>>> = {
    planned: { tab: "losses" },
    stops: { tab: "losses" },
    speed: { tab: "hours" },
    quality: { tab: "losses" },
  };
  return [
    {
      name: names.part,
      cell: ({ key }) => {
        const where = tabs[key];
        return where ? <a href={hrefOf(to(where))}>{t.brief.parts[key]}</a> : t.brief.parts[key];
      },
    },
    {
      name: names.bar,
      cell: ({ key, from, to: end }) => (
        <svg class="brief-bar" aria-hidden="true">
          <rect class={colours[key]} x={`${from}%`} width={`${Math.max(end - from, 0.25)}%`} y="15%" height="70%" rx="3" />
        </svg>
      ),
    },
    { name: names.minutes, isNumber: true, cell: ({ minutes }) => number(minutes), sortBy: ({ minutes }) => minutes },
    {
      name: names.points,
      isNumber: true,
      cell: ({ points }) => (points === null ? "" : number(points, 1)),
      sortBy: ({ points }) => points,
    },
    {
      name: names.more,
      isNumber: true,
      cell: ({ key, more }) => more !== null && <span class={changeClass(more, key !== "good")}>{signed(more, 1)}</span>,
      sortBy: ({ more }) => more,
    },
  ];
}

/** The losses that changed most against what is usual. */
function Changes({ brief, loaded, to, csv }: { brief: Brief; loaded: Loaded<unknown>; csv: CsvSource } & To) {
  const { number, signed } = formats();
  const rows = changesOf(brief, MOST_CHANGES);
  const widest = maxOf([1, ...rows.map(({ changed }) => Math.abs(changed))]);
  type Row = (typeof rows)[number];
  const columns: Column<Row>[] = [
    { name: names.loss, cell: (loss) => <LossLink loss={loss} to={to} />, sortBy: nameOf },
    {
      name: names.lessMore,
      cell: ({ changed }) => {
        const width = (50 * Math.abs(changed)) / widest;
        return (
          <svg class="brief-bar" aria-hidden="true">
            <rect
              class={changed > 0 ? "k-stopped" : "k-running"}
              x={`${changed > 0 ? 50 : 50 - width}%`}
              width={`${width}%`}
              y="20%"
              height="60%"
            />
            <line class="brief-middle" x1="50%" x2="50%" y1="0" y2="100%" />
          </svg>
        );
      },
    },
    { name: names.minutes, isNumber: true, cell: ({ minutes }) => number(minutes), sortBy: ({ minutes }) => minutes },
    {
      name: names.usual,
      isNumber: true,
      cell: ({ usualMinutes }) => number(usualMinutes),
      sortBy: ({ usualMinutes }) => usualMinutes,
    },
    {
      name: names.change,
      isNumber: true,
      cell: ({ changed, more }) => <span class={changeClass(more, true)}>{signed(changed)}</span>,
      sortBy: ({ changed }) => changed,
    },
  ];
  return (
    <Card
      title={t.brief.changed}
      sub={brief.usual ? t.brief.changedSub(brief.usual.days) : undefined}
      loaded={loaded}
      csv={csv}
      isTable
      table={{ columns, rows, keyOf: ({ key }) => key, isStacked: true }}
      empty={
        rows.length === 0 ? (
          <Empty title={brief.usual ? t.brief.unchanged : t.brief.noUsual}>
            <p>{t.brief.noUsualHint}</p>
          </Empty>
        ) : undefined
      }
    >
      {null}
    </Card>
  );
}

interface ShiftRow {
  key: number;
  name: string;
  href: string;
  oee: number;
  ofShift: Map<number, number>;
}

/** OEE by line, or without lines by machine, and by shift. */
function ByShift() {
  const { state, day, setUp, range, isNow, fixed } = useDesk();
  const by = setUp.lines.length > 0 && state.lineId === null && state.machineId === null ? "line" : "machine";
  const query = { ...machineQuery(state), ...isoRange(range), groupBy: [by as "line" | "machine", "shift" as const] };
  const loaded = useRead(["/v1/summary", query], () => api("get", "/v1/summary", { query }), {
    everyMs: refreshOf((found) => found.isRecalculating, isNow ? MINUTE_MS : null),
  });
  const { percent, number } = formats();
  const data = loaded.data?.data ?? [];
  const shifts = setUp.shifts.filter(({ id }) => data.some(({ shift }) => shift?.id === id));
  const keyOf = (row: Summary["data"][number]) => row[by]?.id ?? 0;
  const rows = [...new Set(data.map(keyOf))].flatMap((key): ShiftRow[] => {
    const own = data.filter((row) => keyOf(row) === key);
    const oee = oeeOf(own);
    if (oee === null) return [];
    const ofShift = shifts.flatMap(({ id }): [number, number][] => {
      const value = oeeOf(own.filter(({ shift }) => shift?.id === id));
      return value === null ? [] : [[id, value]];
    });
    const where = by === "line" ? { lineId: key === 0 ? null : key } : { machineId: key, lineId: null };
    const href = hrefOf({ ...fixed, tab: "day", asTable: false, ...where });
    return [{ key, name: own[0]?.[by]?.name ?? t.withoutLine, href, oee, ofShift: new Map(ofShift) }];
  });
  const place = ({ key }: ShiftRow) => setUp[by === "line" ? "lines" : "machines"].findIndex(({ id }) => id === key);
  const isCut = by === "machine" && rows.length > MOST_MACHINES;
  const shown = isCut ? rows.sort((a, b) => a.oee - b.oee).slice(0, MOST_MACHINES) : rows.sort((a, b) => place(a) - place(b));
  const total = oeeOf(data);
  const columns: Column<ShiftRow>[] = [
    {
      name: by === "line" ? names.line : names.machine,
      cell: ({ name, href }) => <a href={href}>{name}</a>,
      sortBy: ({ name }) => name,
      total: t.allMachines,
    },
    ...shifts.map(({ id, name }): Column<ShiftRow> => {
      const all = oeeOf(data.filter(({ shift }) => shift?.id === id));
      return {
        name,
        isNumber: true,
        cell: ({ ofShift }) => (ofShift.has(id) ? percent(ofShift.get(id) ?? 0, 1) : "–"),
        sortBy: ({ ofShift }) => ofShift.get(id) ?? null,
        total: all === null ? "–" : percent(all, 1),
      };
    }),
    {
      name: names.day,
      isNumber: true,
      cell: ({ oee }) => percent(oee, 1),
      sortBy: ({ oee }) => oee,
      total: total === null ? "–" : percent(total, 1),
    },
  ];
  return (
    <Card
      title={by === "line" ? t.brief.byLine : t.brief.byMachine}
      sub={isCut ? t.brief.lowest(number(MOST_MACHINES), number(rows.length)) : undefined}
      loaded={loaded}
      isRecalculating={loaded.data?.isRecalculating}
      csv={{ path: "/v1/summary", query, name: `oee-by-shift-${day}` }}
      isTable
      table={{ columns, rows: shown, keyOf: ({ key }) => key }}
      height="small"
    >
      {null}
    </Card>
  );
}

type Order = ApiSchema<"WorkOrder">;

/** The orders that will be late, the one due first at the top. */
function LateOrders() {
  const { hrefWith } = useDesk();
  const query = {
    ...companyQuery(),
    statuses: ["Backlog" as const, "Planned" as const, "InProgress" as const, "Paused" as const],
    sort: "estimatedDeliveryTime" as const,
  };
  const loaded = useRead(
    ["/v1/work-orders", "late", query],
    () => firstOf(1, (cursor) => api("get", "/v1/work-orders", { query: { ...query, limit: 200, ...cursor } })),
    { everyMs: MINUTE_MS },
  );
  const { dateTime, number } = formats();
  const late = (loaded.data?.data ?? []).filter(({ isLate }) => isLate);
  const orders = t.orders.columns;
  const columns: Column<Order>[] = [
    { name: orders.order, cell: ({ code }) => code, sortBy: ({ code }) => code },
    {
      name: orders.remaining,
      isNumber: true,
      cell: ({ remaining }) => unitsText(remaining),
      sortBy: ({ remaining }) => remaining,
    },
    {
      name: orders.due,
      cell: ({ estimatedDeliveryTime: due }) => (due === null ? t.orders.noDue : dateTime(due)),
      sortBy: ({ estimatedDeliveryTime: due }) => due,
    },
    {
      name: orders.expected,
      cell: ({ expectedAt }) => (expectedAt === null ? "–" : dateTime(expectedAt)),
      sortBy: ({ expectedAt }) => expectedAt,
    },
  ];
  return (
    <Card
      title={t.brief.lateOrders}
      sub={
        late.length > MOST_ORDERS || loaded.data?.hasMore
          ? t.brief.firstOrders(number(Math.min(late.length, MOST_ORDERS)))
          : undefined
      }
      loaded={loaded}
      csv={null}
      isTable
      height="small"
      tools={
        <p>
          <a href={hrefWith({ tab: "orders" })}>{t.brief.allOrders}</a>
        </p>
      }
      table={{ columns, rows: late.slice(0, MOST_ORDERS), keyOf: ({ id }) => id, isStacked: true }}
      empty={late.length === 0 ? <p class="quiet">{t.brief.noLateOrders}</p> : undefined}
    >
      {null}
    </Card>
  );
}
