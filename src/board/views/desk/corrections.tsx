import "./orphaned-edits.css";
import "./recalculations.css";
import { useState } from "preact/hooks";
import { companyQuery } from "../../app/session.ts";
import { type ApiSchema, api } from "../../data/api.ts";
import { may } from "../../data/may.ts";
import { usePaged } from "../../data/paged.ts";
import { firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { decimalsOf } from "../../domain/formats.ts";
import { past } from "../../texts/past.ts";
import { ListCard } from "../../ui/list-card.tsx";
import type { Column } from "../../ui/table.tsx";
import { ChangeButton } from "./change-button.tsx";
import { NewCorrection } from "./new-correction.tsx";
import { loadUserNames } from "./plant-data.ts";

const t = past.corrections;
type Correction = ApiSchema<"Correction">;

/** How many rows are shown at first, and added with each press. */
const STEP = 20;

/** Corrections of counts, the newest time first, with those that were undone; and a form for a new one. */
export function Corrections() {
  const [isEntering, enter] = useState(false);
  const list = usePaged(["/v1/corrections", may("users:read")], STEP, async (most) => {
    const query = { ...companyQuery(), includeUndone: true, limit: STEP };
    const [found, names] = await Promise.all([
      firstOf(most, (cursor) => api("get", "/v1/corrections", { query: { ...query, ...cursor } })),
      loadUserNames(),
    ]);
    return { ...found, names };
  });
  const nameOf = (id: number) => list.data?.names.get(id) ?? t.user(id);
  const { dateTime } = formats();
  const mayEnter = may("corrections:write");
  const names = t.columns;
  const columns: Column<Correction>[] = [
    { name: names.machine, cell: ({ machine }) => machine.name, sortBy: ({ machine }) => machine.name },
    { name: names.time, cell: ({ at }) => dateTime(at), sortBy: ({ at }) => at },
    { name: names.what, cell: whatText },
    { name: names.reason, cell: ({ reason, comment }) => [reason?.name, comment].filter(Boolean).join(": ") },
    {
      name: names.enteredBy,
      cell: ({ userId, createdAt }) => t.by(nameOf(userId), dateTime(createdAt)),
      sortBy: ({ createdAt }) => createdAt,
    },
    {
      name: names.actions,
      cell: ({ id, undoneAt, undoneBy }) =>
        undoneAt === null ? (
          mayEnter && (
            <ChangeButton
              label={t.undo}
              change={(idempotencyKey) => api("delete", "/v1/corrections/{id}", { path: { id }, idempotencyKey })}
            />
          )
        ) : (
          <span class="quiet">{t.undoneBy(undoneBy === null ? "" : nameOf(undoneBy), dateTime(undoneAt))}</span>
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
      noneHint={t.noneHint}
      tool={
        mayEnter &&
        !isEntering && (
          <button type="button" class="tool" onClick={() => enter(true)}>
            {t.enter}
          </button>
        )
      }
    >
      {isEntering && <NewCorrection onEnd={() => enter(false)} />}
    </ListCard>
  );
}

/** What a correction changes, in words. */
function whatText({ total, defects, rework, sku, workOrder, isAppliedInPart }: Correction): string {
  const { signed } = formats();
  const text = (count: number, say: (text: string) => string) => count !== 0 && say(signed(count, decimalsOf(count)));
  const units = [text(total, t.units), text(defects, t.rejected), text(rework, t.reworked)];
  return [...units, sku?.id, workOrder?.code, isAppliedInPart && t.inPart].filter(Boolean).join(", ");
}
