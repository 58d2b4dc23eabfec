import "./recalculations.css";
import { useState } from "preact/hooks";
import { companyQuery } from "../../app/session.ts";
import { ProgressBar } from "../../charts/progress-bar.tsx";
import { type ApiSchema, api, Refusal } from "../../data/api.ts";
import { everyOf } from "../../data/every.ts";
import { may } from "../../data/may.ts";
import { usePaged } from "../../data/paged.ts";
import { firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { desk } from "../../texts/desk.ts";
import { past } from "../../texts/past.ts";
import { Body } from "../../ui/body.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ListCard } from "../../ui/list-card.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useDesk } from "./desk-state.ts";
import { NewRecalculation } from "./new-recalculation.tsx";
import { Part } from "./part.tsx";
import { Preview } from "./set-up/preview.tsx";

const t = past.recalculations;
type Recalculation = ApiSchema<"Recalculation">;

/** How many rows are shown at first, and added with each press. */
const STEP = 20;
/** How often progress is read: while something is recalculated, and otherwise. */
const PROGRESS_MS = 3000;
const REFRESH_MS = 30_000;

/** The recalculations that people asked for, newest first, with their progress; admins start one. */
export function Recalculations() {
  const { state, go, hrefWith } = useDesk();
  const [isAsking, ask] = useState(false);
  const list = usePaged(["/v1/recalculations"], STEP, load, {
    everyMs: (data) => (data && isGoing(data) ? PROGRESS_MS : REFRESH_MS),
  });
  const machines = list.data?.machines ?? [];
  const isOpen = ({ id }: Recalculation) => id === state.recalculationId;
  const { number, dateTime } = formats();
  const names = t.columns;
  const columns: Column<Recalculation>[] = [
    {
      name: names.reason,
      cell: (one) => (
        <a href={hrefWith({ recalculationId: isOpen(one) ? null : one.id })} aria-expanded={isOpen(one)}>
          {one.isDryRun ? t.tried(one.reason) : one.reason}
        </a>
      ),
      sortBy: ({ reason }) => reason,
    },
    { name: names.time, cell: ({ from, to }) => `${dateTime(from)} – ${dateTime(to)}`, sortBy: ({ from }) => from },
    { name: names.done, cell: (one) => <Progress recalculation={one} />, sortBy: shareDone },
    {
      name: names.changed,
      isNumber: true,
      cell: ({ changedRecords }) => number(changedRecords),
      sortBy: ({ changedRecords }) => changedRecords,
    },
    {
      name: names.askedBy,
      cell: ({ createdBy, createdAt }) => `${createdBy.name}, ${dateTime(createdAt)}`,
      sortBy: ({ createdAt }) => createdAt,
    },
  ];
  return (
    <>
      <ListCard
        title={t.title}
        hint={t.hint}
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        isMarked={isOpen}
        none={t.none}
        noneHint={t.noneHint}
        tool={
          may("set-up:write") &&
          !isAsking && (
            <button type="button" class="tool" onClick={() => ask(true)}>
              {t.start}
            </button>
          )
        }
        status={
          <p class="quiet" role="status">
            {machines.length > 0 && t.byItself(machines.join(", "))}
          </p>
        }
      >
        {isAsking && (
          <NewRecalculation
            onEnd={(id) => {
              ask(false);
              if (id !== null) go({ recalculationId: id });
            }}
          />
        )}
      </ListCard>
      {state.recalculationId !== null && (
        <Part>
          <One key={state.recalculationId} id={state.recalculationId} />
        </Part>
      )}
    </>
  );
}

interface Going {
  data: Recalculation[];
  hasMore: boolean;
  /** The names of the machines that are recalculating, whoever asked for it. */
  machines: string[];
}

async function load(most: number): Promise<Going> {
  const [list, machines] = await Promise.all([
    firstOf(most, (cursor) => api("get", "/v1/recalculations", { query: { ...companyQuery(), limit: STEP, ...cursor } })),
    everyOf("/v1/machines"),
  ]);
  return { ...list, machines: machines.filter(({ isRecalculating }) => isRecalculating).map(({ name }) => name) };
}

function isGoing({ data, machines }: Going): boolean {
  return machines.length > 0 || data.some(({ endedAt }) => endedAt === null);
}

function shareDone({ endedCount, machineIds }: Recalculation): number {
  return endedCount / machineIds.length;
}

function Progress({ recalculation }: { recalculation: Recalculation }) {
  const { machineIds, endedCount, failedCount } = recalculation;
  const { number } = formats();
  return (
    <>
      <ProgressBar percent={100 * shareDone(recalculation)} />
      {t.progress(number(endedCount), number(machineIds.length))}
      {failedCount > 0 && `, ${t.failed(failedCount)}`}
    </>
  );
}

/** How far each machine of a recalculation has come. */
function One({ id }: { id: number }) {
  const { hrefWith } = useDesk();
  const loaded = useRead(["/v1/recalculations/{id}", id], () => api("get", "/v1/recalculations/{id}", { path: { id } }), {
    everyMs: (data) => (data?.endedAt === null ? PROGRESS_MS : null),
  });
  const isGone = loaded.error instanceof Refusal && loaded.error.status === 404;
  const dryRun = loaded.data?.dryRun;
  const { number, dateTime } = formats();
  const names = t.machineColumns;
  return (
    <section class="card" aria-label={t.detail(id)} aria-busy={loaded.isStale}>
      <header class="card-head">
        <h2>{t.detail(id)}</h2>
        <p class="card-sub">{loaded.data?.isDryRun ? t.tried(loaded.data.reason) : loaded.data?.reason}</p>
        <p class="card-tools">
          <a class="tool" href={hrefWith({ recalculationId: null })} aria-label={desk.stop.close}>
            <Icon name="close" />
          </a>
        </p>
      </header>
      {isGone ? (
        <p class="quiet">{t.gone}</p>
      ) : (
        <Body loaded={loaded}>
          <Table
            caption={t.detail(id)}
            data={{
              columns: [
                { name: names.machine, cell: ({ machine }) => machine.name, sortBy: ({ machine }) => machine.name },
                { name: names.state, cell: ({ state }) => t.states[state], sortBy: ({ state }) => t.states[state] },
                {
                  name: names.upTo,
                  cell: ({ reachedAt }) => (reachedAt === null ? "–" : dateTime(reachedAt)),
                  sortBy: ({ reachedAt }) => reachedAt,
                },
                {
                  name: names.changed,
                  isNumber: true,
                  cell: ({ changedRecords }) => number(changedRecords),
                  sortBy: ({ changedRecords }) => changedRecords,
                },
              ],
              rows: loaded.data?.machines ?? [],
              keyOf: ({ machine }) => machine.id,
              isMarked: ({ state }) => state === "failed",
              isStacked: true,
            }}
          />
          {dryRun && <Preview tried={{ ...dryRun, recalculationId: null }} isAhead onEnd={() => undefined} />}
        </Body>
      )}
    </section>
  );
}
