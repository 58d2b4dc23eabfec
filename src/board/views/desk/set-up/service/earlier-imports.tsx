import { companyQuery } from "../../../../app/session.ts";
import { type ApiSchema, api } from "../../../../data/api.ts";
import { usePaged } from "../../../../data/paged.ts";
import { firstOf } from "../../../../data/pages.ts";
import { formats } from "../../../../data/plant.ts";
import { Refused } from "../../../../form/form-end.tsx";
import { useMutation } from "../../../../form/use-mutation.ts";
import { setUpImports } from "../../../../texts/set-up-imports.ts";
import { ListCard } from "../../../../ui/list-card.tsx";
import type { Column } from "../../../../ui/table.tsx";

const t = setUpImports.earlier;
type Import = ApiSchema<"SetUpImport">;

/** How many are shown at first, and added with each press. */
const STEP = 5;

/** The imports that are kept, newest first: who imported what when, and the undoing of those that were not undone. */
export function EarlierImports() {
  const list = usePaged(["/v1/setup/imports"], STEP, (most) =>
    firstOf(most, (cursor) => api("get", "/v1/setup/imports", { query: { ...companyQuery(), limit: STEP, ...cursor } })),
  );
  const work = useMutation();
  const undo = (id: number) =>
    work.run(async () => {
      await api("post", "/v1/setup/imports/{id}/undo", { path: { id }, idempotencyKey: work.key });
    });
  const { number, dateTime } = formats();
  const names = t.columns;
  const columns: Column<Import>[] = [
    { name: names.when, cell: ({ createdAt }) => dateTime(createdAt) },
    { name: names.kind, cell: ({ kind }) => setUpImports.kinds[kind] },
    { name: names.by, cell: ({ createdBy }) => createdBy?.name ?? "–" },
    {
      name: names.counts,
      cell: ({ created, changed, faulty }) =>
        [t.counts(number(created), number(changed)), faulty > 0 && t.faulty(number(faulty))].filter(Boolean).join(", "),
    },
    {
      name: names.undo,
      cell: (one) =>
        one.undoneAt !== null ? (
          t.undone(dateTime(one.undoneAt))
        ) : (
          <button
            type="button"
            class="tool"
            aria-label={t.undoOf(setUpImports.kinds[one.kind], dateTime(one.createdAt))}
            disabled={work.isWaiting}
            onClick={() => void undo(one.id)}
          >
            {t.undo}
          </button>
        ),
    },
  ];
  return (
    <ListCard title={t.title} hint={t.hint} list={list} columns={columns} keyOf={({ id }) => id} none={t.none}>
      <Refused reason={work.reason} />
    </ListCard>
  );
}
