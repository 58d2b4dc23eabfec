import { companyQuery } from "../../app/session.ts";
import { type ApiSchema, api } from "../../data/api.ts";
import { may } from "../../data/may.ts";
import { usePaged } from "../../data/paged.ts";
import { firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { Refused } from "../../form/form-end.tsx";
import { useMutation } from "../../form/use-mutation.ts";
import { past } from "../../texts/past.ts";
import { ListCard } from "../../ui/list-card.tsx";
import { unitsText } from "../../ui/numbers.ts";
import type { Column } from "../../ui/table.tsx";
import { dayName } from "../../ui/words.ts";

const t = past.heldEvents;
type Held = ApiSchema<"HeldEntry">;

/** How many rows are shown at first, and added with each press. */
const STEP = 20;

/** The events that are held, by machine, day and why; admins accept or drop them. */
export function HeldEvents() {
  const list = usePaged(["/v1/held-events"], STEP, (most) =>
    firstOf(most, (cursor) => api("get", "/v1/held-events", { query: { ...companyQuery(), limit: STEP, ...cursor } })),
  );
  const names = t.columns;
  const columns: Column<Held>[] = [
    { name: names.machine, cell: ({ machine }) => machine.name, sortBy: ({ machine }) => machine.name },
    { name: names.day, cell: ({ day }) => dayName(day), sortBy: ({ day }) => day },
    {
      name: names.events,
      cell: ({ count, units }) => t.what(count, formats().number(count), unitsText(units)),
      sortBy: ({ units }) => units,
    },
    { name: names.why, cell: reasonText, sortBy: reasonText },
    { name: names.actions, cell: (one) => may("set-up:write") && <Decide held={one} /> },
  ];
  return <ListCard title={t.title} hint={t.hint} list={list} columns={columns} keyOf={({ id }) => id} none={t.none} />;
}

function reasonText({ reason }: Held): string {
  return t.reasons[reason] ?? reason;
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
