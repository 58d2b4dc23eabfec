import { z } from "@hono/zod-openapi";
import { idParameter, multilineText, nameText } from "../../../core/inputs.ts";
import { newPassword } from "../../../core/password-rule.ts";
import { companyIdMember, type Resource, stampMembers, stampsOf } from "../../../resource/resource.ts";
import { roles, type UserRow, userTable } from "./queries.ts";
import { removeUser, restoreUser } from "./rules.ts";

/** What everybody sees of a user. */
export const userMembers = {
  name: nameText(200),
  email: z.email().max(254).toLowerCase().openapi({ description: "Signs the user in; unique", example: "ana@example.com" }),
  role: z.enum(roles).openapi({ description: "At most the role of the caller" }),
};
const isActive = z.boolean().openapi({ description: "Whether the user can sign in" });

const currentPassword = multilineText(1024).min(1).openapi({
  format: "password",
  description:
    "Your own password: required to change the password, e-mail address or role of another admin, superadmin or superuser",
});

export const users: Resource<UserRow> = {
  names: { type: "User", types: "Users", noun: "user", nouns: "users" },
  path: "/v1/users",
  description: `People who can log in. A change of role, password or isActive ends the user's tokens within 30 s. API tokens that the user created act with
at most the user's role, are refused while the user is not active, and end when the user is deleted; walls stay. See first what ends with an account:
\`GET /v1/users/{id}/dependents\`. A user who is restored cannot sign in until \`isActive\` is set. Users change their own password with
\`PUT /v1/password\`. An admin, superadmin or superuser whose password, e-mail address or role is changed by someone else is notified.`,
  access: { read: "users:read", write: "users:write", isForPeople: true },
  table: userTable,
  members: {
    id: idParameter,
    item: z.object({ id: z.int(), companyId: companyIdMember, ...userMembers, isActive, ...stampMembers }).openapi("User"),
    create: z.object({ ...userMembers, password: newPassword, isActive: isActive.default(true) }),
    change: z.object({ ...userMembers, password: newPassword, isActive, currentPassword }).partial(),
    example: { name: "Ana Ruiz", email: "ana@example.com", password: "correct horse battery staple", role: "user" },
  },
  shape: {
    item(row) {
      const { id, companyId, name, email, role, isActive } = row;
      return { id, companyId, name, email, role, isActive, ...stampsOf(row) };
    },
  },
  watched: "access",
  rules: { remove: removeUser, restore: restoreUser },
};
