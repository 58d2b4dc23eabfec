import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { availabilityRatio, toMinutes, toPercent } from "../../oee/metrics.ts";
import { askOperators } from "./ask-operators.ts";
import { findRoster, findSkuNames } from "./queries.ts";

const parameters = z.object({
  machineId: z
    .array(idParameter)
    .max(1000)
    .openapi({ description: "Repeated, or separated by commas; `machineId[]` is taken too" }),
  direction: z.enum(["asc", "desc"]).default("asc").openapi({ description: "Of the machines, by name" }),
  limit: z.coerce.number().int().min(1).max(1000).default(100).openapi({ description: "Operator rows" }),
  offset: z.coerce.number().int().min(0).default(0).openapi({ type: "integer", minimum: 0, description: "Operator rows" }),
});
// createRoute takes a preprocessed object as it is, but its types do not say so.
const query = z.preprocess(listMachineIds, parameters) as unknown as typeof parameters;

const operatorRow = z
  .object({
    shift: z.string().openapi({ description: "Name of the running shift" }),
    availability: z.number().openapi({ description: "Percent, two decimals: uptime of uptime and downtime" }),
    downtime: z.number().openapi({ description: "Minutes, two decimals: unavailable while signed in" }),
    uptime: z.number().openapi({ description: "Minutes, two decimals: available while signed in" }),
    production: z.number().openapi({ description: "Units, to 6 decimals" }),
    machineName: z.string(),
    machineId: z.int(),
    sku: z.string().nullable().openapi({ description: "Name of the SKU of the operator's latest units" }),
    skuId: z.string().nullable(),
    operatorName: z.string(),
    operatorId: z.int(),
  })
  .openapi("RealtimeOperator");

export const contract = createRoute({
  method: "get",
  path: "/machines/realtime/operators",
  operationId: "listRealtimeOperators",
  tags: ["machines"],
  summary: "Production of each operator on each machine in the current shift",
  description:
    "Machines by name, the operators of each by name; `limit` and `offset` count operators. Unknown machines have none.",
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: { query },
  responses: {
    200: {
      description: "A page of operators",
      content: { "application/json": { schema: z.object({ totalItems: z.int(), data: z.array(operatorRow) }) } },
    },
    ...problemResponses(400, 401, 403, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { role, companyId } = c.var.actor;
  const scope = { companyId: role === "superuser" ? undefined : companyId, now: Date.now() };
  const { machineId: machineIds, ...page } = c.req.valid("query");
  const { totalItems, rows } = await findRoster(db(c), { machineIds, ...page, ...scope });

  const shareOf = await askOperators(c, new Set(rows.map((row) => row.machineId)));
  const current = rows.map((row) => ({ ...row, ...shareOf(row) }));
  // A second trip when someone went over to another SKU since the last flush: its name came with no row.
  const skuNames = new Map(rows.map((row) => [skuKey(row), row.skuName]));
  const unnamed = current.filter((row) => row.skuId !== null && !skuNames.has(skuKey(row)));
  for (const sku of unnamed.length > 0 ? await findSkuNames(db(c), unnamed) : []) skuNames.set(skuKey(sku), sku.skuName);

  const data = current.map((row) => ({
    shift: row.shiftName,
    availability: toPercent(availabilityRatio(row.uptimeMs, row.downtimeMs)),
    downtime: toMinutes(row.downtimeMs),
    uptime: toMinutes(row.uptimeMs),
    production: row.units,
    machineName: row.machineName,
    machineId: row.machineId,
    sku: skuNames.get(skuKey(row)) ?? null,
    skuId: row.skuId,
    operatorName: row.operatorName,
    operatorId: row.operatorId,
  }));
  return c.json({ totalItems, data }, 200);
};

function skuKey({ companyId, skuId }: { companyId: number; skuId: string | null }): string {
  return `${companyId} ${skuId ?? ""}`;
}

function listMachineIds(sent: unknown): unknown {
  const query = sent as Record<string, string | string[]>;
  const machineId = query.machineId ?? query["machineId[]"];
  return machineId === undefined ? query : { ...query, machineId: [machineId].flat().flatMap((ids) => ids.split(",")) };
}
