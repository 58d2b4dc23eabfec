import { z } from "@hono/zod-openapi";
import { idParameter, text } from "../../../core/inputs.ts";
import { hashPassword } from "../../../core/password.ts";
import { newPassword } from "../../../core/password-rule.ts";
import { conflict, forbidden } from "../../../core/problem.ts";
import { hashing, passwordClientOf } from "../../../http/rooms.ts";
import { callerOf, db } from "../../../http/session.ts";
import { confirmPassword } from "../../identity/confirm-password.ts";
import { refuseGuessable } from "../../identity/new-password.ts";
import { accessBy } from "../access.ts";
import { companyIdMember, type Resource, stampMembers, stampsOf } from "../resource.ts";
import { roles, type UserRow, userTable } from "./queries.ts";

const shown = {
  name: text(200).min(1),
  email: z.email().max(254).toLowerCase().openapi({ description: "Signs the user in; unique", example: "ana@example.com" }),
  role: z.enum(roles).openapi({ description: "Not above the role of whoever grants it" }),
};
const isActive = z.boolean().openapi({ description: "Whether the user can sign in" });

const currentPassword = text(1024).min(1).openapi({
  format: "password",
  description: "Your own: required to change the password or e-mail address of another admin, superadmin or superuser",
});

// Each may do what the ones before it may, and grant what the ones before it are.
const ranks = ["readonly", "user", "admin", "superadmin", "superuser"];

export const users: Resource<UserRow> = {
  name: "User",
  names: "Users",
  noun: "user",
  nouns: "users",
  path: "/v1/users",
  description:
    "Who can sign in. A new role or password, and isActive, end the user's tokens within 30 s. The own password: `PUT /v1/password`. Whose password or e-mail address another person changed is notified, from the role admin up.",
  access: accessBy("users:read", "users:write"),
  table: userTable,
  example: { name: "Ana Ruiz", email: "ana@example.com", password: "correct horse battery staple", role: "user" },
  id: idParameter,
  item: z.object({ id: z.int(), companyId: companyIdMember, ...shown, isActive, ...stampMembers }).openapi("User"),
  create: z.object({ ...shown, password: newPassword, isActive: isActive.default(true) }),
  change: z.object({ ...shown, password: newPassword, isActive, currentPassword }).partial(),
  confirmation: "currentPassword",
  toItem(row) {
    const { id, companyId, name, email, role } = row;
    return { id, companyId, name, email, role, isActive: row.isActive, ...stampsOf(row) };
  },
  refuse({ actor, before, next }) {
    refuseAbove(actor.role, before?.role, next?.role);
    const isOwn = before?.id === actor.userId;
    const staysIn = next?.isActive === before?.isActive && next?.role === before?.role;
    if (isOwn && !staysIn) throw conflict("Someone else has to change the role of the own account, or end it.");
    if (isOwn && next?.passwordHash !== before.passwordHash)
      throw conflict("The own password is changed with `PUT /v1/password`, which wants the current one.");
  },
  async derive(sent, before, { c, companyId }) {
    const { role, isActive: staysActive, password: changed, email: address, currentPassword: own } = sent;
    const isOther = (value: unknown, current: unknown) => value !== undefined && value !== current;
    const endsTokens = changed !== undefined || isOther(role, before?.role) || isOther(staysActive, before?.isActive);
    const { actor } = c.var;
    refuseAbove(actor.role, before?.role);
    const isOthers = before !== null && before.id !== actor.userId && ranks.indexOf(before.role) >= ranks.indexOf("admin");
    const isConfirmed = isOthers && (changed !== undefined || isOther(address, before.email));
    const changedBy = isConfirmed
      ? (await confirmPassword(callerOf(c), passwordClientOf(c), own as string | undefined)).name
      : undefined;
    const tokenVersion = (before?.tokenVersion ?? 0) + (endsTokens ? 1 : 0);
    const values = { tokenVersion, ...(changedBy !== undefined && { changedBy }) };
    if (typeof changed !== "string") return { values };
    const { name, email } = { ...before, ...sent };
    const owner = { companyId: companyId ?? 0, name: String(name), email: String(email) };
    await refuseGuessable(db(c), changed, owner, "/password");
    return { values: { ...values, passwordHash: await hashing(c, () => hashPassword(changed)) } };
  },
};

/** Throws 403 unless a role may change and make users of these roles. */
function refuseAbove(role: string, ...roles: (string | undefined)[]): void {
  const highest = Math.max(...roles.map((one) => ranks.indexOf(one ?? "")));
  if (highest > ranks.indexOf(role)) throw forbidden(`A ${role} may not change or make a ${ranks[highest]}.`);
}
