import type { Incident } from "../../data/alerts.ts";
import { type ApiSchema, api, Refusal } from "../../data/api.ts";
import { usePaged } from "../../data/paged.ts";
import { allOf, firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { incidentLength } from "../../domain/alerts.ts";
import { durationText } from "../../domain/formats.ts";
import { alerts as t } from "../../texts/alerts.ts";
import { Body, Empty } from "../../ui/body.tsx";
import { Icon } from "../../ui/icon.tsx";
import { IncidentItem } from "../../ui/incident-item.tsx";
import { More } from "../../ui/more.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Card } from "./card.tsx";
import { useDesk } from "./desk-state.ts";
import { Part } from "./part.tsx";
import { machineQuery } from "./plant-data.ts";
import { isoRange } from "./shift-table.tsx";

/** How many rows are shown at first, and added with each press. */
const STEP = 200;
const REFRESH_MS = 30_000;

/** The incidents of a span, newest first, and the one that the address names. */
export function IncidentsView() {
  const { state, day, hrefWith, isNow, around: range } = useDesk();
  const query = { ...machineQuery(state), ...isoRange(range) };
  const loaded = usePaged(["/v1/incidents", query], STEP, (most) => load(query, isNow, most), {
    everyMs: isNow ? REFRESH_MS : null,
  });
  const { rows: data, hasMore } = loaded;
  const open = data.filter(({ resolvedAt }) => resolvedAt === null).length;
  return (
    <div class="desk-column">
      {state.incidentId !== null && (
        <Part>
          <One key={state.incidentId} id={state.incidentId} />
        </Part>
      )}
      <Part>
        <Card
          title={t.title}
          sub={data.length > 0 ? t.sum(`${data.length}${hasMore ? "+" : ""}`, open) : undefined}
          loaded={loaded}
          csv={{ path: "/v1/incidents", query, name: `incidents-${state.span}-${day}` }}
          isTable
          table={{
            columns: columnsWith((incidentId) => hrefWith({ incidentId })),
            rows: data,
            keyOf: ({ id }) => id,
            isMarked: ({ resolvedAt }) => resolvedAt === null,
            isStacked: true,
            isPartial: hasMore,
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
      </Part>
      {hasMore && <More shown={data.length} onMore={loaded.more} />}
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
  const names = t.machineColumns;
  return (
    <Table
      caption={t.machines}
      data={{
        columns: [
          {
            name: names.machine,
            cell: ({ id, name }) => <a href={`/desk/day?machine=${id}`}>{name}</a>,
            sortBy: ({ name }) => name,
          },
          { name: names.since, cell: ({ since }) => dateTime(since), sortBy: ({ since }) => since },
          { name: names.until, cell: ({ until }) => (until === null ? t.goesOn : dateTime(until)), sortBy: ({ until }) => until },
        ],
        rows: machines,
        keyOf: ({ id }) => id,
        isMarked: ({ until }) => until === null,
      }}
    />
  );
}

function columnsWith(hrefOf: (incidentId: string) => string): Column<Incident>[] {
  const { dateTime } = formats();
  const names = t.columns;
  const lasted = (incident: Incident) => incidentLength(incident, Date.now());
  return [
    {
      name: names.what,
      cell: ({ id, rule, kind }) => (
        <>
          <a href={hrefOf(id)}>{rule.name}</a> · {t.kinds[kind]}
        </>
      ),
      sortBy: ({ rule }) => rule.name,
    },
    { name: names.machine, cell: whereText, sortBy: whereText },
    { name: names.since, cell: ({ since }) => dateTime(since), sortBy: ({ since }) => since },
    { name: names.lasted, isNumber: true, cell: (one) => durationText(lasted(one)), sortBy: lasted },
    { name: names.level, isNumber: true, cell: ({ level }) => level, sortBy: ({ level }) => level },
    {
      name: names.acknowledged,
      cell: ({ acknowledgedAt, acknowledgedBy }) =>
        acknowledgedAt === null ? "–" : `${acknowledgedBy?.name ?? "–"}, ${dateTime(acknowledgedAt)}`,
      sortBy: ({ acknowledgedAt }) => acknowledgedAt,
    },
    {
      name: names.resolved,
      cell: ({ resolvedAt }) => (resolvedAt === null ? t.goesOn : dateTime(resolvedAt)),
      sortBy: ({ resolvedAt }) => resolvedAt,
    },
  ];
}

function whereText({ nodeId, gateway, machine, machineCount }: Incident): string {
  const parts = [
    nodeId !== null && `${t.gateway(nodeId)}:`,
    machine?.name ?? gateway?.name ?? t.plant,
    machineCount > 1 && t.more(machineCount - 1),
  ];
  return parts.filter(Boolean).join(" ");
}
