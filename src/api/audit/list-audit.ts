import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { auditedVerbs } from "../../core/audit.ts";
import { answerList, archivedListAnswer } from "../../http/lists.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { listAudit, listStoredAudit } from "./audit.ts";
import { query } from "./query.ts";

const entry = z
  .object({
    id: answerText,
    time: z.iso.datetime(),
    companyId: z.int(),
    userId: z.int().openapi({
      description:
        "0: a reader of a report's mail, who may have no account; or the service, which closes books by itself (`book-closing.create`)",
    }),
    userName: answerText.nullable(),
    apiTokenId: z
      .int()
      .nullable()
      .openapi({ description: "The API token that the change was made with, created by the user; null: none" }),
    requestId: answerText.nullable().openapi({ description: "The `x-request-id` of the request that did it" }),
    action: answerText.openapi({ example: "stop.classify" }),
    objectType: answerText.openapi({ example: "stop" }),
    objectId: answerText,
    before: z.unknown().openapi({
      description:
        "The members that differ, without the version, or a list of objects, before the change; the whole object if it was deleted; null: it did not exist",
    }),
    after: z.unknown().openapi({
      description: "The same after the change; the whole object if it was created; null: it does not exist any more",
    }),
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
  summary: "List audit entries",
  description: `Newest first: each login, each write by a person and each closing of books by the service, stored in the same transaction as the write. Writes that change nothing
(archived already, nothing to delete, the same config or picture) have no entry, and neither has marking one's notifications as read.
Entries about stops and events appear within seconds.

An \`action\` is an \`objectType\` and a verb:

${actions.join("\n")}

\`objectId\` is the company's id for \`count-sensors\`, \`events\` and \`webhook-secret\`, the user's id for \`config\` and \`login\`. Failed
logins are listed for known accounts only. Changes of system objects are listed in the company of the user who made them.
Entries older than 90 days (\`AUDIT_KEPT_DAYS\`) are in the archive. The list continues there with the same \`cursor\`: newest first, up to seven days
or 8 MB of the archive in a request, which takes longer, so such an answer has \`archived\`, and its page may be short or empty and still have a
\`cursor\`. Send \`from\` and \`to\` to look into certain days. Superusers name a \`companyId\`, or read the archive of their own company. \`total\`, CSV and
NDJSON leave the archive out. A day of it that is missing or damaged is a 410, which names it.

Secrets are never shown. Long members and all configs are replaced by their length: \`{"count": 812}\`, \`{"characters": 5000}\`.`,
  ...allow("superuser", "superadmin", "admin"),
  request: { query },
  responses: {
    200: archivedListAnswer(entry, "A page of entries"),
    ...problemResponses(400, 401, 403, 404, 410, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent, isFile) => (isFile ? listStoredAudit : listAudit)(callerOf(c), sent));
