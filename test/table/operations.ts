import { describeApi } from "../../src/http/openapi/describe-api.ts";
import { router } from "../../src/router.ts";
import type { OperationId } from "./requests.ts";

// The service's operations as described by its OpenAPI document.

const methods = ["get", "post", "put", "patch", "delete"] as const;

/** A schema of the document: JSON Schema 2020-12. */
export type Schema = Record<string, unknown>;

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: Schema;
}

export interface Operation {
  id: OperationId;
  method: string;
  /** With its parameters in braces. */
  path: string;
  /** Roles of users, and `gateway`; empty if a permission decides, or nothing does. */
  roles: readonly string[];
  permission: string | undefined;
  parameters: readonly Parameter[];
  /** Schema and example of the request's body, by content type. */
  content: Record<string, { schema: Schema; example?: unknown }>;
  statuses: readonly number[];
  /** Whether it makes machines send the data that it reads, unless they did so a moment ago. */
  asksMachines: boolean;
}

interface Described {
  description: string;
  operationId: OperationId;
  "x-roles"?: string[];
  "x-permission"?: string;
  parameters?: (Parameter & { $ref?: string })[];
  requestBody?: { content: Operation["content"] };
  responses: Record<string, unknown>;
}

interface Document {
  paths: Record<string, Partial<Record<(typeof methods)[number], Described>>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

/** The document as clients receive it. */
export const document: Document = JSON.parse(JSON.stringify(describeApi(router)));

/** What only a service without users does. Its tests are in test/api/access/claim.test.ts. */
const withoutUsers = ["POST /v1/claim"];

/** All other operations, in the order of the document. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  methods.flatMap((method) => {
    const described = item[method];
    const isOther = !withoutUsers.includes(`${method.toUpperCase()} ${path}`);
    return described && isOther ? [operationOf(method.toUpperCase(), path, described)] : [];
  }),
);

export const operationById = new Map(operations.map((operation) => [operation.id, operation]));

function operationOf(method: string, path: string, described: Described): Operation {
  const parameters = (described.parameters ?? []).map((one) => {
    return one.$ref ? (document.components.parameters[one.$ref.split("/").at(-1) ?? ""] ?? one) : one;
  });
  return {
    id: described.operationId,
    method,
    path,
    roles: described["x-roles"] ?? [],
    permission: described["x-permission"],
    parameters,
    content: described.requestBody?.content ?? {},
    statuses: Object.keys(described.responses).map(Number),
    asksMachines: described.description.includes("**How old:**"),
  };
}

const readsByPost: readonly OperationId[] = ["getMetricReport", "getStopReport", "getStopMetrics", "tryAlertRule"];
/** GET operations that store their first answer. */
const writesByGet: readonly OperationId[] = ["getWebhookSecret"];

export function isRead({ id, method }: Operation): boolean {
  return (method === "GET" && !writesByGet.includes(id)) || readsByPost.includes(id);
}
