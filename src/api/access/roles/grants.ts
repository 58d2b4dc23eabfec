import type { Caller } from "../../../core/caller.ts";
import { readPage } from "../../../core/cursor.ts";
import { conflict, notFound, refusal } from "../../../core/problem.ts";
import { writeDirectory } from "../../../core/write.ts";
import { nextUpdatedAt } from "../../../db/expect.ts";
import {
  deleteGrant,
  findGrant,
  type Grant,
  insertGrant,
  isSameGrant,
  isSameGrantOf,
  selectGrant,
  selectGrantOf,
  selectGrants,
  updateGrant,
} from "../../../directory/grants.ts";
import { grantOf } from "./grant.ts";
import type { GrantQuery } from "./query.ts";

/** A page of the grants of permissions to roles. */
export function listGrants({ directory }: Pick<Caller, "directory">, query: GrantQuery) {
  return readPage(directory, query, {
    select: (page) => selectGrants(directory, page),
    keysOf: ({ id }) => [id],
    itemOf: grantOf,
  });
}

/** One grant. */
export async function getGrant({ directory }: Pick<Caller, "directory">, id: string) {
  const grant = await findGrant(directory, id);
  if (!grant) throw unknownGrant(id);
  return grantOf(grant);
}

/** Grants a permission to a role. Returns the grant. */
export async function addGrant(caller: Caller, { roleId, permissionId }: Grant) {
  const id = crypto.randomUUID();
  const { answer } = await writeDirectory(
    caller,
    (directory) => [selectGrantOf(directory, { roleId, permissionId })],
    ([same]) => {
      if (same) {
        const message = `is granted to the role ${roleId} already`;
        throw refusal(409, [{ pointer: "/permissionId", code: "taken", message }]);
      }
      const now = Date.now();
      const row = { id, roleId, permissionId, createdAt: now, updatedAt: now };
      const made = grantOf(row);
      return {
        expect: [isSameGrantOf(row, undefined)],
        rows: [insertGrant(caller.directory, row)],
        audit: { action: "role-permission.create", companyId: null, objectId: id, before: null, after: made },
        answer: made,
      };
    },
  );
  return answer;
}

/** The permissions that these roles keep: without them nobody in a company could change its set-up any more. */
const kept: readonly string[] = ["set-up:read", "set-up:write"];
const keepers: readonly string[] = ["admin", "superadmin"];

/** Takes a permission from a role. */
export async function removeGrant(caller: Caller, id: string): Promise<void> {
  await writeDirectory(
    caller,
    (directory) => [selectGrant(directory, id)],
    ([before]) => {
      if (!before) throw unknownGrant(id);
      const { roleId, permissionId } = before;
      if (keepers.includes(roleId) && kept.includes(permissionId)) {
        throw conflict(`The role ${roleId} keeps ${permissionId}: nobody in a company could give its set-up back.`);
      }
      return {
        expect: [isSameGrant(before)],
        rows: [deleteGrant(caller.directory, id)],
        audit: { action: "role-permission.delete", companyId: null, objectId: id, before: grantOf(before), after: null },
        answer: undefined,
      };
    },
  );
}

/** Changes the role and the permission of a grant. */
export async function changeGrant(caller: Caller, id: string, { roleId, permissionId }: Grant): Promise<void> {
  const after = { roleId, permissionId };
  await writeDirectory(
    caller,
    (directory) => [selectGrant(directory, id), selectGrantOf(directory, after)],
    ([before], [same]) => {
      if (!before) throw unknownGrant(id);
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

function unknownGrant(id: string) {
  return notFound(`There is no grant ${id}.`);
}
