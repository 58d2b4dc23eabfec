import { companyQuery } from "../../app/session.ts";
import { type ApiSchema, api } from "../../data/api.ts";
import { usePaged } from "../../data/paged.ts";
import { firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { past } from "../../texts/past.ts";
import { ListCard } from "../../ui/list-card.tsx";
import type { Column } from "../../ui/table.tsx";
import { isGoing, jobText, Undo } from "./bulk-classify.tsx";
import { loadCauses } from "./plant-data.ts";

const t = past.bulk;
type Classification = ApiSchema<"StopClassification">;

/** How many rows are shown at first, and added with each press. */
const STEP = 10;
const PROGRESS_MS = 3000;

/** The stops that people classified at once, newest first, each with its undoing. */
export function BulkClassifications() {
  const list = usePaged(
    ["/v1/stop-classifications"],
    STEP,
    async (most) => {
      const [found, causes] = await Promise.all([
        firstOf(most, (cursor) =>
          api("get", "/v1/stop-classifications", { query: { ...companyQuery(), limit: STEP, ...cursor } }),
        ),
        loadCauses(),
      ]);
      return { ...found, names: new Map(causes.map(({ id, name }) => [id, name])) };
    },
    { everyMs: (found) => (found?.data.some(isGoing) ? PROGRESS_MS : null) },
  );
  const causeText = (...ids: (number | null | undefined)[]) =>
    ids.flatMap((id) => (id ? [list.data?.names.get(id) ?? String(id)] : [])).join(" › ");
  const names = t.columns;
  const columns: Column<Classification>[] = [
    { name: names.time, cell: ({ createdAt }) => formats().dateTime(createdAt), sortBy: ({ createdAt }) => createdAt },
    {
      name: names.cause,
      cell: ({ generalCauseId, specificCauseId, componentId, description }) =>
        causeText(generalCauseId, specificCauseId, componentId) || (description ?? ""),
    },
    { name: names.outcome, cell: jobText },
    { name: names.actions, cell: (job) => <Undo job={job} /> },
  ];
  return (
    <ListCard
      title={t.listTitle}
      hint={t.hint}
      list={list}
      columns={columns}
      keyOf={({ id }) => id}
      none={t.none}
      noneHint={t.noneHint}
    />
  );
}
