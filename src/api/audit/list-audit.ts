import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { auditedVerbs } from "../../core/audit.ts";
import { listOf, paged, pageOf } from "../../core/cursor.ts";
import { companyQuery, idParameter, instant, text } from "../../http/inputs.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { isoOf } from "../../oee/time.ts";
import { companyOf } from "../setup/scope.ts";
import { listAudit } from "./queries.ts";

const query = paged(z.tuple([z.int(), z.string()])).extend({
  companyId: companyQuery,
  userId: idParameter.optional().openapi({ description: "What this user did" }),
  action: text(50).optional().openapi({ example: "stop.classify" }),
  objectType: text(50).optional().openapi({ example: "stop" }),
  objectId: text(100).optional(),
  from: instant.optional().openapi({ description: "What was done at or after this" }),
  to: instant.optional().openapi({ description: "What was done before this" }),
});
export type AuditQuery = z.infer<typeof query>;

const entry = z
  .object({
    id: z.string(),
    time: z.iso.datetime(),
    companyId: z.int(),
    userId: z.int(),
    userName: z.string().nullable(),
    requestId: z.string().nullable().openapi({ description: "The `x-request-id` of the request that did it" }),
    action: z.string().openapi({ example: "stop.classify" }),
    objectType: z.string().openapi({ example: "stop" }),
    objectId: z.string(),
    before: z
      .unknown()
      .openapi({ description: "The object, or a list of them, or what changed of it, as it was; null where there was none" }),
    after: z.unknown().openapi({ description: "As it is since; null where it is no more" }),
  })
  .openapi("AuditEntry");

const actions = Object.entries(auditedVerbs).map(
  ([object, verbs]) => `- \`${object}.\`${verbs.map((verb) => ` \`${verb}\``).join()}`,
);

export const contract = createRoute({
  method: "get",
  path: "/v1/audit",
  operationId: "listAudit",
  tags: ["audit"],
  summary: "List who changed what",
  description: `Newest first: each login, and each write by a person, stored with what it did or not at all. What finds its work done
has no entry (archived already, nothing there to delete, the same config or picture), nor has reading one's notifications. What
machines' objects store (stops, events) is here within seconds.

An \`action\` is an \`objectType\` and what was done to it:

${actions.join("\n")}

\`objectId\` is the company's for \`count-sensors\`, \`events\` and \`webhook-secret\`, the user's for \`config\` and \`login\`. Of failed
logins those to a known account are here. What is the system's, or of all companies, is told to the company of whoever did it.
Secrets are never shown; of a long member only its length is: \`{"count": 812}\`, \`{"characters": 5000}\`, and so it is of all configs.`,
  ...allow("superuser", "superadmin", "admin"),
  request: { query },
  responses: {
    200: { description: "A page of entries", content: { "application/json": { schema: listOf(entry) } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const sent = c.req.valid("query");
  const rows = await listAudit(db(c), { ...sent, companyId: companyOf(c, sent.companyId, c.var.actor.companyId) });
  const { page, cursor } = pageOf(rows, sent.limit, ({ at, id }) => [at, id]);
  return c.json({ data: page.map(({ at, ...row }) => ({ ...row, time: isoOf(at) })), cursor }, 200);
};
