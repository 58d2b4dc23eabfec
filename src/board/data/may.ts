import { effect, signal } from "@preact/signals";
import { acting, type Role } from "../app/session.ts";
import { recall, remember } from "../app/store.ts";
import { waitAfter } from "../domain/backoff.ts";
import { roles } from "../domain/roles.ts";
import { type ApiSchema, api } from "./api.ts";

// What the role of the signed-in user, or of the paired terminal, may do. The API decides that by grants of permissions, which superusers can change; they are read once per
// sign-in and page. It does not use data/query.ts, because terminals need it and must load little.

export type Permission = ApiSchema<"RolePermission">["permissionId"];

/** A role has each permission once at most: all grants fit into one page. */
const MOST_GRANTS = 500;

/** The permissions of the user's role; null: not known yet. */
const granted = signal<readonly string[] | null>(null);
/** The token of the session whose grants were asked for. */
let asked: string | undefined;

effect(() => {
  const { role, token } = acting.value ?? {};
  if (token === asked) return;
  asked = token;
  // Those of the last time: a terminal may start without a network.
  granted.value = (role && recall(nameOf(role))?.split(" ")) ?? null;
  if (role && token && !mayAll()) void read(role, token);
});

/** Reads the grants, again and again until there is an answer or another session. */
async function read(role: Role, token: string): Promise<void> {
  for (let failures = 1; asked === token; failures++) {
    try {
      const { data } = await api("get", "/v1/role-permissions", { query: { limit: MOST_GRANTS } });
      if (asked !== token) return;
      const own = data.flatMap(({ roleId, permissionId }) => (roleId === role ? [permissionId] : []));
      remember(nameOf(role), own.join(" "));
      granted.value = own;
      return;
    } catch {
      await new Promise((done) => setTimeout(done, waitAfter(failures, Math.random())));
    }
  }
}

function nameOf(role: Role): string {
  return `grants.${role}`;
}

function mayAll(): boolean {
  return acting.value?.role === "superuser";
}

/** Whether the user may do what takes this permission. Until that is known: no. */
export function may(permission: Permission): boolean {
  return mayAll() || granted.value?.includes(permission) === true;
}

/** Whether it is known that the user may not do what takes this permission. */
export function mayNot(permission: Permission): boolean {
  return granted.value !== null && !may(permission);
}

/** Whether the user may choose the company that is shown. The API decides this by role. */
export function mayChooseCompany(): boolean {
  return mayAll();
}

/** The roles that the user may give to users and tokens: at most the own one. */
export function rolesToGive(): readonly Role[] {
  return roles.slice(roles.indexOf(acting.value?.role ?? "readonly"));
}

/** Whether the user may see and make imports, say from when a change of the past holds, and see the history of changes. The API decides these by role. */
export function isAdmin(): boolean {
  return mayAll() || acting.value?.role === "superadmin" || acting.value?.role === "admin";
}
