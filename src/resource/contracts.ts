import { createRoute, z } from "@hono/zod-openapi";
import { paged } from "../core/cursor.ts";
import { flagText, idParameter, instant, searchText, text } from "../core/inputs.ts";
import { refusing } from "../core/references.ts";
import { createdAnswer } from "../http/created.ts";
import { ifUnchanged, itemTaggedHeaders } from "../http/etag.ts";
import { listAnswer } from "../http/lists.ts";
import { allowPermission, allowRoles } from "../http/permission.ts";
import { problemResponses } from "../http/problem.ts";
import { dryRunMember } from "./dry-run.ts";
import { MOST_VERSIONS, timelineMember, versionMember } from "./item-versions.ts";
import { dryRunFlag, effectiveMembers } from "./plan-change.ts";
import { areCompanies, isNumbered, type SetUpRow } from "./queries.ts";
import type { Access, Resource } from "./resource.ts";

const json = <S extends z.ZodType>(schema: S) => ({ "application/json": { schema } });

const companyId = idParameter.optional().openapi({ description: "The company; only superusers name another one than their own" });
const ofCompany = z.object({ companyId });
const includeDeleted = flagText.default(false).openapi({ description: "Whether deleted ones are included" });

const tried = ofCompany.extend({
  dryRun: flagText.default(false).openapi({ description: "Only find out what it would do: nothing is changed" }),
});
const triedAnswer = {
  description: "With `dryRun`: what it would do",
  content: json(z.object({ dryRun: dryRunMember })),
};
/** The answer to a dry run, where one is possible. Handlers of all resources are typed as if it was. */
const triedIf = (isPossible: unknown) => (isPossible ? { 200: triedAnswer } : {}) as { 200: typeof triedAnswer };

const at = instant.optional().openapi({ description: "The instant whose set-up is asked for" });
const dated =
  "With `effectiveFrom`, the change holds from that instant on: of the past, whose numbers are computed again, or ahead, so that the item stays as it is until then. ";

const ownCompany = z.int().min(1).optional().openapi({
  description: "The company it will belong to: your own by default; only superusers may name another one",
});

export function listContract<Row extends SetUpRow>(resource: Resource<Row>) {
  const { names, path, description, access, table, members, filters = {}, searched } = resource;
  const search = searched && {
    search: searchText.openapi({
      description: `Those that have each of these words, or parts of words, in ${searched.join(" or ")}. The case of A to Z does not matter`,
    }),
  };
  const key = z.tuple([isNumbered(table) ? z.int() : text(100)]);
  return createRoute({
    method: "get",
    path,
    operationId: `list${names.types}`,
    tags: [names.nouns],
    summary: `List ${names.nouns}`,
    description: `${description} Sorted by id.`,
    ...allowPermission(access.read, { machines: access.machines?.list }),
    request: { query: paged(key).extend({ companyId, includeDeleted, ...filters, ...search }) },
    responses: {
      200: listAnswer(members.item, `A page of ${names.nouns}`),
      ...problemResponses(400, 401, 403, 404, 503),
    },
  });
}

export function getContract<Row extends SetUpRow>({ names, path, access, members, versioned }: Resource<Row>) {
  return createRoute({
    method: "get",
    path: `${path}/{id}`,
    operationId: `get${names.type}`,
    tags: [names.nouns],
    summary: `Get ${withArticle(names.noun)}`,
    ...allowPermission(access.read, { machines: access.machines?.get }),
    ...(versioned && {
      description: "With `at`, the members that have versions are those in force then; the others are as they are now.",
    }),
    request: {
      headers: ifUnchanged,
      params: z.object({ id: members.id }),
      query: versioned ? ofCompany.extend({ at }) : ofCompany,
    },
    responses: {
      200: { description: `The ${names.noun}`, headers: itemTaggedHeaders, content: json(members.item) },
      ...problemResponses(400, 401, 403, 404, 412, 503),
    },
  });
}

/** @param answer the schema of the response, if it has more than the item */
export function createContract<Row extends SetUpRow>(
  { names, path, description, access, table, members, inSetUp, versioned }: Resource<Row>,
  answer: z.ZodObject = members.item,
) {
  const own = areCompanies(table) ? members.create : members.create.extend({ companyId: ownCompany });
  // What has versions holds from its creation on, so there is nothing to try.
  const isTryable = inSetUp && !versioned;
  const schema = isTryable ? own.extend({ dryRun: dryRunFlag.optional() }) : own;
  return createRoute({
    method: "post",
    path,
    operationId: `create${names.type}`,
    tags: [names.nouns],
    summary: `Create ${withArticle(names.noun)}`,
    description: `${description} Honours an Idempotency-Key.`,
    ...allowMakers(access),
    request: {
      body: { required: true, content: { "application/json": { schema, example: members.example } } },
    },
    responses: {
      ...triedIf(isTryable),
      201: createdAnswer(answer, `The new ${names.noun}`, itemTaggedHeaders),
      ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
    },
  });
}

