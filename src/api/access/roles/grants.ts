import type { Caller } from "../../../core/caller.ts";
import { conflict, notFound } from "../../../core/problem.ts";
import { write } from "../../../core/write.ts";
import { nextUpdatedAt } from "../../../db/expect.ts";
import { type Grant, isSameGrant, isSameGrantOf, selectGrant, selectGrantOf, updateGrant } from "./queries.ts";

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
