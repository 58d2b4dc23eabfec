import "./orphaned-edits.css";
import "./recalculations.css";
import { useState } from "preact/hooks";
import { type ApiSchema, api } from "../../api.ts";
import { decimalsOf } from "../../model/formats.ts";
import { firstOf } from "../../pages.ts";
import { formats } from "../../plant.ts";
import { companyQuery, user } from "../../session.ts";
import { past } from "../../texts/past.ts";
import { useLoaded } from "../../use-loaded.ts";
import { Body, Empty } from "./card.tsx";
import { More } from "./more.tsx";
import { NewCorrection } from "./new-correction.tsx";
import { loadUserNames, mayEdit } from "./plant-data.ts";
import { Table } from "./table.tsx";
import { useMutation } from "./use-mutation.ts";

const t = past.corrections;
type Correction = ApiSchema<"Correction">;

/** The table shows so many at first, and as many more with each press. */
const STEP = 20;

/** What people corrected of what machines counted, the newest time first, also what was undone; and a form for another one. */
export function Corrections() {
  const [most, setMost] = useState(STEP);
  const [isEntering, enter] = useState(false);
  const loaded = useLoaded(String(most), async () => {
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
  const rows = data.map((one) => ({
    key: one.id,
    cells: [
      one.machine.name,
      dateTime(one.at),
      whatText(one),
      [one.reason?.name, one.comment].filter(Boolean).join(": "),
      t.by(nameOf(one.userId), dateTime(one.createdAt)),
      one.undoneAt === null ? (
        mayEdit(user.value?.role) && <Undo id={one.id} onChanged={loaded.reload} />
      ) : (
        <span class="quiet">{t.undoneBy(one.undoneBy === null ? "" : nameOf(one.undoneBy), dateTime(one.undoneAt))}</span>
      ),
    ],
  }));
  return (
    <section class="card" aria-label={t.title} aria-busy={loaded.isStale}>
      <header class="card-head">
        <h2>{t.title}</h2>
        <p class="card-sub">{t.hint}</p>
        {mayEdit(user.value?.role) && !isEntering && (
          <p class="card-tools">
            <button type="button" class="tool" onClick={() => enter(true)}>
              {t.enter}
            </button>
          </p>
        )}
      </header>
      {isEntering && (
        <NewCorrection
          onEnd={async (isEntered) => {
            enter(false);
            if (isEntered) await loaded.reload();
          }}
        />
      )}
      <Body loaded={loaded}>
        {rows.length === 0 ? (
          <Empty title={t.none}>
            <p>{t.noneHint}</p>
          </Empty>
        ) : (
          <Table caption={t.title} data={{ columns: t.columns, isStacked: true, rows }} />
        )}
        {hasMore && <More shown={data.length} onMore={() => setMost(most + STEP)} />}
      </Body>
    </section>
  );
}

function Undo({ id, onChanged }: { id: number; onChanged(): Promise<void> }) {
  const work = useMutation(onChanged);
  const undo = () =>
    work.run(async () => void (await api("delete", "/v1/corrections/{id}", { path: { id }, idempotencyKey: work.key })));
  return (
    <>
      <div role="alert">{work.reason !== null && <p class="refusal">{work.reason}</p>}</div>
      <button type="button" class="tool" disabled={work.isWaiting} onClick={() => void undo()}>
        {t.undo}
      </button>
    </>
  );
}

/** What a correction changes, in words. */
function whatText({ total, defects, rework, sku, workOrder, isAppliedInPart }: Correction): string {
  const { signed } = formats();
  const text = (count: number, say: (text: string) => string) => count !== 0 && say(signed(count, decimalsOf(count)));
  const units = [text(total, t.units), text(defects, t.rejected), text(rework, t.reworked)];
  return [...units, sku?.id, workOrder?.code, isAppliedInPart && t.inPart].filter(Boolean).join(", ");
}