export function changeContract<Row extends SetUpRow>({ names, path, access, members, versioned, inSetUp }: Resource<Row>) {
  const change = versioned ? members.change.extend(z.object(effectiveMembers).partial().shape) : members.change;
  const answer = versioned ? members.item.extend({ timeline: timelineMember.optional() }) : members.item;
  return createRoute({
    method: "patch",
    path: `${path}/{id}`,
    operationId: `change${names.type}`,
    tags: [names.nouns],
    summary: `Change ${withArticle(names.noun)}`,
    description: `Omitted members keep their values; a list replaces the previous one. ${versioned ? dated : ""}Honours an Idempotency-Key.`,
    ...allowPermission(access.write, writing(access)),
    request: {
      headers: ifUnchanged,
      params: z.object({ id: members.id }),
      query: ofCompany,
      body: {
        required: true,
        content: json(inSetUp ? change.extend({ dryRun: dryRunFlag.optional() }) : change),
      },
    },
    responses: {
      200: {
        description: `The ${names.noun} as changed`,
        headers: itemTaggedHeaders,
        content: json(inSetUp ? answer.extend({ dryRun: dryRunMember.optional() }) : answer),
      },
      ...problemResponses(400, 401, 403, 404, 409, 412, 413, 415, 503),
    },
  });
}

export function deleteContract<Row extends SetUpRow>({ names, path, access, members, inSetUp, versioned }: Resource<Row>) {
  const isTryable = inSetUp && !versioned;
  return createRoute({
    method: "delete",
    path: `${path}/{id}`,
    operationId: `delete${names.type}`,
    tags: [names.nouns],
    summary: `Delete ${withArticle(names.noun)}`,
    description: `${refusedWhile(names.noun)}Honours an Idempotency-Key.`,
    ...allowMakers(access),
    request: { headers: ifUnchanged, params: z.object({ id: members.id }), query: isTryable ? tried : ofCompany },
    responses: {
      ...triedIf(isTryable),
      204: { description: "Deleted" },
      ...problemResponses(400, 401, 403, 404, 409, 412, 503),
    },
  });
}

export function restoreContract<Row extends SetUpRow>({ names, path, access, members }: Resource<Row>) {
  return createRoute({
    method: "post",
    path: `${path}/{id}/restore`,
    operationId: `restore${names.type}`,
    tags: [names.nouns],
    summary: `Restore ${withArticle(names.noun)}`,
    description: `Brings back what was deleted, as it was then. It counts from now on; the time in between stays as it is. What is not deleted stays as it is.
Refused (409) if something else has taken its place, or if what it needs is deleted: restore that first. Honours an Idempotency-Key.`,
    ...allowMakers(access),
    request: { params: z.object({ id: members.id }), query: ofCompany },
    responses: {
      200: { description: `The restored ${names.noun}`, content: json(members.item) },
      ...problemResponses(400, 401, 403, 404, 409, 503),
    },
  });
}

export function listVersionsContract<Row extends SetUpRow>({ names, path, access, members }: Resource<Row>) {
  return createRoute({
    method: "get",
    path: `${path}/{id}/versions`,
    operationId: `list${names.type}Versions`,
    tags: [names.nouns],
    summary: `List the versions of ${withArticle(names.noun)}`,
    description: `What the members that numbers depend on were, are, and will be: the newest ${MOST_VERSIONS}, the one recorded last first. Of
versions of the same time, the one recorded last holds.`,
    ...allowPermission(access.read),
    request: { params: z.object({ id: members.id }), query: paged(z.tuple([z.int()])).extend({ companyId }) },
    responses: {
      200: listAnswer(versionMember, "A page of versions"),
      ...problemResponses(400, 401, 403, 404, 503),
    },
  });
}

export function withdrawVersionContract<Row extends SetUpRow>({ names, path, access, members, inSetUp }: Resource<Row>) {
  return createRoute({
    method: "delete",
    path: `${path}/{id}/versions/{versionId}`,
    operationId: `withdraw${names.type}Version`,
    tags: [names.nouns],
    summary: `Withdraw a version of ${withArticle(names.noun)}`,
    description:
      "Only one that somebody dated. What it covered holds again, also in the past, whose numbers are computed again. Honours an Idempotency-Key.",
    ...allowPermission(access.write, writing(access)),
    request: { params: z.object({ id: members.id, versionId: idParameter }), query: inSetUp ? tried : ofCompany },
    responses: {
      ...triedIf(inSetUp),
      204: { description: "Withdrawn" },
      ...problemResponses(400, 401, 403, 404, 409, 503),
    },
  });
}

/** When deleting is refused, as the description of the operation says it. */
function refusedWhile(noun: string): string {
  const users = refusing(noun).map(({ from, member }) => `${withArticle(from)} (\`${member}\`)`);
  if (users.length === 0) return "";
  return `Refused (409) while something needs it, which \`errors\` lists: ${users.join(", ")}. `;
}

function allowMakers(access: Access) {
  const { write, makers } = access;
  return makers ? allowRoles(makers, writing(access)) : allowPermission(write, writing(access));
}

function writing({ isForPeople = false }: Access) {
  return { isIdempotent: true, isForPeople };
}

function withArticle(noun: string): string {
  return /^[AEIOaeio]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}
