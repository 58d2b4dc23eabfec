import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { idParameter } from "../../core/inputs.ts";
import { shiftRef } from "../../core/refs.ts";
import { taggedHeaders } from "../../http/etag.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { getMachineState } from "./machine-state.ts";
import { degradedMark, heldMark, machineStatus, recalculatingMark, statusSince } from "./status.ts";

const timestamp = z.iso.datetime();
const shownState = z
  .object({
    machineId: z.int(),
    status: machineStatus,
    since: statusSince,
    stopId: z.int().nullable().openapi({ description: "The current stop; null if there is none" }),
    shift: shiftRef.nullable().openapi({ description: "The current shift; null outside shifts" }),
    sku: z
      .object({ id: answerText, name: answerText.nullable() })
      .nullable()
      .openapi({ description: "Currently in production; null if there is none" }),
    workOrderId: answerText.nullable().openapi({ description: "Currently in production; null if there is none" }),
    operators: z
      .array(z.object({ id: z.int(), name: answerText.nullable(), since: timestamp }))
      .openapi({ description: "Who is signed in" }),
    lastEventAt: timestamp.nullable().openapi({ description: "Time of the newest event; null before the first" }),
    isDegraded: z.boolean().openapi({ description: degradedMark }),
    heldCounts: z.int().openapi({ description: heldMark }),
    isRecalculating: z.boolean().openapi({ description: recalculatingMark }),
  })
  .openapi("MachineState");

export const contract = createRoute({
  method: "get",
  path: "/v1/machines/{id}/state",
  operationId: "getMachineState",
  tags: ["machines"],
  summary: "Get the state of a machine",
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: { params: z.object({ id: idParameter }) },
  responses: {
    200: { description: "The current state", headers: taggedHeaders, content: { "application/json": { schema: shownState } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  return c.json(await getMachineState(callerOf(c), c.req.valid("param").id), 200);
};
