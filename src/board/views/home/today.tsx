import "./today.css";
import "../../ui/card.css";
import "../../ui/state-badge.css";
import { useComputed } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { second } from "../../app/clock.ts";
import { companyQuery } from "../../app/session.ts";
import { MOST_INCIDENTS, useAlerts } from "../../data/alerts.ts";
import { api } from "../../data/api.ts";
import { useLateOrders } from "../../data/late-orders.ts";
import { follow, type Row } from "../../data/live.ts";
import { may } from "../../data/may.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { countText, needsSomeone } from "../../domain/alerts.ts";
import { trendOf } from "../../domain/extrapolate.ts";
import { durationText } from "../../domain/formats.ts";
import { type Need, needsOf } from "../../domain/needs.ts";
import { type PlantNow, plantNow } from "../../domain/plant-now.ts";
import { DAY_MS, iso, MINUTE_MS } from "../../domain/time.ts";
import { isSound } from "../../domain/urgency.ts";
import { common } from "../../texts/common.ts";
import { home } from "../../texts/home.ts";
import { Boundary } from "../../ui/boundary.tsx";
import { Freshness } from "../../ui/freshness.tsx";
import { StateIcon } from "../../ui/state-icon.tsx";

/** How many machines are named; the wall shows all. */
const MOST_NEEDS = 8;

/** What needs somebody now, and how the shift goes. */
export function Today() {
  const live = useMemo(() => follow(), []);
  useEffect(() => live.close, [live]);
  const ids = live.machineIds.value;
  // Durations are in minutes, so once a minute is often enough.
  const minute = useComputed(() => Math.floor(second.value / MINUTE_MS) * MINUTE_MS).value;
  const rows = (ids ?? []).flatMap((id) => live.row(id).value ?? []).filter((row) => isSound(row, minute));
  if (ids?.length === 0) return null;
  return (
    <div class="today" aria-busy={ids === null}>
      <section class="card" aria-labelledby="needs">
        <header class="card-head">
          <h2 id="needs">{home.needs}</h2>
          <p class="card-sub">
            <Freshness state={live.freshness} />
          </p>
        </header>
        {ids && (
          <Boundary again={rows}>
            <Needs needs={needsOf(rows, minute)} now={minute} />
          </Boundary>
        )}
        <Boundary>
          <Waiting minute={minute} />
        </Boundary>
      </section>
      <section class="card" aria-labelledby="shift">
        <header class="card-head">
          <h2 id="shift">{home.shift}</h2>
        </header>
        {ids && (
          <Boundary again={rows}>
            <Shift plant={plantNow(rows, minute)} machines={rows.length} now={minute} />
          </Boundary>
        )}
      </section>
    </div>
  );
}

/** The machines that need somebody, each a link to its terminal. */
function Needs({ needs, now }: { needs: readonly Need<Row>[]; now: number }) {
  if (needs.length === 0) return <p class="quiet">{home.nobody}</p>;
  return (
    <>
      <ul class="needs">
        {needs.slice(0, MOST_NEEDS).map(({ kind, row, since }) => (
          <li key={row.machine.id}>
            <a class={`need need-${kind}`} href={`/floor/${row.machine.id}`}>
              <strong>{row.machine.name}</strong>
              <span class="need-what">{kind === "call" ? (row.helpCall?.message ?? home.kinds.call) : home.kinds[kind]}</span>
              {since !== null && <span class="need-since">{durationText(now - since)}</span>}
            </a>
          </li>
        ))}
      </ul>
      {needs.length > MOST_NEEDS && (
        <p>
          <a href="/wall">{home.more(formats().number(needs.length - MOST_NEEDS))}</a>
        </p>
      )}
    </>
  );
}

/** Work that waits, each kind with its number and the page on which it is done. Kinds of which there is nothing are left out. */
function Waiting({ minute }: { minute: number }) {
  const { number } = formats();
  const alerts = useAlerts().data;
  const late = useLateOrders().data;
  const query = {
    ...companyQuery(),
    ...{ from: iso(minute - DAY_MS), isClassified: false, isProgrammed: false, isIncludedInStops: true, isOpen: false },
    ...{ limit: 1, total: true },
  };
  const stops = useRead(["/v1/stops", "without a cause"], () => api("get", "/v1/stops", { query }), { everyMs: MINUTE_MS });
  const orphans = useRead(
    may("stops:write") ? ["/v1/orphaned-edits", "number"] : null,
    () => api("get", "/v1/orphaned-edits", { query: { ...companyQuery(), limit: 1, total: true } }),
    { everyMs: MINUTE_MS },
  );
  const incidents = alerts?.incidents.filter(needsSomeone).length ?? 0;
  const uncaused = stops.data?.total === null ? Number.POSITIVE_INFINITY : (stops.data?.total ?? 0);
  const lost = orphans.data?.total ?? 0;
  const lateCount = late?.data.length ?? 0;
  const links = [
    { count: incidents, text: home.incidents(countText(incidents, MOST_INCIDENTS)), href: "/desk/incidents" },
    {
      count: uncaused,
      text: Number.isFinite(uncaused) ? home.withoutCause(number(uncaused)) : home.manyWithoutCause,
      href: "/desk/shift?bar=stops",
    },
    { count: lateCount, text: home.lateOrders(number(lateCount) + (late?.hasMore ? "+" : "")), href: "/desk/orders" },
    { count: lost, text: home.orphans(number(lost)), href: "/desk/changes" },
  ];
  const shown = links.filter(({ count }) => count > 0);
  if (shown.length === 0) return null;
  return (
    <ul class="waiting">
      {shown.map(({ text, href }) => (
        <li key={href}>
          <a href={href}>{text}</a>
        </li>
      ))}
    </ul>
  );
}

/** The running shift of the plant in figures. */
function Shift({ plant, machines, now }: { plant: PlantNow; machines: number; now: number }) {
  const { percent, signed, number, time } = formats();
  const { figures, oee, forecastShare, shift, counts } = plant;
  const difference = figures ? Math.round(figures.total - figures.target) : 0;
  const trend = trendOf(forecastShare, difference);
  const runs = counts.running + counts.slow;
  return (
    <>
      <p class="quiet">
        {shift
          ? [
              shift.name,
              `${time(shift.start)}–${time(shift.end)}`,
              home.left(durationText(shift.end - now)),
              plant.hasOtherShifts && home.otherShifts,
            ]
              .filter(Boolean)
              .join(" · ")
          : home.noShift}
      </p>
      <dl class="today-figures">
        {oee !== null && <Figure name={home.oee} value={percent(oee)} />}
        {figures !== null && figures.target > 0 && <Figure name={home.difference} value={signed(difference)} colour={trend} />}
        {forecastShare !== null && <Figure name={home.forecast} value={percent(100 * forecastShare)} colour={trend} />}
        <Figure name={home.run} value={home.ofMachines(number(runs), number(machines))} />
      </dl>
      <ul class="today-counts" aria-label={home.states}>
        {(["stopped", "slow", "planned", "noData"] as const)
          .filter((kind) => counts[kind] > 0)
          .map((kind) => (
            <li key={kind} class={`kind-${kind}`}>
              <StateIcon kind={kind} /> {common.kinds[kind]}: {number(counts[kind])}
            </li>
          ))}
      </ul>
      <p>
        <a href="/desk/brief">{home.why}</a>
      </p>
    </>
  );
}

function Figure({ name, value, colour = "even" }: { name: string; value: string; colour?: "ahead" | "behind" | "even" }) {
  return (
    <div class={`today-${colour}`}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
