import type { ApiSchema } from "../../data/api.ts";
import { useLateOrders } from "../../data/late-orders.ts";
import { formats } from "../../data/plant.ts";
import { desk as t } from "../../texts/desk.ts";
import { unitsText } from "../../ui/numbers.ts";
import type { Column } from "../../ui/table.tsx";
import { Card } from "./card.tsx";
import { useDesk } from "./desk-state.ts";

const MOST_ORDERS = 5;

type Order = ApiSchema<"WorkOrder">;

/** The orders that will be late, the one due first at the top. */
export function LateOrders() {
  const { hrefWith } = useDesk();
  const loaded = useLateOrders();
  const { dateTime, number } = formats();
  const late = loaded.data?.data ?? [];
  const orders = t.orders.columns;
  const columns: Column<Order>[] = [
    { name: orders.order, cell: ({ code }) => code, sortBy: ({ code }) => code },
    {
      name: orders.remaining,
      isNumber: true,
      cell: ({ remaining }) => unitsText(remaining),
      sortBy: ({ remaining }) => remaining,
    },
    {
      name: orders.due,
      cell: ({ estimatedDeliveryTime: due }) => (due === null ? t.orders.noDue : dateTime(due)),
      sortBy: ({ estimatedDeliveryTime: due }) => due,
    },
    {
      name: orders.expected,
      cell: ({ expectedAt }) => (expectedAt === null ? "–" : dateTime(expectedAt)),
      sortBy: ({ expectedAt }) => expectedAt,
    },
  ];
  return (
    <Card
      title={t.brief.lateOrders}
      sub={
        late.length > MOST_ORDERS || loaded.data?.hasMore
          ? t.brief.firstOrders(number(Math.min(late.length, MOST_ORDERS)))
          : undefined
      }
      loaded={loaded}
      csv={null}
      isTable
      height="small"
      tools={
        <p>
          <a href={hrefWith({ tab: "orders" })}>{t.brief.allOrders}</a>
        </p>
      }
      table={{ columns, rows: late.slice(0, MOST_ORDERS), keyOf: ({ id }) => id, isStacked: true }}
      empty={late.length === 0 ? <p class="quiet">{t.brief.noLateOrders}</p> : undefined}
    >
      {null}
    </Card>
  );
}
