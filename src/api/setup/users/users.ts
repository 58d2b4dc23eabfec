import { z } from "@hono/zod-openapi";
import { idText, text } from "../../../http/inputs.ts";
import { hashPassword } from "../../../http/password.ts";
import { conflict, forbidden } from "../../../http/problem.ts";
import { accessBy } from "../access.ts";
import { companyIdMember, type Resource, stampMembers, stampsOf } from "../resource.ts";
import { roles, type UserRow, userTable } from "./queries.ts";

const shown = {
  name: text(200).min(1),
  email: z.email().max(254).toLowerCase().openapi({ description: "Signs the user in; unique", example: "ana@example.com" }),
  role: z.enum(roles).openapi({ description: "Not above the role of whoever grants it" }),
};
const isActive = z.boolean().openapi({ description: "Whether the user can sign in" });
const password = text(128).min(15).openapi({ description: "Write only", format: "password" });

// Each may do what the ones before it may, and grant what the ones before it are.
const ranks = ["readonly", "user", "admin", "superadmin", "superuser"];

export const users: Resource<UserRow> = {
  name: "User",
  names: "Users",
  noun: "user",
  nouns: "users",
  path: "/v1/users",
  description: "Who can sign in. A new role or password, and isActive, end the user's tokens within 30 s.",
  access: accessBy("users:read", "users:write"),
  table: userTable,
  example: { name: "Ana Ruiz", email: "ana@example.com", password: "correct horse battery staple", role: "user" },
  id: idText,
  item: z.object({ id: z.int(), companyId: companyIdMember, ...shown, isActive, ...stampMembers }).openapi("User"),
  create: z.object({ ...shown, password, isActive: isActive.default(true) }),
  change: z.object({ ...shown, password, isActive }).partial(),
  toItem(row) {
    const { id, companyId, name, email, role } = row;
    return { id, companyId, name, email, role, isActive: row.isActive, ...stampsOf(row) };
  },
  refuse({ actor, before, next }) {
    const highest = Math.max(...[before, next].map((row) => ranks.indexOf(row?.role ?? "")));
    if (highest > ranks.indexOf(actor.role)) throw forbidden(`A ${actor.role} may not change or make a ${ranks[highest]}.`);
    const isOwn = before?.id === actor.userId;
    const staysIn = next?.isActive === before?.isActive && next?.role === before?.role;
    if (isOwn && !staysIn) throw conflict("Someone else has to change the role of the own account, or end it.");
  },
  async derive(sent, before) {
    const { role, isActive: staysActive, password: changed } = sent;
    const isOther = (value: unknown, current: unknown) => value !== undefined && value !== current;
    const endsTokens = changed !== undefined || isOther(role, before?.role) || isOther(staysActive, before?.isActive);
    const values = { tokenVersion: (before?.tokenVersion ?? 0) + (endsTokens ? 1 : 0) };
    return { values: typeof changed === "string" ? { ...values, passwordHash: await hashPassword(changed) } : values };
  },
};
