import { useState } from "preact/hooks";
import { type ApiSchema, api } from "../../../../data/api.ts";
import { mayChooseCompany, type Permission } from "../../../../data/may.ts";
import { allOf } from "../../../../data/pages.ts";
import { useRead } from "../../../../data/query.ts";
import { roles } from "../../../../domain/roles.ts";
import { ConfirmForm } from "../../../../form/confirm-form.tsx";
import { Refused } from "../../../../form/form-end.tsx";
import { useMutation } from "../../../../form/use-mutation.ts";
import { access } from "../../../../texts/access.ts";
import { resource } from "../../../../texts/resource.ts";
import { Body } from "../../../../ui/body.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { Table } from "../../../../ui/table.tsx";

const t = access.matrix;
type Grant = ApiSchema<"RolePermission">;
type Role = Grant["roleId"];

/** Whether the service keeps a grant: without it nobody in a plant could change its set-up any more. */
function isKept(role: Role, permission: Permission): boolean {
  return (role === "admin" || role === "superadmin") && (permission === "set-up:read" || permission === "set-up:write");
}

/** What each role may do. Superusers may do everything, and say what the others may: it is the same for all plants. */
export function Roles() {
  const loaded = useRead(["/v1/role-permissions"], () =>
    allOf((cursor) => api("get", "/v1/role-permissions", { query: { limit: 500, ...cursor } })),
  );
  const [taken, take] = useState<Grant | null>(null);
  const [said, say] = useState("");
  const giving = useMutation();
  const grants = loaded.data ?? [];
  const permissions = Object.keys(t.permissions) as Permission[];
  const grantOf = (role: Role, permission: Permission) =>
    grants.find(({ roleId, permissionId }) => roleId === role && permissionId === permission);
  const give = (roleId: Exclude<Role, "superuser">, permissionId: Permission) => {
    say("");
    void giving.run(async () => {
      await api("post", "/v1/role-permissions", { body: { roleId, permissionId }, idempotencyKey: giving.key });
      say(t.given(access.roles[roleId], t.permissions[permissionId]));
    });
  };
  const cell = (role: Role, permission: Permission) => {
    const grant = grantOf(role, permission);
    const has = role === "superuser" || grant !== undefined;
    const now = has ? t.yes : t.no;
    if (role === "superuser" || !mayChooseCompany() || (has && isKept(role, permission))) {
      return <span class={has ? "" : "quiet"}>{now}</span>;
    }
    return (
      <button
        type="button"
        class="tool"
        aria-label={t.cell(access.roles[role], t.permissions[permission], now)}
        aria-pressed={has}
        disabled={giving.isWaiting}
        onClick={() => (grant ? take(grant) : give(role, permission))}
      >
        {now}
      </button>
    );
  };
  return (
    <section class="card" aria-label={t.title}>
      <header class="card-head">
        <h2>{t.title}</h2>
        <p class="card-sub">{mayChooseCompany() ? t.hintToChange : t.hint}</p>
      </header>
      <Refused reason={giving.reason} />
      <p role="status">{said}</p>
      {taken && (
        <Dialog title={t.takeTitle} onClose={() => take(null)}>
          <ConfirmForm
            question={t.sure(access.roles[taken.roleId], t.permissions[taken.permissionId])}
            label={t.take}
            cancel={resource.cancel}
            act={async (idempotencyKey) => {
              say("");
              await api("delete", "/v1/role-permissions/{id}", { path: { id: taken.id }, idempotencyKey });
              say(t.taken(access.roles[taken.roleId], t.permissions[taken.permissionId]));
            }}
            onEnd={() => take(null)}
          />
        </Dialog>
      )}
      <Body loaded={loaded}>
        <Table
          caption={t.title}
          data={{
            columns: [
              { name: t.may, cell: (permission) => t.permissions[permission] },
              ...roles.map((role) => ({ name: access.roles[role], cell: (permission: Permission) => cell(role, permission) })),
            ],
            rows: permissions,
            keyOf: (permission) => permission,
            isStacked: true,
          }}
        />
      </Body>
    </section>
  );
}
