import { z } from "@hono/zod-openapi";
import { idParameter, instant, nameText } from "../../../core/inputs.ts";
import { isoOf } from "../../../oee/time.ts";
import { companyIdMember, type Resource, stampMembers, stampsOf } from "../../../resource/resource.ts";
import { type ApiTokenRow, apiTokenTable, roles } from "./queries.ts";
import { revokeApiToken, storeApiToken } from "./rules.ts";

const name = nameText(200).openapi({ description: "Name of the program", example: "Wall display hall 1" });
const role = z.enum(roles).openapi({ description: "What the program may do: at most the role of the caller" });
const isReadOnly = z.boolean().openapi({ description: "Whether it may only read: everything else is refused with 403" });
const isOfCompany = z.boolean().openapi({
  description:
    "Whether it belongs to the company, as walls do: it stays valid when its creator is disabled or deleted. Only for read-only tokens with the role `readonly`, and those of terminals",
});
const machineIds = z.array(z.int()).nullable().openapi({
  description:
    "The machines that it is bound to, as terminals are: other machines do not exist for it, and operations that a terminal does not need answer 403. Null: none. It comes from the pairing and cannot be changed",
});
const expiresAt = instant.nullable().openapi({ type: ["string", "null"], description: "When it ends; null: never" });
const time = z.iso.datetime().nullable();

export const apiTokens: Resource<ApiTokenRow> = {
  names: { type: "ApiToken", types: "ApiTokens", noun: "API token", nouns: "API tokens" },
  path: "/v1/api-tokens",
  description: `Tokens for programs that call this API, such as wall displays, spreadsheets and ERP clients. A token acts in its company with
its role (or its creator's, if that has become lower), and only while its creator is active; a token of the company (\`isOfCompany\`), such as that of
a wall or a terminal, does not depend on its creator. \`expiresAt\` of a token that acts for another user can only become earlier. Operations for people only answer 403: passwords,
sign-out, one's own config and notifications, and changes to users and API tokens. The audit names token and user. A deleted
token is refused within 30 s, as are those of deleted users. What ends with a user is listed by \`GET /v1/users/{id}/dependents\`.`,
  access: { read: "api-tokens:read", write: "api-tokens:write", isForPeople: true },
  table: apiTokenTable,
  members: {
    id: idParameter,
    item: z
      .object({
        id: z.int(),
        companyId: companyIdMember
          .nullable()
          .openapi({ description: "The company it acts in; null: all companies (for tokens with the role superuser)" }),
        name,
        role,
        isReadOnly,
        isOfCompany,
        machineIds,
        expiresAt: time.openapi({ description: "When it ends; null: never" }),
        lastUsedAt: time.openapi({
          description: "When it was last used, up to 10 minutes before the last request; null: not yet",
        }),
        createdBy: z.int().openapi({ description: "The user who created it" }),
        ...stampMembers,
      })
      .openapi("ApiToken"),
    create: z.object({
      name,
      role,
      isReadOnly: isReadOnly.default(false),
      isOfCompany: isOfCompany.default(false),
      expiresAt: expiresAt.default(null),
    }),
    change: z.object({ name, isOfCompany, expiresAt }).partial(),
    example: { name: "Wall display hall 1", role: "readonly", isReadOnly: true, expiresAt: null },
  },
  shape: {
    item(row) {
      const { id, companyId, name, role, isReadOnly, isOfCompany, machineIds, createdBy } = row;
      const [expiresAt, lastUsedAt] = [isoOf(row.expiresAt), isoOf(row.lastUsedAt)];
      const where = role === "superuser" ? null : companyId;
      const rights = { role, isReadOnly, isOfCompany, machineIds: machineIds && [...machineIds] };
      return { id, companyId: where, name, ...rights, expiresAt, lastUsedAt, createdBy, ...stampsOf(row) };
    },
  },
  watched: "access",
  rules: { store: storeApiToken, remove: revokeApiToken },
};
