import { useState } from "preact/hooks";
import { locale } from "../../../app/language.ts";
import { may } from "../../../data/may.ts";
import { formats } from "../../../data/plant.ts";
import { useRead } from "../../../data/query.ts";
import { dayText } from "../../../domain/typed-times.ts";
import { setUp } from "../../../texts/set-up.ts";
import { ChangeButton } from "../change-button.tsx";
import { ListCard } from "../list-card.tsx";
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
  const [most, setMost] = useState(STEP);
  const [restored, setRestored] = useState<string | null>(null);
  const loaded = useRead(["deleted", part, most], () => deletedOf(part, most));
  const { data = [], hasMore = false } = loaded.data ?? {};
  const rows = data.map((one) => {
    const name = nameOf(one);
    return {
      key: String(one.id),
      cells: [
        name,
        formats().dateTime(one.deletedAt ?? ""),
        <ChangeButton
          key="restore"
          label={t.restore}
          name={t.of(t.restore, name)}
          change={(key) => restore(part, String(one.id), key)}
          onChanged={() => setRestored(name)}
        />,
      ],
    };
  });
  return (
    <ListCard
      title={t.title}
      hint={t.hint}
      loaded={loaded}
      table={{ columns: t.columns, isStacked: true, rows }}
      none={<p class="quiet">{t.none}</p>}
      onMore={hasMore ? () => setMost(most + STEP) : null}
      status={<p role="status">{restored !== null && t.restored(restored)}</p>}
    />
  );
}

function nameOf({ id, name, date }: Deleted): string {
  if (date !== undefined) return dayText(date, locale);
  return typeof id === "string" && id !== name ? `${id} · ${name}` : (name ?? String(id));
}
