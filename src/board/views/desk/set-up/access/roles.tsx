import { api } from "../../../../data/api.ts";
import { allOf } from "../../../../data/pages.ts";
import { useRead } from "../../../../data/query.ts";
import { roles } from "../../../../domain/roles.ts";
import { access } from "../../../../texts/access.ts";
import { Body } from "../../../../ui/body.tsx";
import { Table } from "../../../../ui/table.tsx";

const t = access.matrix;

/** What each role may do. Superusers may do everything. */
export function Roles() {
  const loaded = useRead(["/v1/role-permissions"], () =>
    allOf((cursor) => api("get", "/v1/role-permissions", { query: { limit: 500, ...cursor } })),
  );
  const grants = loaded.data ?? [];
  const permissions = Object.keys(t.permissions) as (keyof typeof t.permissions)[];
  const has = (role: string, permission: string) =>
    role === "superuser" || grants.some(({ roleId, permissionId }) => roleId === role && permissionId === permission);
  return (
    <section class="card" aria-label={t.title}>
      <header class="card-head">
        <h2>{t.title}</h2>
        <p class="card-sub">{t.hint}</p>
      </header>
      <Body loaded={loaded}>
        <Table
          caption={t.title}
          data={{
            columns: [
              { name: t.may, cell: (permission) => t.permissions[permission] },
              ...roles.map((role) => ({
                name: access.roles[role],
                cell: (permission: string) => (
                  <span class={has(role, permission) ? "" : "quiet"}>{has(role, permission) ? t.yes : t.no}</span>
                ),
              })),
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
