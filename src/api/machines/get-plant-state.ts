import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { formatMembers } from "../../core/cursor.ts";
import { companyQuery, idParameter, idShape, listText, machineMembers } from "../../core/inputs.ts";
import { answerReport, reportAnswer } from "../../http/lists.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { lineRef, namedRef, shiftRef } from "../reports/report.ts";
import { plantState } from "./plant-state.ts";
import { machineStatus, statusSince } from "./status.ts";

const ids = listText(idParameter, idShape).optional();
const query = z.strictObject({
  companyId: companyQuery,
  ...machineMembers,
  lineIds: ids.openapi({ description: "Of the machines that are in one of these lines" }),
  ...formatMembers,
});

const timestamp = z.iso.datetime();
const named = z.object({ id: z.int(), name: z.string().nullable() });
const cause = named.nullable();
const figure = (what: string) =>
  z
    .number()
    .nullable()
    .openapi({ description: `${what}, in the shift so far; null outside shifts` });

const currentStop = z.object({
  id: z.int(),
  since: timestamp.nullable(),
  name: z.string().openapi({
    description:
      "The name given by a person, else that of the specific cause, the general cause or the planned break, else `Stop`",
  }),
  generalCause: cause,
  specificCause: cause,
  component: cause,
});

const machineState = z
  .object({
    machine: namedRef.extend({ ref: z.string().openapi({ description: "The company's own name for it" }) }),
    line: lineRef,
    helpCall: z
      .object({ id: z.int(), since: timestamp, message: z.string().nullable(), calledBy: named })
      .nullable()
      .openapi({ description: "The open call for help at the machine; null without one" }),
    isReachable: z.boolean().openapi({
      description: "Whether the machine's state could be read. If not, it did not answer in time, and all members below are null",
    }),
    status: machineStatus.nullable(),
    since: statusSince,
    shift: shiftRef.nullable().openapi({ description: "The current shift; null outside shifts" }),
    sku: z
      .object({ id: z.string(), name: z.string().nullable() })
      .nullable()
      .openapi({ description: "Currently in production; null if there is none" }),
    workOrder: z
      .object({ id: z.string(), code: z.string().nullable(), name: z.string().nullable() })
      .nullable()
      .openapi({ description: "Currently in production; null if there is none" }),
    operators: z
      .array(named.extend({ since: timestamp }))
      .nullable()
      .openapi({ description: "Who is signed in, by name" }),
    stop: currentStop.nullable().openapi({ description: "The current stop; null if there is none" }),
    total: figure("Units counted"),
    defects: figure("Units rejected or reworked"),
    target: figure("Units that the standards in force allow in available and non-programmed time, two decimals"),
    oee: figure("Percent, two decimals: availability x effectiveness x quality"),
    availability: figure("Percent, two decimals: available time / (available time + unavailable time)"),
    effectiveness: figure("Percent, two decimals: standard time of the cycles / available time; may exceed 100"),
    quality: figure("Percent, two decimals: correct / total; 100 if nothing was made"),
    lastEventAt: timestamp.nullable().openapi({ description: "Time of the newest event; null before the first" }),
  })
  .openapi("MachineOverview");

export const contract = createRoute({
  method: "get",
  path: "/v1/state",
  operationId: "getPlantState",
  tags: ["machines"],
  summary: "Get the state of all machines of a company",
  description: `What every machine, or those of some lines, does now and made in its running shift so far, in one answer: sorted by line (its order,
then its name; without one last), then by name. At most 1,000 machines. A machine whose state cannot be read within a second is listed all the same.`,
  ...allowPermission("reports:read"),
  request: { query },
  responses: {
    200: reportAnswer(z.object({ data: z.array(machineState) }).openapi("PlantState"), "The machines"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  answerReport(c, contract, await plantState(callerOf(c), c.req.valid("query")));
