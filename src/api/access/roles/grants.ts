import type { Caller } from "../../../core/caller.ts";
import { readPage } from "../../../core/cursor.ts";
import { conflict, notFound } from "../../../core/problem.ts";
import { writeDirectory } from "../../../core/write.ts";
import { nextUpdatedAt } from "../../../db/expect.ts";
import {
  type Grant,
  isSameGrant,
  isSameGrantOf,
  selectGrant,
  selectGrantOf,
  selectGrants,
  updateGrant,
} from "../../../directory/grants.ts";
import { isoOf } from "../../../oee/time.ts";
import type { GrantQuery } from "./query.ts";

/** A page of the grants of permissions to roles. */
export function listGrants({ directory }: Pick<Caller, "directory">, query: GrantQuery) {
  return readPage(directory, query, {
    select: (page) => selectGrants(directory, page),
    keysOf: ({ id }) => [id],
    itemOf: (row) => ({ ...row, createdAt: isoOf(row.createdAt), updatedAt: isoOf(row.updatedAt) }),
  });
}

/** Changes the role and the permission of a grant. */
export async function changeGrant(caller: Caller, id: string, { roleId, permissionId }: Grant): Promise<void> {
  const after = { roleId, permissionId };
  await writeDirectory(
    caller,
    (directory) => [selectGrant(directory, id), selectGrantOf(directory, after)],
    ([before], [same]) => {
      if (!before) throw notFound(`There is no grant ${id}.`);
      if (same && same.id !== id) throw conflict(`Role ${roleId} already has ${permissionId} by another grant.`);
      return {
        expect: [isSameGrant(before), isSameGrantOf(after, same)],
        rows: [updateGrant(caller.directory, { ...before, ...after, updatedAt: nextUpdatedAt(before) })],
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
