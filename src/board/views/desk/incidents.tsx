import { useState } from "preact/hooks";
import type { Incident } from "../../data/alerts.ts";
import { type ApiSchema, api, Refusal } from "../../data/api.ts";
import { allOf, firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { lengthOf } from "../../domain/alerts.ts";
import { durationText } from "../../domain/formats.ts";
import { alerts as t } from "../../texts/alerts.ts";
import { IncidentItem } from "../../ui/incident-item.tsx";
import { Body, Card, Empty } from "./card.tsx";
import { useDesk } from "./desk-state.ts";
import { Icon } from "./icon.tsx";
import { More } from "./more.tsx";
import { machineQuery } from "./plant-data.ts";
import { isoRange } from "./shift-table.tsx";
import { Table } from "./table.tsx";

/** How many rows are shown at first, and added with each press. */
const STEP = 200;
const REFRESH_MS = 30_000;

/** The incidents of a span, newest first, and the one that the address names. */
export function IncidentsView() {
  const { state, day, hrefWith, isNow, around: range } = useDesk();
  const [most, setMost] = useState(STEP);
  const query = { ...machineQuery(state), ...isoRange(range) };
  const loaded = useRead(["/v1/incidents", query, most], () => load(query, isNow, most), { everyMs: isNow ? REFRESH_MS : null });
  const { data = [], hasMore = false } = loaded.data ?? {};
  const open = data.filter(({ resolvedAt }) => resolvedAt === null).length;
  return (
    <div class="desk-column">
      {state.incidentId !== null && <One key={state.incidentId} id={state.incidentId} />}
      <Card
        title={t.title}
        sub={data.length > 0 ? t.sum(`${data.length}${hasMore ? "+" : ""}`, open) : undefined}
        loaded={loaded}
        csv={{ path: "/v1/incidents", query, name: `incidents-${state.span}-${day}` }}
        isTable
        table={{
          columns: t.columns,
          numbers: [3, 4],
          rows: data.map((one) => rowOf(one, hrefWith({ incidentId: one.id }))),
          isStacked: true,
        }}
        empty={
          data.length === 0 ? (
            <Empty title={t.noneThen}>
              <p>{t.noneHint}</p>
            </Empty>
          ) : undefined
        }
      >
        {null}
      </Card>
      {hasMore && <More shown={data.length} onMore={() => setMost(most + STEP)} />}
    </div>
  );
}

type Query = ReturnType<typeof machineQuery> & { from: string; to: string };

/** The incidents that were opened in a time, newest first, and if it is not over, all that are still open. */
async function load(
  { from, to, ...which }: Query,
  isGoing: boolean,
  most: number,
): Promise<{ data: Incident[]; hasMore: boolean }> {
  const [{ data, hasMore }, open] = await Promise.all([
    firstOf(most, (cursor) => api("get", "/v1/incidents", { query: { ...which, from, to, limit: STEP, ...cursor } })),
    isGoing
      ? allOf((cursor) => api("get", "/v1/incidents", { query: { ...which, isOpen: true, to: from, limit: 500, ...cursor } }))
      : [],
  ]);
  return { data: [...data, ...open.filter(({ id }) => !data.some((one) => one.id === id))], hasMore };
}

/** The incident that a message or the bell links to, whatever its time. */
function One({ id }: { id: string }) {
  const { hrefWith } = useDesk();
  const loaded = useRead(["/v1/incidents/{id}", id], () => api("get", "/v1/incidents/{id}", { path: { id } }), {
    everyMs: REFRESH_MS,
  });
  const isGone = loaded.error instanceof Refusal && [400, 404].includes(loaded.error.status);
  return (
    <section class="card" aria-label={t.one} aria-busy={loaded.isStale}>
      <header class="card-head">
        <h2>{t.one}</h2>
        <p class="card-tools">
          <a class="tool" href={hrefWith({ incidentId: null })} aria-label={t.close}>
            <Icon name="close" />
          </a>
        </p>
      </header>
      {isGone ? (
        <Empty title={t.noSuch}>
          <p>{t.noSuchHint}</p>
        </Empty>
      ) : (
        <Body loaded={loaded}>
          {loaded.data && <IncidentItem incident={loaded.data} />}
          {loaded.data && loaded.data.machines.length > 1 && <Machines machines={loaded.data.machines} />}
        </Body>
      )}
    </section>
  );
}

/** All machines of an incident that concerns several, such as those of a silent gateway. */
function Machines({ machines }: { machines: ApiSchema<"IncidentWithMachines">["machines"] }) {
  const { dateTime } = formats();
  const rows = machines.map(({ id, name, since, until }) => ({
    key: id,
    isMarked: until === null,
    cells: [
      <a key={id} href={`/desk/day?machine=${id}`}>
        {name}
      </a>,
      dateTime(since),
      until === null ? t.goesOn : dateTime(until),
    ],
  }));
  return <Table caption={t.machines} data={{ columns: t.machineColumns, rows }} />;
}

function rowOf(incident: Incident, href: string) {
  const { id, rule, kind, nodeId, machine, machineCount, since } = incident;
  const { level, acknowledgedAt, acknowledgedBy, resolvedAt } = incident;
  const { dateTime } = formats();
  return {
    key: id,
    isMarked: resolvedAt === null,
    cells: [
      <>
        <a href={href}>{rule.name}</a> · {t.kinds[kind]}
      </>,
      [nodeId !== null && `${t.gateway(nodeId)}:`, machine?.name ?? t.plant, machineCount > 1 && t.more(machineCount - 1)]
        .filter(Boolean)
        .join(" "),
      dateTime(since),
      durationText(lengthOf(incident, Date.now())),
      level,
      acknowledgedAt === null ? "–" : `${acknowledgedBy?.name ?? "–"}, ${dateTime(acknowledgedAt)}`,
      resolvedAt === null ? t.goesOn : dateTime(resolvedAt),
    ],
  };
}
