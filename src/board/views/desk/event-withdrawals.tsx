import { useState } from "preact/hooks";
import { companyQuery } from "../../app/session.ts";
import { type ApiSchema, api } from "../../data/api.ts";
import { may } from "../../data/may.ts";
import { firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { past } from "../../texts/past.ts";
import { Empty } from "./card.tsx";
import { ChangeButton } from "./change-button.tsx";
import { ListCard } from "./list-card.tsx";
import { loadUserNames } from "./plant-data.ts";

const t = past.withdrawals;
type Withdrawal = ApiSchema<"EventWithdrawal">;

/** How many rows are shown at first, and added with each press. */
const STEP = 20;

/** Withdrawn events, the newest time first, with those that were restored. Admins can restore them. */
export function EventWithdrawals() {
  const [most, setMost] = useState(STEP);
  const loaded = useRead(["/v1/event-withdrawals", most, may("users:read")], async () => {
    const query = { ...companyQuery(), includeRestored: true, limit: STEP };
    const [list, names] = await Promise.all([
      firstOf(most, (cursor) => api("get", "/v1/event-withdrawals", { query: { ...query, ...cursor } })),
      loadUserNames(),
    ]);
    return { ...list, names };
  });
  const { data = [], hasMore = false, names } = loaded.data ?? {};
  const nameOf = (id: number) => names?.get(id) ?? past.corrections.user(id);
  const { dateTime } = formats();
  const rows = data.map((one) => ({
    key: one.id,
    cells: [
      one.machine.name,
      `${dateTime(one.from)} – ${dateTime(one.to)}`,
      whatText(one),
      one.reason,
      t.by(nameOf(one.userId), dateTime(one.createdAt)),
      one.restoredAt === null ? (
        may("set-up:write") && (
          <ChangeButton
            label={t.restore}
            change={(idempotencyKey) => api("delete", "/v1/event-withdrawals/{id}", { path: { id: one.id }, idempotencyKey })}
          />
        )
      ) : (
        <span class="quiet">{t.restoredBy(one.restoredBy === null ? "" : nameOf(one.restoredBy), dateTime(one.restoredAt))}</span>
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
    />
  );
}

/** Which events were withdrawn, in words. */
function whatText({ events, nodeId, channel, minValue, importId, ids }: Withdrawal): string {
  const { number } = formats();
  const parts = [
    t.events(events, number(events)),
    nodeId !== null && t.ofChannel(nodeId, channel),
    minValue !== null && t.ofAtLeast(number(minValue)),
    importId !== null && t.ofImport(importId),
    ids !== null && t.ofIds(ids.length),
  ];
  return parts.filter(Boolean).join(", ");
}
