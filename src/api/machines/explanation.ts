import { companyOf } from "../../core/actor.ts";
import type { Caller } from "../../core/caller.ts";
import { notFound } from "../../core/problem.ts";
import { recordId } from "../../core/record-id.ts";
import { shiftRefOf } from "../../core/refs.ts";
import type { ShiftExplanation } from "../../objects/machine-protocol.ts";
import { callMachine } from "../../objects/machines.ts";
import { toMinutes } from "../../oee/metrics.ts";
import { defectsOf, lostByDefects, performedOf } from "../../oee/production.ts";
import { isoOf, SECOND_MS } from "../../oee/time.ts";
import { classificationOf, stopNameOf } from "../reports/stop-item.ts";
import type { StopRow } from "../stops/queries.ts";
import { noMachine } from "./owner.ts";
import { findShiftContext, findShiftName } from "./queries.ts";
import { explainNumbers } from "./shift-numbers.ts";

/** Explains the numbers of the shift that starts at an instant (epoch ms). */
export async function explainShift(caller: Caller, machineId: number, start: number) {
  const context = await findShiftContext(caller.db, { machineId, start }, companyOf(caller.actor));
  if (!context.machine) throw noMachine(machineId);
  return await explain(caller, context, machineId, start);
}

/** Explains the numbers of a shift record. */
export async function explainRecord(caller: Caller, id: number) {
  const context = await findShiftContext(caller.db, { recordId: id }, companyOf(caller.actor));
  if (!context.machine || !context.record) throw notFound(`There is no shift record ${id}.`);
  return await explain(caller, context, context.machine.id, context.record.startAt);
}

type ShiftContext = Awaited<ReturnType<typeof findShiftContext>>;

async function explain({ env, db, objects }: Caller, context: ShiftContext, machineId: number, start: number) {
  const ledger = await callMachine(env, machineId, (machine) => machine.explain(start), objects);
  if (!ledger) throw notFound(`No shift of machine ${machineId} has begun at ${isoOf(start)}.`);

  const now = Date.now();
  const { occurrence, sums, made } = ledger;
  // A second trip only until D1 has the record of the shift, which takes some ten seconds.
  const isNamed = context.record?.shiftId === occurrence.shiftId;
  const shiftName = (isNamed ? context.record?.shiftName : await findShiftName(db, occurrence.shiftId)) ?? "";
  return {
    machine: { name: context.machine?.name ?? "", id: machineId },
    shift: shiftRefOf({ shiftId: occurrence.shiftId, shiftName }, occurrence, now),
    indicatorId: context.record?.id ?? null,
    asOf: isoOf(sums.asOf),
    segments: ledger.segments.map((one) => segmentOf(one, machineId, context.stops)),
    skus: skuCountsOf(ledger.skus),
    corrections: (ledger.corrections ?? []).map(({ seq, at, ...one }) => {
      return { id: recordId(machineId, seq), at: isoOf(at), ...one };
    }),
    ...explainNumbers(sums, made, occurrence.end <= now),
  };
}

function segmentOf(
  { start, end, bucket, stop }: ShiftExplanation["segments"][number],
  machineId: number,
  rows: readonly StopRow[],
) {
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

function skuCountsOf(skus: ShiftExplanation["skus"]) {
  const defects = defectsOf(skus);
  return skus.map((sku, i) => {
    const { cyclesWithStandard, idealMs, unitsWithoutTime } = performedOf(sku);
    return {
      skuId: sku.skuId,
      cycles: sku.cycles,
      total: sku.total,
      defects: defects[i] ?? 0,
      cyclesWithStandard,
      standardCycleSeconds: cyclesWithStandard > 0 ? idealMs / cyclesWithStandard / SECOND_MS : null,
      idealMinutes: toMinutes(idealMs),
      idealMs,
      lostByDefectsMs: lostByDefects(sku, sku, defects[i] ?? 0),
      unitsWithoutTime,
    };
  });
}
