import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { formatMembers } from "../../../core/cursor.ts";
import { companyQuery } from "../../../core/inputs.ts";
import { MOST_SEARCHED } from "../../../core/references.ts";
import { answerReport, reportAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { type FindingCode, findingKinds, findingSubjects } from "./findings.ts";
import { checkSetUp, maxBroken, maxFindings, maxMachines, maxSealed } from "./set-up.ts";

const codes = Object.keys(findingKinds) as [FindingCode, ...FindingCode[]];
const finding = z
  .object({
    code: z.enum(codes).openapi({ description: "One of a closed list" }),
    severity: z.enum(["error", "warning"]).openapi({ description: "error: numbers are missing; warning: they have gaps" }),
    object: z
      .object({ type: z.enum(findingSubjects), id: z.union([z.int(), answerText]), name: answerText })
      .nullable()
      .openapi({ description: "What it is about; null: the company as a whole" }),
    message: answerText.openapi({ description: "What is missing, and what that does to the numbers" }),
    action: answerText.openapi({ description: "What to do about it" }),
  })
  .openapi("SetUpFinding");
const answer = z.object({
  data: z.array(finding),
  more: z.int().openapi({
    description: `At least how many more findings there are. At most ${maxFindings} are listed, and at most ${maxBroken} of the same kind: that choose no machine, or name something deleted in the same member`,
  }),
  uncheckedMachines: z.int().openapi({ description: `Machines that were not checked: ${maxMachines} are at most` }),
  partlyChecked: z.array(z.enum(findingSubjects)).openapi({
    description: `Kinds that have too many rows to check all of them: ${MOST_SEARCHED} are searched for what names something deleted, and ${maxSealed} encrypted texts are tried`,
  }),
});

export const contract = createRoute({
  method: "get",
  path: "/v1/setup/check",
  operationId: "checkSetUp",
  tags: ["companies"],
  summary: "List what a plant's set-up lacks",
  description:
    "With what to do about each finding: first what prevents numbers, then what leaves gaps in them. An empty list means that nothing is missing.",
  ...allowPermission("set-up:read"),
  request: { query: z.strictObject({ companyId: companyQuery, ...formatMembers }) },
  responses: {
    200: reportAnswer(answer, "What is missing"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  answerReport(c, contract, await checkSetUp(callerOf(c), c.req.valid("query").companyId));
