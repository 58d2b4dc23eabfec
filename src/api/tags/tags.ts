import { companyOf } from "../../core/actor.ts";
import type { Caller, Reader } from "../../core/caller.ts";
import { readPage } from "../../core/cursor.ts";
import { notFound } from "../../core/problem.ts";
import { selectCompany } from "../../core/queries.ts";
import { type Decision, write } from "../../core/write.ts";
import { nextUpdatedAt } from "../../db/expect.ts";
import {
  insertTag,
  isSameTag,
  isSameTagOfKey,
  selectTag,
  selectTagOfKey,
  selectTags,
  type TagRow,
  updateTag,
} from "./queries.ts";
import type { TagQuery } from "./query.ts";

/** The members of a tag that a caller sets. */
export type TagDefinition = Omit<TagRow, "id" | "tagValue" | "createdAt" | "updatedAt">;

/** A tag as responses show it. */
export type Tag = Omit<TagRow, "createdAt" | "updatedAt">;

/** A page of tags. */
export function listTags({ db, actor }: Reader, query: TagQuery) {
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  return readPage(db, query, {
    select: (page) => selectTags(db, { ...page, companyId }),
    keysOf: ({ subject, tagKey }) => [subject, tagKey],
    itemOf: (tag) => tag,
  });
}

/** Saves a tag: the one with this id, or the one with this subject and key if no id is given. */
export async function saveTagKey(
  caller: Caller,
  { id, ...definition }: TagDefinition & { id?: string | undefined },
): Promise<Tag> {
  return id === undefined ? await saveTag(caller, definition) : await changeTag(caller, id, definition);
}

/** Replaces the company's tag with this subject and key, or creates it. */
async function saveTag(caller: Caller, definition: TagDefinition): Promise<Tag> {
  refuseOthers(caller, definition);
  const { answer } = await write(
    caller,
    (db) => [selectCompany(db, definition.companyId), selectTagOfKey(db, definition)],
    ([company], [before]) => {
      if (!company) throw noCompany(definition);
      return { ...savedAs(caller, before, definition), expect: [isSameTagOfKey(definition, before)] };
    },
  );
  return answer;
}

/** Replaces the company's tag with this id. */
async function changeTag(caller: Caller, id: string, definition: TagDefinition): Promise<Tag> {
  refuseOthers(caller, definition);
  const { answer } = await write(
    caller,
    (db) => [selectTag(db, definition.companyId, id)],
    ([before]) => {
      if (!before) throw notFound(`There is no tag ${id} in company ${definition.companyId}.`);
      // The unique index refuses a subject and key that another tag has.
      return { ...savedAs(caller, before, definition), expect: [isSameTag(before)] };
    },
  );
  return answer;
}

function savedAs({ db }: Caller, before: TagRow | undefined, definition: TagDefinition): Decision<Tag> {
  const now = Date.now();
  const { id, tagValue, createdAt } = before ?? { id: crypto.randomUUID(), tagValue: "", createdAt: now };
  const next = { ...definition, id, tagValue, createdAt, updatedAt: before ? nextUpdatedAt(before) : now };
  return {
    rows: [before ? updateTag(db, next) : insertTag(db, next)],
    audit: {
      action: "tag.save",
      companyId: definition.companyId,
      objectId: id,
      before: before ? shown(before) : null,
      after: shown(next),
    },
    answer: shown(next),
  };
}

function shown({ id, companyId, sort, subject, tagKey, tagValue, description, color, isDefault }: TagRow): Tag {
  return { id, companyId, sort, subject, tagKey, tagValue, description, color, isDefault };
}

/** Throws if the company is not the caller's. */
function refuseOthers({ actor }: Caller, definition: TagDefinition): void {
  const own = companyOf(actor);
  if (own !== undefined && own !== definition.companyId) throw noCompany(definition);
}

function noCompany({ companyId }: TagDefinition) {
  return notFound(`There is no company ${companyId}.`);
}
