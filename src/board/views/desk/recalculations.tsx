import "./plot.css";
import "./recalculations.css";
import { useState } from "preact/hooks";
import { companyQuery } from "../../app/session.ts";
import { type ApiSchema, api, Refusal } from "../../data/api.ts";
import { may } from "../../data/may.ts";
import { allOf, firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { desk } from "../../texts/desk.ts";
import { past } from "../../texts/past.ts";
import { Body, Empty } from "./card.tsx";
import { useDesk } from "./desk-state.ts";
import { Icon } from "./icon.tsx";
import { More } from "./more.tsx";
import { NewRecalculation } from "./new-recalculation.tsx";
import { Preview } from "./set-up/preview.tsx";
import { Table } from "./table.tsx";

const t = past.recalculations;
type Recalculation = ApiSchema<"Recalculation">;

/** How many rows are shown at first, and added with each press. */
const STEP = 20;
/** How often progress is read: while something is recalculated, and otherwise. */
const PROGRESS_MS = 3000;
const REFRESH_MS = 30_000;

/** The recalculations that people asked for, newest first, with their progress; admins start one. */
export function Recalculations() {
  const { state, go } = useDesk();
  const [most, setMost] = useState(STEP);
  const [isAsking, ask] = useState(false);
  const loaded = useRead(["/v1/recalculations", most], () => load(most), {
    everyMs: (data) => (data && isGoing(data) ? PROGRESS_MS : REFRESH_MS),
  });
  const { data = [], hasMore = false, machines = [] } = loaded.data ?? {};
  return (
    <>
      <section class="card" aria-label={t.title} aria-busy={loaded.isStale}>
        <header class="card-head">
          <h2>{t.title}</h2>
          <p class="card-sub">{t.hint}</p>
          {may("set-up:write") && !isAsking && (
            <p class="card-tools">
              <button type="button" class="tool" onClick={() => ask(true)}>
                {t.start}
              </button>
            </p>
          )}
        </header>
        {isAsking && (
          <NewRecalculation
            onEnd={(id) => {
              ask(false);
              if (id !== null) go({ recalculationId: id });
            }}
          />
        )}
        <Body loaded={loaded}>
          <p class="quiet" role="status">
            {machines.length > 0 && t.byItself(machines.join(", "))}
          </p>
          {data.length === 0 ? (
            <Empty title={t.none}>
              <p>{t.noneHint}</p>
            </Empty>
          ) : (
            <List recalculations={data} />
          )}
          {hasMore && <More shown={data.length} onMore={() => setMost(most + STEP)} />}
        </Body>
      </section>
      {state.recalculationId !== null && <One key={state.recalculationId} id={state.recalculationId} />}
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
    allOf((cursor) => api("get", "/v1/machines", { query: { ...companyQuery(), limit: 500, ...cursor } })),
  ]);
  return { ...list, machines: machines.filter(({ isRecalculating }) => isRecalculating).map(({ name }) => name) };
}

function isGoing({ data, machines }: Going): boolean {
  return machines.length > 0 || data.some(({ endedAt }) => endedAt === null);
}

function List({ recalculations }: { recalculations: readonly Recalculation[] }) {
  const { state, hrefWith } = useDesk();
  const { number, dateTime } = formats();
  const rows = recalculations.map((one) => {
    const { id, reason, isDryRun, from, to, createdBy, createdAt, changedRecords } = one;
    const isOpen = id === state.recalculationId;
    return {
      key: id,
      isMarked: isOpen,
      cells: [
        <a key="a" href={hrefWith({ recalculationId: isOpen ? null : id })} aria-expanded={isOpen}>
          {isDryRun ? t.tried(reason) : reason}
        </a>,
        `${dateTime(from)} – ${dateTime(to)}`,
        <Progress key="b" recalculation={one} />,
        number(changedRecords),
        `${createdBy.name}, ${dateTime(createdAt)}`,
      ],
    };
  });
  return <Table caption={t.title} data={{ columns: t.columns, numbers: [3], isStacked: true, rows }} />;
}

function Progress({ recalculation: { machineIds, endedCount, failedCount } }: { recalculation: Recalculation }) {
  const { number } = formats();
  return (
    <>
      <svg class="progress" aria-hidden="true">
        <rect class="k-off" width="100%" y="30%" height="40%" rx="3" />
        <rect class="k-made" width={`${(100 * endedCount) / machineIds.length}%`} y="30%" height="40%" rx="3" />
      </svg>
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
  const rows = loaded.data?.machines.map(({ machine, state, reachedAt, changedRecords }) => ({
    key: machine.id,
    isMarked: state === "failed",
    cells: [machine.name, t.states[state], reachedAt === null ? "–" : dateTime(reachedAt), number(changedRecords)],
  }));
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
          <Table caption={t.detail(id)} data={{ columns: t.machineColumns, numbers: [3], isStacked: true, rows: rows ?? [] }} />
          {dryRun && <Preview tried={{ ...dryRun, recalculationId: null }} isAhead onEnd={() => undefined} />}
        </Body>
      )}
    </section>
  );
}
