import { companyQuery } from "../../app/session.ts";
import { type ApiSchema, api } from "../../data/api.ts";
import { may } from "../../data/may.ts";
import { usePaged } from "../../data/paged.ts";
import { firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { past } from "../../texts/past.ts";
import { ListCard } from "../../ui/list-card.tsx";
import type { Column } from "../../ui/table.tsx";
import { ChangeButton } from "./change-button.tsx";
import { loadUserNames } from "./plant-data.ts";

const t = past.withdrawals;
type Withdrawal = ApiSchema<"EventWithdrawal">;

/** How many rows are shown at first, and added with each press. */
const STEP = 20;

/** Withdrawn events, the newest time first, with those that were restored. Admins can restore them. */
export function EventWithdrawals() {
  const list = usePaged(["/v1/event-withdrawals", may("users:read")], STEP, async (most) => {
    const query = { ...companyQuery(), includeRestored: true, limit: STEP };
    const [found, names] = await Promise.all([
      firstOf(most, (cursor) => api("get", "/v1/event-withdrawals", { query: { ...query, ...cursor } })),
      loadUserNames(),
    ]);
    return { ...found, names };
  });
  const nameOf = (id: number) => list.data?.names.get(id) ?? past.corrections.user(id);
  const { dateTime } = formats();
  const names = t.columns;
  const columns: Column<Withdrawal>[] = [
    { name: names.machine, cell: ({ machine }) => machine.name, sortBy: ({ machine }) => machine.name },
    { name: names.time, cell: ({ from, to }) => `${dateTime(from)} – ${dateTime(to)}`, sortBy: ({ from }) => from },
    { name: names.events, cell: whatText, sortBy: ({ events }) => events },
    { name: names.why, cell: ({ reason }) => reason },
    {
      name: names.withdrawnBy,
      cell: ({ userId, createdAt }) => t.by(nameOf(userId), dateTime(createdAt)),
      sortBy: ({ createdAt }) => createdAt,
    },
    {
      name: names.actions,
      cell: ({ id, restoredAt, restoredBy }) =>
        restoredAt === null ? (
          may("set-up:write") && (
            <ChangeButton
              label={t.restore}
              change={(idempotencyKey) => api("delete", "/v1/event-withdrawals/{id}", { path: { id }, idempotencyKey })}
            />
          )
        ) : (
          <span class="quiet">{t.restoredBy(restoredBy === null ? "" : nameOf(restoredBy), dateTime(restoredAt))}</span>
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
