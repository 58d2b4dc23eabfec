import { type RouteConfig, z } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import type { HonoEnv } from "./env.ts";

// A POST of /v1 that creates an object answers 201 with its address, also when the request is repeated.

const locationHeader = z.object({
  location: z.string().openapi({ description: "Where it can be read", example: "/v1/machines/7" }),
});

/** The 201 of what was created, for `responses` of a contract; the handler answers with `created`. */
export function createdAnswer<S extends z.ZodType, H extends z.ZodRawShape>(
  schema: S,
  description: string,
  headers?: z.ZodObject<H>,
) {
  return {
    description,
    headers: headers ? headers.extend(locationHeader.shape) : locationHeader,
    content: { "application/json": { schema } },
  };
}

/** Records the path below which an operation creates objects, for its answer and for repeats; null if it creates none. */
export function notesCreation({ path, responses }: RouteConfig): MiddlewareHandler<HonoEnv> | null {
  if (!(201 in responses)) return null;
  // The collection is the path without the parts about its owner or the kind of upload: `/v1/help-calls` of `/v1/machines/{id}/help-calls`,
  // `/v1/operator-plans` of `/v1/operator-plans/csv`.
  const collection = path
    .replace(/\/[^/]+\/\{\w+\}/, "")
    .split("/")
    .slice(0, path.startsWith("/v1/books/") ? 4 : 3)
    .join("/");
  return async (c, next) => {
    c.set("createsIn", collection);
    await next();
  };
}

/** Answers 201 with the created object. */
export function created<E extends HonoEnv, T extends { id?: unknown }>(c: Context<E>, item: T) {
  return c.json(item, 201, { location: locationOf(c as unknown as Context<HonoEnv>, item) });
}

/** The address of a created object. */
export function locationOf(c: Context<HonoEnv>, { id, companyId }: { id?: unknown; companyId?: unknown }): string {
  // Some ids are only unique within a company, and without a company a superuser's own is used.
  const isElsewhere = typeof companyId === "number" && companyId !== c.get("actor")?.companyId;
  return `${c.get("createsIn")}/${encodeURIComponent(String(id))}${isElsewhere ? `?companyId=${companyId}` : ""}`;
}
