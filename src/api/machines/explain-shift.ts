import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter, instant } from "../../core/inputs.ts";
import { notFound } from "../../core/problem.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { askMachine, db } from "../../http/session.ts";
import type { ShiftExplanation } from "../../machine/books.ts";
import { recordId } from "../../machine/record-id.ts";
import { toMinutes } from "../../oee/metrics.ts";
import { defectsOf } from "../../oee/production.ts";
import { isoOf, MINUTE_MS, SECOND_MS } from "../../oee/time.ts";
import { namedRef, shiftRef, shiftRefOf } from "../reports/report.ts";
import { classification, classificationOf, stopNameOf } from "../reports/stop-item.ts";
import type { StopRow } from "../stops/queries.ts";
import { findShiftName, findShiftScene } from "./queries.ts";
import { explainedIndicators, explainedMetrics, explainNumbers } from "./shift-numbers.ts";

const stopBehind = z.object({
  id: z.int().nullable().openapi({ description: "Null for a moment, while a stop has no number yet" }),
  name: z.string(),
  classification: classification.nullable(),
});
const segment = z.object({
  startTime: z.iso.datetime(),
  endTime: z.iso.datetime(),
  durationInMinutes: z.number(),
  durationMs: z.int(),
  bucket: z.enum(["available", "noData", "programmed", "nonProgrammed", "other"]),
  stop: stopBehind.nullable().openapi({ description: "The stop that the time is a part of; null for time that is none" }),
});
const skuCounts = z.object({
  skuId: z.string().nullable().openapi({ description: "Null: counted while no SKU was set" }),
  cycles: z.int(),
  total: z.number().openapi({ description: "Units, to 6 decimals" }),
  defects: z.number().openapi({ description: "Units, to 6 decimals" }),
  cyclesWithStandard: z.int().openapi({ description: "Cycles made while a standard was in force" }),
  standardCycleSeconds: z
    .number()
    .nullable()
    .openapi({ description: "In force, on average over those cycles; null without any" }),
  idealMinutes: z.number().openapi({ description: "Those cycles x their standards, two decimals" }),
  idealMs: z.number(),
});
const explanation = z
  .object({
    machine: namedRef,
    shift: shiftRef,
    indicatorId: z.int().nullable().openapi({ description: "As in the report of metrics; null until it has the shift" }),
    asOf: z.iso.datetime().openapi({ description: "The end of the shift, of the machine's service, or now" }),
    segments: z.array(segment).openapi({ description: "In order and without gaps: each second is in one" }),
    skus: z.array(skuCounts),
    shiftIndicators: explainedIndicators,
    productionMetrics: explainedMetrics,
  })
  .openapi("ShiftExplanation");

export const contract = createRoute({
  method: "get",
  path: "/v1/machines/{id}/shifts/{start}/explain",
  operationId: "explainShift",
  tags: ["machines"],
  summary: "Everything behind the numbers of a shift",
  description: `The ledger segment by segment, the counts, and each published number with its formula and what goes into it. \`round\`
rounds half up to that many decimals; a division by zero gives 0, and a quality of 0 / 0 is 1. idealMs, cyclesWithStandard,
cycles, total and defects are the sums over the SKUs; lostByDefectsMs is the sum of defects * idealMs / total over them;
recentUnits were counted in recentMs, the last 10 minutes of available time (less where there is less).`,
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { costly: "report" }),
  request: {
    params: z.object({
      id: idParameter,
      start: instant.openapi({
        description: "The shift's start: ISO 8601 with Z or an offset",
        example: "2026-03-02T05:00:00.000Z",
      }),
    }),
  },
  responses: {
    200: { description: "The explanation", content: { "application/json": { schema: explanation } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id: machineId, start } = c.req.valid("param");
  const { role, companyId } = c.var.actor;
  const scene = await findShiftScene(db(c), machineId, role === "superuser" ? undefined : companyId, start);
  if (!scene.machine) throw notFound(`There is no machine ${machineId}.`);
  const ledger = await askMachine(c, machineId, (machine) => machine.explain(start));
  if (!ledger) throw notFound(`No shift of machine ${machineId} has begun at ${isoOf(start)}.`);

  const now = Date.now();
  const { occurrence, sums, made } = ledger;
  // A second trip until D1 has the shift's record, some ten seconds.
  const isNamed = scene.record?.shiftId === occurrence.shiftId;
  const shiftName = (isNamed ? scene.record?.shiftName : await findShiftName(db(c), occurrence.shiftId)) ?? "";
  const answer = {
    machine: { name: scene.machine.name, id: machineId },
    shift: shiftRefOf({ shiftId: occurrence.shiftId, shiftName }, occurrence, now),
    indicatorId: scene.record?.id ?? null,
    asOf: isoOf(sums.asOf),
    segments: ledger.segments.map((one) => segmentOf(one, machineId, scene.stops)),
    skus: skuCountsOf(ledger.skus),
    ...explainNumbers(sums, made, occurrence.end <= now),
  };
  return c.json(answer, 200);
};

function segmentOf(
  { start, end, bucket, stop }: ShiftExplanation["segments"][number],
  machineId: number,
  rows: readonly StopRow[],
): z.infer<typeof segment> {
  const id = stop && stop.seq !== null ? recordId(machineId, stop.seq) : null;
  const row = rows.find((one) => one.id === id);
  return {
    startTime: isoOf(start),
    endTime: isoOf(end),
    durationInMinutes: toMinutes(end - start),
    durationMs: end - start,
    bucket,
    stop: stop && {
      id,
      name: row ? stopNameOf(row) : (stop.breakName ?? "Stop"),
      classification: row ? classificationOf(row) : null,
    },
  };
}

function skuCountsOf(skus: ShiftExplanation["skus"]): z.infer<typeof skuCounts>[] {
  const defects = defectsOf(skus);
  return skus.map(({ skuId, cycles, total, cyclesWithStandard, idealMs }, i) => ({
    skuId,
    cycles,
    total,
    defects: defects[i] ?? 0,
    cyclesWithStandard,
    standardCycleSeconds: cyclesWithStandard > 0 ? idealMs / cyclesWithStandard / SECOND_MS : null,
    idealMinutes: Math.round((idealMs / MINUTE_MS) * 100) / 100,
    idealMs,
  }));
}
