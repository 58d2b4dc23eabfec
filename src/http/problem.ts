import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { codesOf, faultCodes } from "../core/fault-codes.ts";
import type { Problem, ProblemStatus } from "../core/problem.ts";
import { quotaNames } from "../core/quotas.ts";
import type { HonoEnv } from "./env.ts";

/** All kinds of problems: one kind and title per status. */
const kinds = {
  400: { kind: "invalid-request", title: "The request is not valid" },
  401: { kind: "unauthenticated", title: "Sign in first" },
  403: { kind: "forbidden", title: "Not allowed" },
  404: { kind: "not-found", title: "Not found" },
  405: { kind: "method-not-allowed", title: "The path does not allow this method" },
  408: { kind: "too-slow", title: "The body did not arrive in time" },
  409: { kind: "conflict", title: "Conflict with the present state" },
  410: { kind: "gone", title: "Not kept any more" },
  412: { kind: "precondition-failed", title: "The precondition does not hold" },
  413: { kind: "payload-too-large", title: "The body is too large" },
  415: { kind: "unsupported-media-type", title: "The body's content type or encoding is not supported" },
  429: { kind: "too-many-requests", title: "Too many requests" },
  500: { kind: "internal-error", title: "Internal error" },
  503: { kind: "unavailable", title: "Unavailable for the moment" },
} as const satisfies Record<ProblemStatus, { kind: string; title: string }>;

/**
 * The problems that every operation can answer: an unsupported header or member, too many requests, a failure, an overload; and, for operations
 * with a body, that it arrived too slowly or has an unknown encoding.
 */
const commonStatuses = [400, 429, 500, 503] as const;
type CommonStatus<S> = (typeof commonStatuses)[number] | (413 extends S ? 408 | 415 : never);

/** The RFC 9457 answer for a problem. */
export function problemResponse(c: Context<HonoEnv>, problem: Problem): Response {
  const { kind, title } = kinds[problem.status];
  const { errors, headers, members } = problem.extras;
  const body = {
    type: `urn:andon:problem:${kind}`,
    title,
    status: problem.status,
    detail: problem.detail,
    instance: c.req.path,
    requestId: c.var.requestId,
    ...(errors && { errors }),
    ...members,
  };
  return c.body(JSON.stringify(body), problem.status, { "content-type": "application/problem+json", ...headers });
}

/** The shape of every refusal. */
export const problemSchema = z
  .object({
    type: z.string().openapi({ example: "urn:andon:problem:invalid-request" }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().openapi({ description: "Path of the request" }),
    requestId: z.string(),
    quota: z
      .object({ name: z.enum(quotaNames), used: z.int(), limit: z.int() })
      .optional()
      .openapi({ description: "Of a 409: the quota that the request would have exceeded" }),
    errors: z.array(z.object({ pointer: z.string(), code: z.enum(codesOf(faultCodes)), message: z.string() })).optional(),
  })
  .openapi("Problem");

type ProblemContent = {
  description: string;
  content: { "application/problem+json": { schema: typeof problemSchema; example: z.input<typeof problemSchema> } };
};

/** The `responses` entries of createRoute for these statuses and for those that every operation can answer. */
export function problemResponses<S extends ProblemStatus>(...statuses: S[]): Record<S | CommonStatus<S>, ProblemContent> {
  const ofBodies = statuses.some((status) => status === 413) ? ([408, 415] as const) : [];
  const entries = [...statuses, ...ofBodies, ...commonStatuses].map((status) => [status, contents[status]]);
  return Object.fromEntries(entries) as Record<S | CommonStatus<S>, ProblemContent>;
}

/** The entry of `problemResponses` for each status. */
const contents = Object.fromEntries(
  (Object.keys(kinds).map(Number) as ProblemStatus[]).map((status) => {
    const content = { "application/problem+json": { schema: problemSchema, example: exampleOf(status) } };
    return [status, { description: kinds[status].title, content }];
  }),
) as Record<ProblemStatus, ProblemContent>;

function exampleOf(status: ProblemStatus): z.input<typeof problemSchema> {
  const { kind, title } = kinds[status];
  const head = { type: `urn:andon:problem:${kind}`, title, status };
  const tail = { instance: "/v1/public/reports/metrics", requestId: "5f0f7c86-7f0c-4c5a-8a55-3a6f6d1b9d10" };
  if (status !== 400) return { ...head, detail: `${title}.`, ...tail };
  const fault = { pointer: "/pageSize", code: "too_big" as const, message: "must be at most 1000" };
  return { ...head, detail: `${fault.pointer}: ${fault.message}`, ...tail, errors: [fault] };
}
