import { useState } from "preact/hooks";
import { companyQuery } from "../../app/session.ts";
import { api } from "../../data/api.ts";
import { firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { past } from "../../texts/past.ts";
import { isGoing, jobText, Undo } from "./bulk-classify.tsx";
import { Empty } from "./card.tsx";
import { ListCard } from "./list-card.tsx";
import { loadCauses } from "./plant-data.ts";

const t = past.bulk;
/** How many rows are shown at first, and added with each press. */
const STEP = 10;
const PROGRESS_MS = 3000;

/** The stops that people classified at once, newest first, each with its undoing. */
export function BulkClassifications() {
  const [most, setMost] = useState(STEP);
  const loaded = useRead(
    ["/v1/stop-classifications", most],
    async () => {
      const [list, causes] = await Promise.all([
        firstOf(most, (cursor) =>
          api("get", "/v1/stop-classifications", { query: { ...companyQuery(), limit: STEP, ...cursor } }),
        ),
        loadCauses(),
      ]);
      return { ...list, names: new Map(causes.map(({ id, name }) => [id, name])) };
    },
    { everyMs: (found) => (found?.data.some(isGoing) ? PROGRESS_MS : null) },
  );
  const { data = [], hasMore = false, names } = loaded.data ?? {};
  const causeText = (...ids: (number | null | undefined)[]) =>
    ids.flatMap((id) => (id ? [names?.get(id) ?? String(id)] : [])).join(" › ");
  const rows = data.map((job) => ({
    key: job.id,
    cells: [
      formats().dateTime(job.createdAt),
      causeText(job.generalCauseId, job.specificCauseId, job.componentId) || (job.description ?? ""),
      jobText(job),
      <Undo key="undo" job={job} />,
    ],
  }));
  return (
    <ListCard
      title={t.listTitle}
      hint={t.hint}
      loaded={loaded}
      table={{ columns: t.columns, isStacked: true, rows }}
      none={
        <Empty title={t.none}>
          <p>{t.noneHint}</p>
        </Empty>
      }
      onMore={hasMore ? () => setMost(most + STEP) : null}
    />
  );
}
