import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { permissions, roles } from "../../../db/values.ts";
import type { GrantRow } from "../../../directory/grants.ts";
import { isoOf } from "../../../oee/time.ts";

/** A grant of a permission to a role as responses show it. */
export const grant = z
  .object({
    id: answerText,
    roleId: z.enum(roles),
    permissionId: z.enum(permissions),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi("RolePermission");

/** Returns the response for a grant. */
export function grantOf({ createdAt, updatedAt, ...row }: GrantRow): z.infer<typeof grant> {
  return { ...row, createdAt: isoOf(createdAt), updatedAt: isoOf(updatedAt) };
}
