import { companyOf } from "../../../core/actor.ts";
import type { Caller, Reader } from "../../../core/caller.ts";
import { isGranted } from "../../../core/permissions.ts";
import { forbidden, notFound } from "../../../core/problem.ts";
import { write } from "../../../core/write.ts";
import { nextUpdatedAt } from "../../../db/expect.ts";
import { userConfigOf } from "./config.ts";
import {
  type ConfigOwner,
  type ConfigRow,
  deleteConfigOf,
  insertConfig,
  isSameConfig,
  selectConfig,
  selectMember,
  updateConfig,
} from "./queries.ts";

/** The caller's own config; an empty one if there is none. */
export async function getConfig({ db, actor }: Reader) {
  const [config] = await selectConfig(db, actor);
  return userConfigOf(actor, config);
}

/** Replaces the caller's own config. Returns the stored row. */
export async function saveConfig(caller: Caller, config: ConfigRow["config"]): Promise<ConfigRow> {
  const { userId, companyId } = caller.actor;
  const owner = { userId, companyId };
  const { answer } = await write(
    caller,
    (db) => [selectConfig(db, owner)],
    ([before]) => {
      if (before && JSON.stringify(before.config) === JSON.stringify(config)) return { answer: before };
      const now = Date.now();
      const next = before
        ? { ...before, config, updatedAt: nextUpdatedAt(before, now) }
        : { ...owner, config, createdAt: now, updatedAt: now };
      return {
        expect: [isSameConfig(owner, before)],
        rows: [before ? updateConfig(caller.db, next) : insertConfig(caller.db, next)],
        audit: {
          action: "config.save",
          companyId,
          objectId: userId,
          before: before ? lengthOf(before.config) : null,
          after: lengthOf(config),
        },
        answer: next,
      };
    },
  );
  return answer;
}

/** Deletes a user's config if there is one. Deleting another user's config needs the permission `configs:manage`. */
export async function deleteConfig(caller: Caller, owner: ConfigOwner): Promise<void> {
  const { actor } = caller;
  const { userId, companyId } = owner;
  const noUser = notFound(`There is no user ${userId} in company ${companyId}.`);
  const own = companyOf(actor);
  if (own !== undefined && own !== companyId) throw noUser;
  if (userId !== actor.userId && !(await isGranted(caller, actor.role, "configs:manage"))) {
    throw forbidden(`The role ${actor.role} may only delete its own user's config.`);
  }
  await write(
    caller,
    (db) => [selectMember(db, owner), selectConfig(db, owner)],
    ([member], [config]) => {
      if (!member) throw noUser;
      if (!config) return { answer: undefined };
      return {
        expect: [isSameConfig(owner, config)],
        rows: [deleteConfigOf(caller.db, owner)],
        audit: { action: "config.delete", companyId, objectId: userId, before: lengthOf(config.config), after: null },
        answer: undefined,
      };
    },
  );
}

/** The part of a config that the audit records: only its length, because its content is private to the user. */
function lengthOf(config: ConfigRow["config"]) {
  return { characters: JSON.stringify(config).length };
}
