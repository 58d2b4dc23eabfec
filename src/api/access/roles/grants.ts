import type { Caller, Reader } from "../../../core/caller.ts";
import { readPage } from "../../../core/cursor.ts";
import { conflict, notFound } from "../../../core/problem.ts";
import { write } from "../../../core/write.ts";
import { nextUpdatedAt } from "../../../db/expect.ts";
import { isoOf } from "../../../oee/time.ts";
import { type Grant, isSameGrant, isSameGrantOf, selectGrant, selectGrantOf, selectGrants, updateGrant } from "./queries.ts";
import type { GrantQuery } from "./query.ts";

/** A page of the grants of permissions to roles. */
export function listGrants({ db }: Pick<Reader, "db">, query: GrantQuery) {
  return readPage(db, query, {
    select: (page) => selectGrants(db, page),
    keysOf: ({ id }) => [id],
    itemOf: (row) => ({ ...row, createdAt: isoOf(row.createdAt), updatedAt: isoOf(row.updatedAt) }),
  });
}

/** Changes the role and the permission of a grant. */
export async function changeGrant(caller: Caller, id: string, { roleId, permissionId }: Grant): Promise<void> {
  const after = { roleId, permissionId };
  await write(
    caller,
    (db) => [selectGrant(db, id), selectGrantOf(db, after)],
    ([before], [same]) => {
      if (!before) throw notFound(`There is no grant ${id}.`);
      if (same && same.id !== id) throw conflict(`Role ${roleId} already has ${permissionId} by another grant.`);
      return {
        expect: [isSameGrant(before), isSameGrantOf(after, same)],
        rows: [updateGrant(caller.db, { ...before, ...after, updatedAt: nextUpdatedAt(before) })],
        audit: {
          action: "role-permission.change",
          companyId: null,
          objectId: id,
          before: { roleId: before.roleId, permissionId: before.permissionId },
          after,
        },
        answer: undefined,
      };
    },
  );
}
