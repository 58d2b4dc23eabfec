import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { readPage } from "../../../core/cursor.ts";
import { permissions, roles } from "../../../db/values.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allow } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { db } from "../../../http/session.ts";
import { isoOf } from "../../../oee/time.ts";
import { listRolePermissions } from "./queries.ts";
import { query } from "./query.ts";

const grant = z
  .object({
    id: answerText,
    roleId: z.enum(roles),
    permissionId: z.enum(permissions),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi("RolePermission");

export const contract = createRoute({
  method: "get",
  path: "/v1/role-permissions",
  operationId: "listRolePermissions",
  tags: ["roles"],
  summary: "List the grants of permissions to roles",
  description: "Grants are the same for all companies. Superusers need none.",
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: { query },
  responses: {
    200: listAnswer(grant, "A page of grants"),
    ...problemResponses(400, 401, 403, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) =>
    readPage(db(c), sent, {
      select: (page) => listRolePermissions(db(c), page),
      keysOf: ({ id }) => [id],
      itemOf: (row) => ({ ...row, createdAt: isoOf(row.createdAt), updatedAt: isoOf(row.updatedAt) }),
    }),
  );
