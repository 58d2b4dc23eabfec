import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { formatMembers } from "../../../core/cursor.ts";
import { companyQuery, idParameter } from "../../../core/inputs.ts";
import { answerReport, reportAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { dependentTypes, listDependents } from "./dependents.ts";

const dependent = z
  .object({
    type: z.enum(dependentTypes),
    id: z.union([z.int(), answerText]),
    name: answerText,
    effect: z.enum(["ends", "stays"]).openapi({
      description:
        "`ends`: refused while the user is disabled, and deleted with the user; `stays`: unchanged until somebody changes it",
    }),
    message: answerText.openapi({ description: "What that means" }),
  })
  .openapi("UserDependent");
const answer = z.object({
  data: z.array(dependent),
  more: z.array(z.enum(dependentTypes)).openapi({ description: "Types that have more than the 100 items listed" }),
});

export const contract = createRoute({
  method: "get",
  path: "/v1/users/{id}/dependents",
  operationId: "listUserDependents",
  tags: ["users"],
  summary: "List what ends with an account, and what stays",
  description: `To look at before a user is disabled or deleted: API tokens that act for the user end with the account. Walls, and personas and reports that
send to the user's e-mail address, belong to the company and stay. At most 100 of each type, the newest first; \`more\` names the types of which there are more.`,
  ...allowPermission("users:read"),
  request: { params: z.object({ id: idParameter }), query: z.strictObject({ companyId: companyQuery, ...formatMembers }) },
  responses: {
    200: reportAnswer(answer, "What depends on the account"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const named = { ...c.req.valid("param"), companyId: c.req.valid("query").companyId };
  return answerReport(c, contract, await listDependents(callerOf(c), named));
};
