import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { accepts } from "hono/accepts";
import { answerText } from "../../../core/answer-text.ts";
import { companyQuery, listText } from "../../../core/inputs.ts";
import { taggedHeaders } from "../../../http/etag.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { plantKinds, YAML } from "./kinds.ts";
import { plantFile } from "./members.ts";
import { readPlantFile } from "./plant-file.ts";
import { yamlOf } from "./write-yaml.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/plant",
  operationId: "getPlantFile",
  tags: ["companies"],
  summary: "Get the set-up of a plant as a file",
  description: `What is in force now, with names and refs in place of ids, sorted: for people who keep a plant in git, or copy one. People, tokens and secrets are not in
it, nor what is deleted. Refused (409) if a name that the file needs stands for several things, and if there is more of a kind than a file has.`,
  ...allowPermission("set-up:read", { costly: "report" }),
  request: {
    query: z.strictObject({
      companyId: companyQuery,
      kinds: listText(z.enum(plantKinds), { type: "string", enum: [...plantKinds] })
        .optional()
        .openapi({ description: "Only these kinds. Default: all" }),
      format: z
        .enum(["json", "yaml"])
        .optional()
        .openapi({
          description: `Overrides the \`Accept\` header, where \`${YAML}\` means the same`,
        }),
    }),
  },
  responses: {
    200: {
      description: "The file",
      headers: taggedHeaders,
      content: {
        "application/json": { schema: plantFile },
        [YAML]: { schema: answerText.openapi({ description: "The same as YAML 1.2, without anchors, aliases and tags" }) },
      },
    },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { format, ...asked } = c.req.valid("query");
  // An answer for another Accept differs.
  c.header("vary", "Accept");
  const accepted = accepts(c, { header: "Accept", supports: ["application/json", YAML], default: "application/json" });
  const file = await readPlantFile(callerOf(c), asked);
  if (format === "json" || (format === undefined && accepted !== YAML)) return c.json(file, 200);
  return c.body(yamlOf(file), 200, { "content-type": YAML, "content-disposition": 'attachment; filename="plant.yaml"' });
};
