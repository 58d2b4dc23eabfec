import "./plot.css";
import { useState } from "preact/hooks";
import { companyQuery } from "../../app/session.ts";
import { type ApiSchema, api } from "../../data/api.ts";
import { firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { durationText } from "../../domain/formats.ts";
import { desk as t } from "../../texts/desk.ts";
import { Card, Empty } from "./card.tsx";
import { useDesk } from "./desk-state.ts";
import { More } from "./more.tsx";
import { unitsText } from "./numbers.ts";

type Order = ApiSchema<"WorkOrder">;

/** How many rows are shown at first, and added with each press. */
const STEP = 200;
const open: Order["status"][] = ["Backlog", "Planned", "InProgress", "Paused"];

/** Orders by due date, with the missing units and whether they will be late. */
export function OrdersView() {
  const { state, hrefWith } = useDesk();
  const query = {
    ...companyQuery(),
    ...(!state.isAll && { statuses: open }),
    sort: "estimatedDeliveryTime" as const,
  };
  const [most, setMost] = useState(STEP);
  const loaded = useRead(
    ["/v1/work-orders", query, most],
    () => firstOf(most, (cursor) => api("get", "/v1/work-orders", { query: { ...query, limit: STEP, ...cursor } })),
    { everyMs: 60_000 },
  );
  const orders = loaded.data?.data ?? [];
  const [openOnes, late] = [orders.filter(({ status }) => open.includes(status)), orders.filter(({ isLate }) => isLate)];
  const more = loaded.data?.hasMore ? "+" : "";
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
        </p>
      }
      table={{ columns: t.orders.columns, numbers: [3, 4], rows: orders.map(rowOf), isStacked: true }}
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
      {card}
      {more && <More shown={orders.length} onMore={() => setMost(most + STEP)} />}
    </>
  );
}

function rowOf(order: Order) {
  const { dateTime, percent } = formats();
  const target = order.progress.reduce((sum, { targetQuantity }) => sum + (targetQuantity ?? 0), 0);
  const done = target > 0 ? Math.min(100, (100 * (target - order.remaining)) / target) : 0;
  return {
    key: order.id,
    isMarked: order.isLate,
    cells: [
      <>
        <strong>{order.code}</strong> {order.name}
      </>,
      t.orders.statuses[order.status],
      <>
        <svg key="bar" class="progress" aria-hidden="true">
          <rect class="k-off" width="100%" y="30%" height="40%" rx="3" />
          <rect class={order.isLate ? "k-stopped" : "k-made"} width={`${done}%`} y="30%" height="40%" rx="3" />
        </svg>
        {percent(done)}
      </>,
      <>
        {unitsText(order.produced)}
        {order.producedOutsideShifts > 0 && ` ${t.orders.outsideShifts(unitsText(order.producedOutsideShifts))}`}
      </>,
      unitsText(order.remaining),
      order.estimatedDeliveryTime === null ? t.orders.noDue : dateTime(order.estimatedDeliveryTime),
      expected(order),
    ],
  };
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
  const days = Math.floor(ms / 86_400_000);
  return days > 0 ? `${formats().number(days)} d` : durationText(ms);
}
