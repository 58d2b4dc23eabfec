import { api } from "../../data/api.ts";
import { firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import type { Interval } from "../../domain/days.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { desk as t } from "../../texts/desk.ts";
import { past } from "../../texts/past.ts";
import { unitsText } from "../../ui/numbers.ts";
import { useDesk } from "./desk-state.ts";
import { machineQuery } from "./plant-data.ts";
import { isoRange } from "./shift-table.tsx";

const MOST = 5;
const REFRESH_MS = MINUTE_MS;

/** The counts of a day that machines hold, which are in no number of it, and a link to where an admin decides about them. Nothing if there are none. */
export function HeldCounts({ limits }: { limits: Interval }) {
  const { state, isNow, hrefWith } = useDesk();
  const query = { ...machineQuery(state), ...isoRange(limits) };
  const loaded = useRead(
    ["/v1/held-events", query],
    () => firstOf(MOST, (cursor) => api("get", "/v1/held-events", { query: { ...query, limit: MOST, ...cursor } })),
    { everyMs: isNow ? REFRESH_MS : null },
  );
  // If they cannot be read, the cards beside it say so.
  if (loaded.data === null || loaded.isStale || loaded.data.data.length === 0) return null;
  const { dateTime } = formats();
  return (
    <section class="card" aria-label={t.held.title}>
      <header class="card-head">
        <h2>{t.held.title}</h2>
        <p class="card-sub">{t.held.hint}</p>
      </header>
      <ul>
        {loaded.data.data.map(({ id, machine, reason, count, units, first }) => (
          <li key={id}>
            <strong>{machine.name}</strong>: {t.held.what(count, unitsText(units), dateTime(first))}{" "}
            <span class="quiet">{past.heldEvents.reasons[reason] ?? reason}</span>
          </li>
        ))}
      </ul>
      <p>
        <a href={hrefWith({ tab: "changes", part: "books" })}>{t.held.decide}</a>
      </p>
      {loaded.data.hasMore && <p class="quiet">{t.held.more}</p>}
    </section>
  );
}
