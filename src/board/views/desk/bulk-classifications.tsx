import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { firstOf } from "../../pages.ts";
import { formats } from "../../plant.ts";
import { companyQuery } from "../../session.ts";
import { past } from "../../texts/past.ts";
import { useLoaded } from "../../use-loaded.ts";
import { isGoing, jobText, Undo } from "./bulk-classify.tsx";
import { Body, Empty } from "./card.tsx";
import { More } from "./more.tsx";
import { loadCauses } from "./plant-data.ts";
import { Table } from "./table.tsx";

const t = past.bulk;
/** The table shows so many at first, and as many more with each press. */
const STEP = 10;
const PROGRESS_MS = 3000;

/** The stops that people classified at once, newest first, each with its undoing. */
export function BulkClassifications() {
  const [most, setMost] = useState(STEP);
  const loaded = useLoaded(
    String(most),
    async () => {
      const [list, causes] = await Promise.all([
        firstOf(most, (cursor) =>
          api("get", "/v1/stop-classifications", { query: { ...companyQuery(), limit: STEP, ...cursor } }),
        ),
        loadCauses(),
      ]);
      return { ...list, names: new Map(causes.map(({ id, name }) => [id, name])) };
    },
    (found) => (found?.data.some(isGoing) ? PROGRESS_MS : null),
  );
  const { data = [], hasMore = false, names } = loaded.data ?? {};
  const causeText = (...ids: (number | null)[]) =>
    ids.flatMap((id) => (id === null ? [] : [names?.get(id) ?? String(id)])).join(" › ");
  const rows = data.map((job) => ({
    key: job.id,
    cells: [
      formats().dateTime(job.createdAt),
      causeText(job.generalCauseId, job.specificCauseId, job.componentId) || (job.description ?? ""),
      jobText(job),
      <Undo key="undo" job={job} onChanged={loaded.reload} />,
    ],
  }));
  return (
    <section class="card" aria-label={t.listTitle} aria-busy={loaded.isStale}>
      <header class="card-head">
        <h2>{t.listTitle}</h2>
        <p class="card-sub">{t.hint}</p>
      </header>
      <Body loaded={loaded}>
        {rows.length === 0 ? (
          <Empty title={t.none}>
            <p>{t.noneHint}</p>
          </Empty>
        ) : (
          <Table caption={t.listTitle} data={{ columns: t.columns, isStacked: true, rows }} />
        )}
        {hasMore && <More shown={data.length} onMore={() => setMost(most + STEP)} />}
      </Body>
    </section>
  );
}
