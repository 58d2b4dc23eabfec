import { createRoute, z } from "@hono/zod-openapi";
import { listOf, paged } from "../../core/cursor.ts";
import { flagText, idParameter, text } from "../../core/inputs.ts";
import { problemResponses } from "../../http/problem.ts";
import type { SetUpRow } from "./queries.ts";
import type { Resource } from "./resource.ts";

const json = <S extends z.ZodType>(schema: S) => ({ "application/json": { schema } });

const companyId = idParameter.optional().openapi({ description: "Whose; for superusers, all others have their own" });
const ofCompany = z.object({ companyId });
const includeDeleted = flagText.default(false).openapi({ description: "Whether deleted ones are listed too" });

const ownCompany = z.int().min(1).optional().openapi({
  description: "Whose it is to be: the own company when left out; another one for superusers alone",
});

/** The contracts of a resource's five operations. */
export function contractsOf<Row extends SetUpRow>(resource: Resource<Row>) {
  const { name, names, noun, nouns, path, description, access, id, item, create, change, example } = resource;
  const tags = [nouns];
  const key = z.tuple([resource.table.newId ? text(100) : z.int()]);
  const created = resource.isCompany ? create : create.extend({ companyId: ownCompany });
  const one = { params: z.object({ id }), query: ofCompany };
  return {
    list: createRoute({
      method: "get",
      path,
      operationId: `list${names}`,
      tags,
      summary: `List ${nouns}`,
      description: `${description} In the order of their ids.`,
      ...access.read,
      request: { query: paged(key).extend({ companyId, includeDeleted }) },
      responses: {
        200: { description: "A page", content: json(listOf(item)) },
        ...problemResponses(400, 401, 403, 404, 503),
      },
    }),
    get: createRoute({
      method: "get",
      path: `${path}/{id}`,
      operationId: `get${name}`,
      tags,
      summary: `Get one of the ${nouns}`,
      ...access.read,
      request: one,
      responses: {
        200: { description: `The ${noun}`, content: json(item) },
        ...problemResponses(400, 401, 403, 404, 503),
      },
    }),
    create: createRoute({
      method: "post",
      path,
      operationId: `create${name}`,
      tags,
      summary: `Create a ${noun}`,
      description: `${description} Honours an Idempotency-Key.`,
      ...access.create,
      request: { body: { required: true, content: { "application/json": { schema: created, example } } } },
      responses: {
        200: { description: `The new ${noun}`, content: json(resource.createdItem ?? item) },
        ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
      },
    }),
    change: createRoute({
      method: "patch",
      path: `${path}/{id}`,
      operationId: `change${name}`,
      tags,
      summary: `Change a ${noun}`,
      description: "What is left out stays as it is; a list that is sent replaces the one before. Honours an Idempotency-Key.",
      ...access.change,
      request: { ...one, body: { required: true, content: json(change) } },
      responses: {
        200: { description: `The ${noun} as changed`, content: json(item) },
        ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
      },
    }),
    remove: createRoute({
      method: "delete",
      path: `${path}/{id}`,
      operationId: `delete${name}`,
      tags,
      summary: `Delete a ${noun}`,
      description: "Honours an Idempotency-Key.",
      ...access.remove,
      request: one,
      responses: { 204: { description: "Deleted" }, ...problemResponses(400, 401, 403, 404, 409, 503) },
    }),
  };
}
