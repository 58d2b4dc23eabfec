import "./orphaned-edits.css";
import "./recalculations.css";
import { useState } from "preact/hooks";
import { companyQuery } from "../../app/session.ts";
import { type ApiSchema, api } from "../../data/api.ts";
import { may } from "../../data/may.ts";
import { firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { decimalsOf } from "../../domain/formats.ts";
import { past } from "../../texts/past.ts";
import { Empty } from "./card.tsx";
import { ChangeButton } from "./change-button.tsx";
import { ListCard } from "./list-card.tsx";
import { NewCorrection } from "./new-correction.tsx";
import { loadUserNames } from "./plant-data.ts";

const t = past.corrections;
type Correction = ApiSchema<"Correction">;

/** How many rows are shown at first, and added with each press. */
const STEP = 20;

/** Corrections of counts, the newest time first, with those that were undone; and a form for a new one. */
export function Corrections() {
  const [most, setMost] = useState(STEP);
  const [isEntering, enter] = useState(false);
  const loaded = useRead(["/v1/corrections", most, may("users:read")], async () => {
    const query = { ...companyQuery(), includeUndone: true, limit: STEP };
    const [list, names] = await Promise.all([
      firstOf(most, (cursor) => api("get", "/v1/corrections", { query: { ...query, ...cursor } })),
      loadUserNames(),
    ]);
    return { ...list, names };
  });
  const { data = [], hasMore = false, names } = loaded.data ?? {};
  const nameOf = (id: number) => names?.get(id) ?? t.user(id);
  const { dateTime } = formats();
  const mayEnter = may("corrections:write");
  const rows = data.map((one) => ({
    key: one.id,
    cells: [
      one.machine.name,
      dateTime(one.at),
      whatText(one),
      [one.reason?.name, one.comment].filter(Boolean).join(": "),
      t.by(nameOf(one.userId), dateTime(one.createdAt)),
      one.undoneAt === null ? (
        mayEnter && (
          <ChangeButton
            label={t.undo}
            change={(idempotencyKey) => api("delete", "/v1/corrections/{id}", { path: { id: one.id }, idempotencyKey })}
          />
        )
      ) : (
        <span class="quiet">{t.undoneBy(one.undoneBy === null ? "" : nameOf(one.undoneBy), dateTime(one.undoneAt))}</span>
      ),
    ],
  }));
  return (
    <ListCard
      title={t.title}
      hint={t.hint}
      loaded={loaded}
      table={{ columns: t.columns, isStacked: true, rows }}
      none={
        <Empty title={t.none}>
          <p>{t.noneHint}</p>
        </Empty>
      }
      onMore={hasMore ? () => setMost(most + STEP) : null}
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
