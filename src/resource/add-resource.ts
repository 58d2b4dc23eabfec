import type { OpenAPIHono } from "@hono/zod-openapi";
import { created } from "../http/created.ts";
import type { HonoEnv } from "../http/env.ts";
import { answerList } from "../http/lists.ts";
import { callerOf } from "../http/session.ts";
import {
  changeContract,
  createContract,
  deleteContract,
  getContract,
  listContract,
  listVersionsContract,
  restoreContract,
  withdrawVersionContract,
} from "./contracts.ts";
import type { DryRun } from "./dry-run.ts";
import { changeItem, createItem, deleteItem, getItem, listItems, listVersions, restoreItem, withdrawVersion } from "./items.ts";
import type { SetUpRow } from "./queries.ts";
import type { Resource } from "./resource.ts";

/**
 * Adds the operations of a resource to the app.
 * @param options.without operations that have files of their own
 */
export function addResource<Row extends SetUpRow>(
  app: OpenAPIHono<HonoEnv>,
  resource: Resource<Row>,
  { without = [] }: { without?: ("list" | "create" | "change")[] } = {},
): void {
  if (!without.includes("list")) {
    const list = listContract(resource);
    app.openapi(list, (c) => answerList(c, list, (query) => listItems(callerOf(c), resource, query)));
  }
  app.openapi(getContract(resource), async (c) => {
    const named = { ...c.req.valid("param"), ...c.req.valid("query") };
    return c.json(await getItem(callerOf(c), resource, named), 200);
  });
  if (!without.includes("create")) {
    app.openapi(createContract(resource), async (c) => {
      const body = c.req.valid("json");
      const item = await createItem(callerOf(c), resource, body);
      return body.dryRun === true ? c.json({ dryRun: item.dryRun as DryRun }, 200) : created(c, item);
    });
  }
  if (!without.includes("change")) {
    app.openapi(changeContract(resource), async (c) => {
      const named = { ...c.req.valid("param"), ...c.req.valid("query"), ...c.req.valid("header") };
      return c.json(await changeItem(callerOf(c), resource, named, c.req.valid("json")), 200);
    });
  }
  if (resource.versioned) addVersions(app, resource);
  app.openapi(deleteContract(resource), async (c) => {
    const named = { ...c.req.valid("param"), ...c.req.valid("query"), ...c.req.valid("header") };
    const tried = await deleteItem(callerOf(c), resource, named);
    return tried ? c.json(tried, 200) : c.body(null, 204);
  });
  if (resource.rules.restore) {
    app.openapi(restoreContract(resource), async (c) => {
      const named = { ...c.req.valid("param"), ...c.req.valid("query") };
      return c.json(await restoreItem(callerOf(c), resource, named), 200);
    });
  }
}

function addVersions<Row extends SetUpRow>(app: OpenAPIHono<HonoEnv>, resource: Resource<Row>): void {
  const list = listVersionsContract(resource);
  app.openapi(list, (c) => {
    const named = { ...c.req.valid("param"), companyId: c.req.valid("query").companyId };
    return answerList(c, list, (query) => listVersions(callerOf(c), resource, named, query));
  });
  app.openapi(withdrawVersionContract(resource), async (c) => {
    const tried = await withdrawVersion(callerOf(c), resource, { ...c.req.valid("param"), ...c.req.valid("query") });
    return tried ? c.json(tried, 200) : c.body(null, 204);
  });
}
