import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { formatMembers } from "../../core/cursor.ts";
import { companyQuery, idParameter, idShape, listText, machineMembers } from "../../core/inputs.ts";
import { answerReport, reportAnswer } from "../../http/lists.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { liveRow } from "./live-row.ts";
import { getPlantState } from "./plant-state.ts";

const ids = listText(idParameter, idShape).optional();
const query = z.strictObject({
  companyId: companyQuery,
  ...machineMembers,
  lineIds: ids.openapi({ description: "Only machines that are in one of these lines" }),
  ...formatMembers,
});

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
    200: reportAnswer(z.object({ data: z.array(liveRow) }).openapi("PlantState"), "The machines"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  answerReport(c, contract, await getPlantState(callerOf(c), c.req.valid("query")));
