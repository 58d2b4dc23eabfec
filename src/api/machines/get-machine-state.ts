import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { notFound } from "../../core/problem.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { askMachine, db } from "../../http/session.ts";
import type { MachineNow } from "../../machine/books.ts";
import { recordId } from "../../machine/record-id.ts";
import type { AvailabilityStatus } from "../../oee/availability.ts";
import { isoOf } from "../../oee/time.ts";
import { shiftRef, shiftRefOf } from "../reports/report.ts";
import { machineOwner } from "./machine-owner.ts";
import { findNames, findOwner } from "./queries.ts";

const timestamp = z.iso.datetime();
const machineState = z
  .object({
    machineId: z.int(),
    status: z.enum(["A", "N", "P", "O", "D", "U"]).openapi({
      description:
        "A available, N not available (non-programmed stop), P programmed stop, O stop outside availability, D no data, " +
        "U outside shifts or out of service",
    }),
    since: timestamp.nullable().openapi({
      description: "Of a stop its start; of A and D the shift's start at the earliest; null: for longer than two weeks",
    }),
    stopId: z.int().nullable().openapi({ description: "The stop that lasts; null without one" }),
    shift: shiftRef.nullable().openapi({ description: "The one that goes on; null outside shifts" }),
    sku: z
      .object({ id: z.string(), name: z.string().nullable() })
      .nullable()
      .openapi({ description: "In work; null without one" }),
    workOrderId: z.string().nullable().openapi({ description: "In work; null without one" }),
    operators: z
      .array(z.object({ id: z.int(), name: z.string().nullable(), since: timestamp }))
      .openapi({ description: "Signed in by event" }),
    lastEventAt: timestamp.nullable().openapi({ description: "Time of the newest event; null before the first" }),
  })
  .openapi("MachineState");

export const contract = createRoute({
  method: "get",
  path: "/v1/machines/{id}/state",
  operationId: "getMachineState",
  tags: ["machines"],
  summary: "What a machine does at the moment",
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: { params: z.object({ id: idParameter }) },
  responses: {
    200: { description: "The state as of now", content: { "application/json": { schema: machineState } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

const statuses: Record<NonNullable<MachineNow["bucket"]>, AvailabilityStatus> = {
  available: "A",
  nonProgrammed: "N",
  programmed: "P",
  other: "O",
  noData: "D",
};

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id: machineId } = c.req.valid("param");
  const { role, companyId: own } = c.var.actor;
  const companyId = await machineOwner(machineId, () => findOwner(db(c), machineId));
  const isVisible = companyId !== undefined && (role === "superuser" || companyId === own);
  const state = isVisible && (await askMachine(c, machineId, (object) => object.state()));
  if (!state) throw noMachine(machineId);

  const { bucket, since, stopSeq, shift, skuId, signedIn, heardAt } = state;
  // Whose names are wanted the object alone knows.
  const wanted = { shiftId: shift?.shiftId, skuId, operators: signedIn };
  const names = await findNames(db(c), { machineId, companyId }, wanted);
  if (!names) throw noMachine(machineId);
  const operators = signedIn.map((one) => ({
    id: one.operatorId,
    name: names.operators.get(one.operatorId) ?? null,
    since: isoOf(one.since),
  }));
  const answer = {
    machineId,
    status: bucket ? statuses[bucket] : "U",
    since: isoOf(since),
    stopId: stopSeq === null ? null : recordId(machineId, stopSeq),
    shift: shift && shiftRefOf({ shiftId: shift.shiftId, shiftName: names.shift ?? "" }, shift, Date.now()),
    sku: skuId === null ? null : { id: skuId, name: names.sku },
    workOrderId: state.workOrderId,
    operators: operators.sort((a, b) => (a.name ?? "").localeCompare(b.name ?? "") || a.id - b.id),
    lastEventAt: isoOf(heardAt),
  };
  return c.json(answer, 200);
};

function noMachine(id: number) {
  return notFound(`There is no machine ${id}.`);
}
