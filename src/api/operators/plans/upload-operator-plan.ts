import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter, instant, multilineText, nameText } from "../../../core/inputs.ts";
import { Problem } from "../../../core/problem.ts";
import { utf8Text } from "../../../core/utf8.ts";
import { created, createdAnswer } from "../../../http/created.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { columns, maxLines } from "./plan-file.ts";
import { operatorPlan } from "./resource.ts";
import { uploadOperatorPlan } from "./uploaded-plan.ts";

const query = z.object({
  companyId: idParameter.optional().openapi({ description: "The company; only superusers name another one than their own" }),
  title: nameText(200),
  since: instant,
  until: instant.openapi({ description: "The plan's end, exclusive" }),
});

export const contract = createRoute({
  method: "post",
  path: "/v1/operator-plans/csv",
  operationId: "uploadOperatorPlan",
  tags: ["operator plans"],
  summary: "Create an operator plan from a CSV file",
  description: `A UTF-8 text. The first line names the columns \`${columns.join()}\`, in any order, separated by commas or semicolons as in all other lines. Every other line is an assignment; ${maxLines} at most. Faults are reported by line number. A shift's name means the one of that name that the machine has. The plan's \`fileId\` is the SHA-256 of the file's text, without a byte order mark.`,
  ...allowPermission("set-up:write", { isIdempotent: true, costly: "upload" }),
  request: {
    query,
    body: {
      required: true,
      content: { "text/csv": { schema: multilineText(1024 * 1024), example: `${columns.join()}\nO-17,PRESS-01,Morning\n` } },
    },
  },
  responses: {
    201: createdAnswer(operatorPlan, "The new operator plan"),
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const named = c.req.valid("query");
  const type = c.req.header("content-type");
  if (!/^text\/csv *(;|$)/i.test(type ?? ""))
    throw new Problem(415, `This operation accepts text/csv, not ${type ?? "a body without a content-type"}.`);
  const file = utf8Text(await c.req.arrayBuffer());
  return created(c, await uploadOperatorPlan(callerOf(c), named, file));
};
