import "./orders.css";
import { useState } from "preact/hooks";
import { companyQuery } from "../../app/session.ts";
import { ProgressBar } from "../../charts/progress-bar.tsx";
import { type ApiSchema, api } from "../../data/api.ts";
import { may } from "../../data/may.ts";
import { usePaged } from "../../data/paged.ts";
import { firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { durationText } from "../../domain/formats.ts";
import { openStatuses } from "../../domain/orders.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time.ts";
import { desk as t } from "../../texts/desk.ts";
import { load as loadSetUpTexts } from "../../texts/set-up.ts";
import { Empty } from "../../ui/body.tsx";
import { later } from "../../ui/later.tsx";
import { More } from "../../ui/more.tsx";
import { unitsText } from "../../ui/numbers.ts";
import type { Column } from "../../ui/table.tsx";
import { Card } from "./card.tsx";
import { useDesk } from "./desk-state.ts";
import { OrderActions } from "./order-actions.tsx";
import { Part } from "./part.tsx";

type Order = ApiSchema<"WorkOrder">;

// Loaded when somebody enters an order.
const NewOrder = later(async () => {
  await loadSetUpTexts();
  return (await import("./new-order.tsx")).NewOrder;
});

/** How many rows are shown at first, and added with each press. */
const STEP = 200;
const open: readonly Order["status"][] = openStatuses;

/** Orders by due date, with the missing units and whether they will be late. */
export function OrdersView() {
  const { state, hrefWith } = useDesk();
  const query = {
    ...companyQuery(),
    ...(!state.isAll && { statuses: [...openStatuses] }),
    sort: "estimatedDeliveryTime" as const,
  };
  const loaded = usePaged(
    ["/v1/work-orders", query],
    STEP,
    (most) => firstOf(most, (cursor) => api("get", "/v1/work-orders", { query: { ...query, limit: STEP, ...cursor } })),
    { everyMs: MINUTE_MS },
  );
  const { rows: orders, hasMore } = loaded;
  const [openOnes, late] = [orders.filter(({ status }) => open.includes(status)), orders.filter(({ isLate }) => isLate)];
  const more = hasMore ? "+" : "";
  const mayChange = may("work-orders:write");
  const [isEntering, enter] = useState(false);
  const card = (
    <Card
      title={t.orders.title}
      sub={orders.length > 0 ? t.orders.sum(`${openOnes.length}${more}`, `${late.length}${more}`) : undefined}
      loaded={loaded}
      csv={{ path: "/v1/work-orders", query, name: "orders" }}
      isTable
      tools={
        <p class="chips">
          <a class="tool" href={hrefWith({ isAll: !state.isAll })} aria-current={state.isAll ? "true" : undefined}>
            {t.orders.all}
          </a>
          {mayChange && !isEntering && (
            <button type="button" class="tool" onClick={() => enter(true)}>
              {t.orders.form.title}
            </button>
          )}
        </p>
      }
      table={{
        columns: [...columns, { name: "", isShown: mayChange, cell: (order) => <OrderActions order={order} /> }],
        rows: orders,
        keyOf: ({ id }) => id,
        isMarked: ({ isLate }) => isLate,
        isStacked: true,
        isPartial: hasMore,
      }}
      empty={
        orders.length === 0 ? (
          <Empty title={t.orders.none}>
            <p>{t.orders.noneHint}</p>
          </Empty>
        ) : undefined
      }
    >
      {null}
    </Card>
  );
  return (
    <>
      {isEntering && (
        <Part>
          <section class="card" aria-label={t.orders.form.title}>
            <h2>{t.orders.form.title}</h2>
            <NewOrder onEnd={() => enter(false)} />
          </section>
        </Part>
      )}
      {card}
      {hasMore && <More shown={orders.length} onMore={loaded.more} />}
    </>
  );
}

const names = t.orders.columns;
const columns: Column<Order>[] = [
  {
    name: names.order,
    cell: ({ code, name }) => (
      <>
        <strong>{code}</strong> {name}
      </>
    ),
    sortBy: ({ code }) => code,
  },
  {
    name: names.status,
    cell: ({ status }) => t.orders.statuses[status],
    sortBy: ({ status }) => t.orders.statuses[status],
  },
  {
    name: names.progress,
    cell: (order) => (
      <>
        <ProgressBar key="bar" percent={doneOf(order)} colour={order.isLate ? "k-stopped" : "k-made"} />
        {formats().percent(doneOf(order))}
      </>
    ),
    sortBy: (order) => doneOf(order),
  },
  {
    name: names.good,
    isNumber: true,
    cell: ({ produced, producedOutsideShifts }) => (
      <>
        {unitsText(produced)}
        {producedOutsideShifts > 0 && ` ${t.orders.outsideShifts(unitsText(producedOutsideShifts))}`}
      </>
    ),
    sortBy: ({ produced }) => produced,
  },
  { name: names.remaining, isNumber: true, cell: ({ remaining }) => unitsText(remaining), sortBy: ({ remaining }) => remaining },
  {
    name: names.due,
    cell: ({ estimatedDeliveryTime: due }) => (due === null ? t.orders.noDue : formats().dateTime(due)),
    sortBy: ({ estimatedDeliveryTime }) => estimatedDeliveryTime,
  },
  { name: names.expected, cell: (order) => expected(order), sortBy: ({ expectedAt }) => expectedAt },
];

/** How much of an order is done, in percent. */
function doneOf({ progress, remaining }: Order): number {
  const target = progress.reduce((sum, { targetQuantity }) => sum + (targetQuantity ?? 0), 0);
  return target > 0 ? Math.min(100, (100 * (target - remaining)) / target) : 0;
}

/** The expected time of an order, and how late that is. */
function expected({ isLate, estimatedDeliveryTime, expectedAt }: Order) {
  const { dateTime } = formats();
  const when = expectedAt === null ? "–" : dateTime(expectedAt);
  if (!isLate || estimatedDeliveryTime === null) return when;
  const until = expectedAt === null ? Date.now() : Date.parse(expectedAt);
  return (
    <>
      {expectedAt !== null && `${when} · `}
      <span class="orders-late">{t.orders.lateBy(lateness(until - Date.parse(estimatedDeliveryTime)))}</span>
    </>
  );
}

/** A delay, in days from one day on. */
function lateness(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  return days > 0 ? `${formats().number(days)} d` : durationText(ms);
}
