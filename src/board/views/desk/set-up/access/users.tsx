import { type ApiSchema, api } from "../../../../data/api.ts";
import { rolesToGive } from "../../../../data/may.ts";
import { useRead } from "../../../../data/query.ts";
import { access } from "../../../../texts/access.ts";
import { setUp } from "../../../../texts/set-up.ts";
import { Body } from "../../../../ui/body.tsx";
import { PlainTable } from "../../../../ui/table.tsx";
import { flagColumn, itemFields, type ResourceKind, ResourcePage, RowButton, textColumn } from "../resource-page.tsx";

const t = access.users;
type User = ApiSchema<"User">;

/** The people who sign in, with their roles. */
export function Users() {
  return <ResourcePage kind={kind} />;
}

const newUser = { name: "", email: "", role: "user", password: "", isActive: true };

/** What the form shows of an account. */
function accountOf({ name, email, role, isActive }: User) {
  return { name, email, role, isActive };
}

const kind: ResourceKind<User> = {
  path: "/v1/users",
  texts: t,
  nameOf: ({ name }) => name,
  columns: [
    textColumn(t.name, ({ name }) => name),
    textColumn(t.email, ({ email }) => email),
    { name: t.roleLabel, cell: ({ role }) => access.roles[role], sortBy: ({ role }) => role },
    flagColumn(t.active, ({ isActive }) => isActive),
  ],
  permission: "users:write",
  form: (user) =>
    itemFields({
      fields: {
        name: { kind: "text", label: t.name, as: "personName", maxLength: 200 },
        email: { kind: "text", label: t.email, as: "email", maxLength: 254 },
        role: {
          kind: "choice",
          label: t.roleLabel,
          options: rolesToGive().map((value) => ({ value, label: access.roles[value] })),
        },
        password: { kind: "text", label: user ? t.newPassword : t.password, as: "newPassword", maxLength: 1024 },
        isActive: { kind: "flag", label: t.maySignIn },
        ...(user && { currentPassword: { kind: "text", label: t.ownPassword, as: "password", maxLength: 1024 } as const }),
      },
      initial: {
        ...newUser,
        ...(user && accountOf(user)),
        currentPassword: "",
      },
      body: ({ name, email, role, password, isActive, currentPassword }, refuse) => {
        if (name.trim() === "") refuse("name", setUp.faults.required);
        if (email.trim() === "") refuse("email", setUp.faults.required);
        if (!user && password === "") refuse("password", setUp.faults.required);
        return {
          ...{ name: name.trim(), email: email.trim(), role, isActive },
          ...(password !== "" && { password }),
          ...(currentPassword !== undefined && currentPassword !== "" && { currentPassword }),
        };
      },
    }),
  tools: (user, open) => (
    <RowButton label={t.dependents} name={user.name} onPress={() => open(<Dependents key={user.id} user={user} />)} />
  ),
};

/** What ends with an account, and what stays: to look at before it is deleted. */
function Dependents({ user: { id, name } }: { user: User }) {
  const loaded = useRead(["/v1/users/{id}/dependents", id], () => api("get", "/v1/users/{id}/dependents", { path: { id } }));
  const { data = [], more = [] } = loaded.data ?? {};
  return (
    <>
      <h3>{t.dependentsOf(name)}</h3>
      <Body loaded={loaded} empty={loaded.data && data.length === 0 ? <p class="quiet">{t.noDependents}</p> : undefined}>
        <PlainTable
          caption={t.dependentsOf(name)}
          data={{
            columns: [
              { name: t.what, cell: ({ name: what }) => what },
              { name: t.kind, cell: ({ type }) => t.types[type] },
              { name: t.effect, cell: ({ effect }) => t.effects[effect] },
            ],
            rows: data,
            keyOf: ({ type, id: of }) => `${type} ${of}`,
          }}
        />
        {more.length > 0 && <p class="quiet">{t.more}</p>}
      </Body>
    </>
  );
}
