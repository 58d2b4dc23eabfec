import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { within } from "../../core/load.ts";
import { Problem } from "../../core/problem.ts";
import type { HonoEnv } from "../../http/env.ts";
import { open } from "../../http/permission.ts";
import { problemResponses, problemSchema } from "../../http/problem.ts";
import { logError } from "../../http/request-log.ts";
import { db } from "../../http/session.ts";
import { healthObject } from "../../machine/stub.ts";
import { isMigrated } from "./queries.ts";

const probeMs = 5000;
const readAgainAfterMs = 2000;

const part = z.enum(["ok", "failed"]);
const parts = z
  .object({
    code: z.enum(["ok", "behind", "unknown"]).openapi({
      description: "behind: the database lacks the newest migration that this version needs; unknown: it does not answer",
    }),
    database: part,
    objects: part.openapi({ description: "Those of the machines" }),
    pictures: part.openapi({ description: "The bucket that they are stored in" }),
  })
  .openapi("HealthParts");
type Parts = z.infer<typeof parts>;
const parkedRows = z.int().openapi({
  description: `Rows of machines that the database refused: reports lack them. The log tells of each once, as \`row_parked\`. They are tried again
when they change, and by \`npm run admin -- republish\``,
});

/** What was seen of the service. */
interface State {
  parts: Parts;
  parkedRows: number;
}

export const contract = createRoute({
  method: "get",
  path: "/health",
  operationId: "getHealth",
  tags: ["health"],
  summary: "Tell whether the service can do its work, and which part of it cannot",
  description: "Looks at most every 2 s, and answers what it saw last in between.",
  ...open(),
  responses: {
    ...problemResponses(400),
    200: {
      description: "All parts work",
      content: { "application/json": { schema: z.object({ status: z.literal("ok"), parts, parkedRows }) } },
    },
    503: {
      description: "A part does not",
      content: { "application/problem+json": { schema: problemSchema.extend({ parts: parts.optional() }).openapi("Unhealthy") } },
    },
  },
});

/** What was seen last, by the bindings that it was seen through. */
const seen = new WeakMap<Env, State & { at: number }>();

export const handler: RouteHandler<typeof contract> = async (c) => {
  const now = Date.now();
  const last = seen.get(c.env);
  const state = last && now - last.at < readAgainAfterMs ? last : { at: now, ...(await look(c)) };
  seen.set(c.env, state);
  const failed = Object.entries(state.parts).filter(([, is]) => is !== "ok");
  if (failed.length === 0) return c.json({ status: "ok" as const, parts: state.parts, parkedRows: state.parkedRows }, 200);
  const detail = `Not well: ${failed.map(([name, is]) => `${name} ${is}`).join(", ")}.`;
  throw new Problem(503, detail, { headers: { "retry-after": "5" }, members: { parts: state.parts } });
};

async function look(c: Context<HonoEnv>): Promise<State> {
  const database = db(c);
  /** Null for a part that fails, which the log explains. */
  const tried = async <T>(name: string, ask: () => Promise<T>) => {
    try {
      return await within(probeMs, name, ask());
    } catch (error) {
      logError(c, error as Error);
      return null;
    }
  };
  const [migrated, objects, pictures] = await Promise.all([
    tried("the database", () => isMigrated(database)),
    // An object of no machine answers as those of the machines do.
    tried("the object", async () => await healthObject(c.env).health()),
    tried("the bucket", () => c.env.THUMBNAILS.head("health").then(() => true)),
  ]);
  return {
    parts: {
      code: migrated === null ? "unknown" : migrated ? "ok" : "behind",
      database: migrated === null ? "failed" : "ok",
      objects: objects ? "ok" : "failed",
      pictures: pictures ? "ok" : "failed",
    },
    parkedRows: objects?.parkedRows ?? 0,
  };
}
