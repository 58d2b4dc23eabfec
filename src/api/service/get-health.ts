import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { companyKinds, type Kind, sharedKinds } from "../../core/retention.ts";
import { service } from "../../http/openapi/service.ts";
import { open } from "../../http/permission.ts";
import { problemResponses, problemSchema } from "../../http/problem.ts";
import { logError } from "../../http/request-log.ts";
import { visitorOf } from "../../http/session.ts";
import { checkHealth } from "./health.ts";

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
const parkedRows = z.int().openapi({
  description: `Rows of machines that the database refused: reports lack them. Each is logged once, as \`row_parked\`. They are tried again
when they change, and by \`npm run admin -- republish\``,
});

const degradedMachines = z.int().openapi({
  description: `Machines whose periodic work fails (\`isDegraded\` in their state): reports lack their newest numbers. Each failure is logged
as \`alarm_failed\`, and the work is retried until it succeeds, at least every 30 minutes`,
});

const unreadableRows = z.int().openapi({
  description: `Rows in the objects of machines that cannot be read: numbers lack what they said, and the machines are marked (\`isDegraded\` in their
state). Each is logged once, as \`row_unreadable\`. Rows of events are no longer counted when the events of their time are forgotten; the others, until \`npm run admin
-- republish\``,
});

const version = answerText.openapi({ description: "Version of the service", example: "0.1.0" });

const silentMachines = z.int().openapi({
  description: `Machines whose periodic work does not run: reports still showed a shift of theirs as running 15 minutes after its end. A job looks for them every
ten minutes and calls them, at most 1,000: 1,000 means that there may be more`,
});

const unansweredMachines = z.int().openapi({
  description:
    "Machines that did not answer when they were last called: each is called once a day, which restarts its periodic work",
});

const databasePercent = z
  .int()
  .nullable()
  .openapi({ description: "How full the database is, of `DATABASE_LIMIT_BYTES`, at which it refuses writes; null: unknown" });

const isDatabaseFilling = z.boolean().openapi({
  description: "True from 60 % on. From 80 % on there are no new companies, from 98 % on nothing can be changed",
});

const hours = z.int();
const retentionHoursBehind = z
  .object(Object.fromEntries([...companyKinds, ...sharedKinds].map((kind) => [kind, hours])) as Record<Kind, typeof hours>)
  .nullable()
  .openapi({
    description: `By how many hours the oldest data of each kind are older than the period for which they are kept (\`docs/operations.md\`, Retention). A job deletes
them every ten minutes: a number that grows says that it does not run, or cannot keep up. null: unknown`,
  });

const encryptionKey = z.enum(["ok", "lost", "unknown"]).openapi({
  description: `lost: secrets in the database were encrypted with a key that the service does not have. \`GET /v1/setup/check\` lists those of a company,
and what to do`,
});

const missingKeys = z.array(answerText).openapi({
  description:
    "The ids of the keys that secrets in the database were encrypted with and that are neither `ENCRYPTION_KEY` nor `ENCRYPTION_KEY_PREVIOUS`",
  example: [],
});

export const contract = createRoute({
  method: "get",
  path: "/health",
  operationId: "getHealth",
  tags: ["health"],
  summary: "Check whether the service works, and which part of it does not",
  description: "Checks at most every 2 s; in between it answers with the last state.",
  ...open(),
  responses: {
    ...problemResponses(400),
    200: {
      description: "All parts work",
      content: {
        "application/json": {
          schema: z.object({
            status: z.literal("ok"),
            version,
            parts,
            parkedRows,
            degradedMachines,
            unreadableRows,
            silentMachines,
            unansweredMachines,
            databasePercent,
            isDatabaseFilling,
            retentionHoursBehind,
            encryptionKey,
            missingKeys,
          }),
        },
      },
    },
    503: {
      description: "A part does not",
      content: { "application/problem+json": { schema: problemSchema.extend({ parts: parts.optional() }).openapi("Unhealthy") } },
    },
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const health = await checkHealth(visitorOf(c), (error) => logError(c, error));
  return c.json({ status: "ok" as const, version: service.version, ...health }, 200);
};
