import { useState } from "preact/hooks";
import { locale } from "../../../app/language.ts";
import { may } from "../../../data/may.ts";
import { usePaged } from "../../../data/paged.ts";
import { formats } from "../../../data/plant.ts";
import { dayText } from "../../../domain/days.ts";
import { setUp } from "../../../texts/set-up.ts";
import { ListCard } from "../../../ui/list-card.tsx";
import type { Column } from "../../../ui/table.tsx";
import { ChangeButton } from "../change-button.tsx";
import { type Deleted, deletedOf, type RestorablePart, restore } from "./kinds.ts";

const t = setUp.deleted;
/** How many rows are shown at first, and added with each press. */
const STEP = 20;

interface DeletedItemsProps {
  part: RestorablePart;
}

/** The deleted items of a part of the set-up, for admins, who can restore them. Loaded on request, because finding them may take many pages. */
export function DeletedItems({ part }: DeletedItemsProps) {
  const [isShown, show] = useState(false);
  if (!may("set-up:write")) return null;
  if (isShown) return <DeletedList part={part} />;
  return (
    <p>
      <button type="button" class="tool" onClick={() => show(true)}>
        {t.show}
      </button>
    </p>
  );
}

function DeletedList({ part }: DeletedItemsProps) {
  const [restored, setRestored] = useState<string | null>(null);
  const list = usePaged(["deleted", part], STEP, (most) => deletedOf(part, most));
  const names = t.columns;
  const columns: Column<Deleted>[] = [
    { name: names.what, cell: nameOf, sortBy: nameOf },
    { name: names.deleted, cell: ({ deletedAt }) => formats().dateTime(deletedAt ?? ""), sortBy: ({ deletedAt }) => deletedAt },
    {
      name: names.actions,
      cell: (one) => (
        <ChangeButton
          label={t.restore}
          name={t.of(t.restore, nameOf(one))}
          change={(key) => restore(part, String(one.id), key)}
          onChanged={() => setRestored(nameOf(one))}
        />
      ),
    },
  ];
  return (
    <ListCard
      title={t.title}
      hint={t.hint}
      list={list}
      columns={columns}
      keyOf={({ id }) => id}
      none={t.none}
      status={<p role="status">{restored !== null && t.restored(restored)}</p>}
    />
  );
}

function nameOf({ id, name, date }: Deleted): string {
  if (date !== undefined) return dayText(date, locale);
  return typeof id === "string" && id !== name ? `${id} · ${name}` : (name ?? String(id));
}
