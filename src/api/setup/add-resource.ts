import type { OpenAPIHono } from "@hono/zod-openapi";
import type { HonoEnv } from "../../http/env.ts";
import { changeItem } from "./change-item.ts";
import { contractsOf } from "./contracts.ts";
import { createItem } from "./create-item.ts";
import { deleteItem } from "./delete-item.ts";
import { getItem } from "./get-item.ts";
import { listItems } from "./list-items.ts";
import type { SetUpRow } from "./queries.ts";
import type { Resource } from "./resource.ts";

/** Adds the five operations of a resource. */
export function addResource<Row extends SetUpRow>(app: OpenAPIHono<HonoEnv>, resource: Resource<Row>): void {
  const { list, get, create, change, remove } = contractsOf(resource);
  app.openapi(list, async (c) => c.json(await listItems(c, resource, c.req.valid("query")), 200));
  app.openapi(get, async (c) => {
    const { id } = c.req.valid("param");
    return c.json(await getItem(c, resource, id, c.req.valid("query").companyId), 200);
  });
  app.openapi(create, async (c) => c.json(await createItem(c, resource, c.req.valid("json")), 200));
  app.openapi(change, async (c) => {
    const { id } = c.req.valid("param");
    return c.json(await changeItem(c, resource, id, c.req.valid("query").companyId, c.req.valid("json")), 200);
  });
  app.openapi(remove, async (c) => {
    const { id } = c.req.valid("param");
    await deleteItem(c, resource, id, c.req.valid("query").companyId);
    return c.body(null, 204);
  });
}
