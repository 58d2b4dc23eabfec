import { type WorkOrderStatus, workOrderMachines, workOrderProgress, workOrders, workOrderTargets } from "../../src/db/schema.ts";
import { DAY_MS } from "../../src/oee/time.ts";
import { insertSql } from "../sql.ts";

/** A work order of the demo; `reports` are deltas that people reported, one a day, the last one a day before the start. */
export interface DemoOrder {
  id: string;
  companyId: number;
  code: string;
  name: string;
  status: WorkOrderStatus;
  machineIds: number[];
  targets: { skuId: string; quantity: number; reports?: { correct: number; defects: number }[] }[];
  /** Days from the demo's start; negative is before it. */
  dueInDays: number | null;
}

type NewOrder = Omit<DemoOrder, "id" | "code" | "companyId">;

const ofDemoPlant: NewOrder[] = [
  {
    name: "Caps for Aguas del Norte",
    status: "InProgress",
    machineIds: [1, 2],
    targets: [
      { skuId: "CAP-28", quantity: 200_000, reports: [{ correct: 480, defects: 20 }] },
      { skuId: "CAP-38", quantity: 150_000 },
    ],
    dueInDays: 5,
  },
  {
    name: "Jar lids, spring season",
    status: "InProgress",
    machineIds: [3],
    targets: [{ skuId: "LID-90", quantity: 60_000, reports: [{ correct: 35, defects: 12 }] }],
    dueInDays: 9,
  },
  {
    name: "Bottles for Aguas del Norte",
    status: "InProgress",
    machineIds: [4, 5],
    targets: [
      { skuId: "BTL-050", quantity: 300_000 },
      { skuId: "BTL-100", quantity: 250_000 },
    ],
    dueInDays: 7,
  },
  {
    name: "Mould inserts, second set",
    status: "Paused",
    machineIds: [7],
    targets: [{ skuId: "MLD-INS", quantity: 400, reports: [{ correct: 60, defects: 2 }] }],
    dueInDays: 12,
  },
  {
    name: "Boxes for the fair",
    status: "Completed",
    machineIds: [6],
    targets: [
      {
        skuId: "BOX-24",
        quantity: 1_200,
        reports: [
          { correct: 700, defects: 6 },
          { correct: 505, defects: 3 },
        ],
      },
    ],
    dueInDays: -1,
  },
  {
    name: "Ejector pins for stock",
    status: "Planned",
    machineIds: [8],
    targets: [{ skuId: "EJ-PIN", quantity: 5_000 }],
    dueInDays: 20,
  },
  {
    name: "Caps, new colour",
    status: "Backlog",
    machineIds: [1],
    targets: [{ skuId: "CAP-38", quantity: 30_000 }],
    dueInDays: null,
  },
  {
    name: "Bottles, trial run",
    status: "Cancelled",
    machineIds: [5],
    targets: [{ skuId: "BTL-100", quantity: 500 }],
    dueInDays: -3,
  },
];

const ofSecondPlant: NewOrder[] = [
  {
    name: "Brackets for Lakeside Motors",
    status: "InProgress",
    machineIds: [9],
    targets: [
      { skuId: "BRKT-L", quantity: 40_000, reports: [{ correct: 120, defects: 4 }] },
      { skuId: "BRKT-R", quantity: 40_000 },
    ],
    dueInDays: 6,
  },
  {
    name: "Hubs for stock",
    status: "Planned",
    machineIds: [10],
    targets: [{ skuId: "HUB-7", quantity: 2_500 }],
    dueInDays: 14,
  },
];

/** The work orders of both plants, the same in every demo. */
export const orders: DemoOrder[] = [
  ...ofDemoPlant.map((order) => ({ ...order, companyId: 1 })),
  ...ofSecondPlant.map((order) => ({ ...order, companyId: 2 })),
].map((order, i) => ({ ...order, id: idOf(i + 1), code: `WO-${1001 + i}` }));

/** The company's user who reports: the demo plant's `user`, the second plant's `admin`. */
const reporters: Record<number, number> = { 1: 4, 2: 6 };

/** The SQL of the work orders, as of the first start (epoch ms). Requires the plant's SQL. */
export function orderSql(createdAt: number): string {
  return orders.map((order, i) => oneOrderSql(order, i, createdAt)).join("");
}

function oneOrderSql({ id, companyId, code, name, status, machineIds, targets, dueInDays }: DemoOrder, i: number, at: number) {
  const stamps = { createdAt: at - 7 * DAY_MS, updatedAt: at };
  const estimatedDeliveryAt = dueInDays === null ? null : at + dueInDays * DAY_MS;
  const reports = targets.flatMap(({ skuId, reports = [] }) =>
    reports.map((report, j) => ({
      ...report,
      skuId,
      occurredAt: at - (reports.length - j) * DAY_MS,
      isLast: j === reports.length - 1,
    })),
  );
  return [
    insertSql(workOrders, [
      { id, companyId, code, name, status, priority: i % 3, source: "demo", estimatedDeliveryAt, ...stamps },
    ]),
    insertSql(
      workOrderMachines,
      machineIds.map((machineId) => ({ workOrderId: id, machineId })),
    ),
    insertSql(
      workOrderTargets,
      targets.map(({ skuId, quantity, reports = [] }) => ({
        workOrderId: id,
        skuId,
        targetQuantity: quantity,
        reportedCorrect: reports.reduce((sum, { correct }) => sum + correct, 0),
        reportedDefects: reports.reduce((sum, { defects }) => sum + defects, 0),
        ...stamps,
      })),
    ),
    insertSql(
      workOrderProgress,
      reports.map(({ skuId, correct, defects, occurredAt, isLast }, j) => ({
        id: idOf(100 * (i + 1) + j),
        workOrderId: id,
        skuId,
        correct,
        defects,
        mode: "delta" as const,
        status: isLast ? status : ("InProgress" as const),
        machineId: machineIds[0] ?? null,
        userId: reporters[companyId] ?? 0,
        comment: isLast && status === "Completed" ? "The last pallet is packed" : null,
        occurredAt,
        createdAt: occurredAt,
      })),
    ),
  ].join("");
}

/** Returns the same id for the same index in every demo. */
function idOf(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
}
