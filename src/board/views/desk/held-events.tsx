import { useState } from "preact/hooks";
import { companyQuery } from "../../app/session.ts";
import { type ApiSchema, api } from "../../data/api.ts";
import { may } from "../../data/may.ts";
import { firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { past } from "../../texts/past.ts";
import { Refused } from "./form-end.tsx";
import { ListCard } from "./list-card.tsx";
import { unitsText } from "./numbers.ts";
import { useMutation } from "./use-mutation.ts";
import { dayName } from "./words.ts";

const t = past.heldEvents;
type Held = ApiSchema<"HeldEntry">;

/** How many rows are shown at first, and added with each press. */
const STEP = 20;

/** The events that are held, by machine, day and why; admins accept or drop them. */
export function HeldEvents() {
  const [most, setMost] = useState(STEP);
  const loaded = useRead(["/v1/held-events", most], () =>
    firstOf(most, (cursor) => api("get", "/v1/held-events", { query: { ...companyQuery(), limit: STEP, ...cursor } })),
  );
  const { data = [], hasMore = false } = loaded.data ?? {};
  const rows = data.map((one) => ({
    key: one.id,
    cells: [
      one.machine.name,
      dayName(one.day),
      t.what(one.count, formats().number(one.count), unitsText(one.units)),
      t.reasons[one.reason] ?? one.reason,
      may("set-up:write") && <Decide held={one} />,
    ],
  }));
  return (
    <ListCard
      title={t.title}
      hint={t.hint}
      loaded={loaded}
      table={{ columns: t.columns, isStacked: true, rows }}
      none={<p class="quiet">{t.none}</p>}
      onMore={hasMore ? () => setMost(most + STEP) : null}
    />
  );
}

function Decide({ held: { id, machine, day } }: { held: Held }) {
  const work = useMutation();
  const path = { id };
  const accept = () =>
    work.run(async () => void (await api("post", "/v1/held-events/{id}/accept", { path, body: {}, idempotencyKey: work.key })));
  const drop = () =>
    work.run(async () => void (await api("post", "/v1/held-events/{id}/drop", { path, body: {}, idempotencyKey: work.key })));
  const nameOf = (what: string) => t.of(what, machine.name, dayName(day));
  return (
    <>
      <Refused reason={work.reason} />
      <button type="button" class="tool" aria-label={nameOf(t.accept)} disabled={work.isWaiting} onClick={() => void accept()}>
        {t.accept}
      </button>
      <button type="button" class="tool" aria-label={nameOf(t.drop)} disabled={work.isWaiting} onClick={() => void drop()}>
        {t.drop}
      </button>
    </>
  );
}
