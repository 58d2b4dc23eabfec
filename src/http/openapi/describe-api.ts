import type { OpenAPIHono } from "@hono/zod-openapi";
import type { HonoEnv } from "../env.ts";
import { ignoresMembers } from "../validation.ts";
import { about } from "./about.ts";
import { headers, parameters, securitySchemes } from "./shared-parts.ts";

/** An OpenAPI 3.1 document. */
export type ApiDocument = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;
type Operation = NonNullable<NonNullable<ApiDocument["paths"]>[string]["get"]>;
type Answer = Exclude<NonNullable<Operation["responses"]>[string], { $ref: string }>;

type Body = NonNullable<Operation["requestBody"]>;
type BodySchema = NonNullable<NonNullable<ApiDocument["components"]>["schemas"]>[string];

const methods = ["get", "post", "put", "patch", "delete"] as const;

/** The document of all operations of an app: their contracts, and the headers and answers that every operation has. */
export function describeApi(app: OpenAPIHono<HonoEnv>): ApiDocument {
  const { webhooks: _, ...document } = app.getOpenAPI31Document(about);
  const refusals: Record<string, Answer> = {};
  const bodies: Record<string, BodySchema> = {};
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => {
    const described = methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [[method, describeOperation(path, operation, refusals, bodies)] as const] : [];
    });
    return [path, Object.fromEntries(described)] as const;
  });
  const schemas = { ...document.components?.schemas, ...bodies };
  const components = { ...document.components, schemas, securitySchemes, parameters, headers, responses: refusals };
  return { ...document, paths: Object.fromEntries(paths), components };
}

/**
 * An operation with its roles and the headers of every answer. Problem responses are shared components; the schemas of bodies are
 * components of their own, so that programs that are made from the document have names for them.
 */
function describeOperation(
  path: string,
  operation: Operation,
  refusals: Record<string, Answer>,
  bodies: Record<string, BodySchema>,
): Operation {
  const {
    "x-idempotent": isIdempotent,
    "x-for-people": _forPeople,
    "x-counts": counts,
    "x-machines": _machines,
    requestBody: body,
    ...described
  } = operation;
  const answers = Object.entries(operation.responses ?? {}).map(([status, answer]) => {
    const full = withHeaders(answer, status, isDone(status) && body !== undefined && ignoresMembers(path));
    if (!isRefusal(answer)) return [status, full] as const;
    const name = `Problem${status}`;
    const shared = refusals[name] ?? full;
    refusals[name] = shared;
    return [status, shared.description === full.description ? { $ref: `#/components/responses/${name}` } : full] as const;
  });
  const sent = [operation.security?.length && "Bookmark", isIdempotent && "IdempotencyKey"].flatMap((name) => name || []);
  const refs = sent.map((name) => ({ $ref: `#/components/parameters/${name}` }));
  return {
    ...described,
    description: [operation.description, counts && freshness, accessOf(operation)].filter(Boolean).join("\n\n"),
    ...((refs.length > 0 || operation.parameters) && { parameters: [...(operation.parameters ?? []), ...refs] }),
    ...(body && { requestBody: withNames(ignoresMembers(path) ? body : closed(body), operation.operationId ?? "", bodies) }),
    responses: Object.fromEntries(answers),
  };
}

/** The note on operations that query machines before they read (`counts`). */
const freshness =
  "**How old:** numbers of running shifts and orders are at most 15 seconds old. Of a machine that does not answer, they are as it last sent them.";

/** A request body whose object schema is a component, named after the operation. */
function withNames(body: Body, operationId: string, bodies: Record<string, BodySchema>): Body {
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Body`;
  const content = Object.entries(("content" in body && body.content) || {}).map(([type, media]) => {
    const { schema } = media;
    if (!schema || "$ref" in schema || schema.type !== "object") return [type, media] as const;
    bodies[name] = schema;
    return [type, { ...media, schema: { $ref: `#/components/schemas/${name}` } }] as const;
  });
  return { ...body, content: Object.fromEntries(content) } as Body;
}

function accessOf({
  "x-roles": roles = [],
  "x-permission": permission,
  "x-for-people": isForPeople,
  "x-machines": machines,
}: Operation): string {
  const people = isForPeople ? " Not with an API token." : machines ? " Also paired terminals, for their machines." : "";
  if (permission) return `**Who may call:** users whose role is granted \`${permission}\`, and superusers.${people}`;
  return roles.length > 0 ? `**Who may call:** ${roles.join(", ")}.${people}` : "**Who may call:** anyone, without a token.";
}

function isRefusal(answer: Answer): boolean {
  const schema = answer.content?.["application/problem+json"]?.schema;
  return schema !== undefined && "$ref" in schema && schema.$ref === "#/components/schemas/Problem";
}

function isDone(status: string): boolean {
  return status.startsWith("2");
}

/** A schema whose objects allow no additional properties, as the operation refuses them. */
function closed<T>(part: T): T {
  if (Array.isArray(part)) return part.map(closed) as T;
  if (typeof part !== "object" || part === null) return part;
  const members = Object.fromEntries(
    Object.entries(part).map(([name, one]) => [name, name === "example" ? one : closed(one)]),
  ) as T & { type?: unknown; properties?: unknown };
  const isClosed = members.type === "object" && typeof members.properties === "object";
  return isClosed ? { ...members, additionalProperties: false } : members;
}

function withHeaders(answer: Answer, status: string, mayIgnore: boolean): Answer {
  const names = ["x-request-id", "x-d1-bookmark", "ratelimit-policy", "ratelimit"];
  if (status === "401") names.push("www-authenticate");
  if (status === "429" || status === "503") names.push("retry-after");
  if (mayIgnore) names.push("x-ignored-members");
  const added = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return { ...answer, headers: { ...answer.headers, ...Object.fromEntries(added) } };
}
