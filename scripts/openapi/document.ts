import { eventWebhooks } from "./events.ts";
import type { Schema } from "./schema.ts";

export interface Answer {
  content?: Record<string, { schema?: Schema }>;
}

export interface Operation {
  operationId: string;
  summary: string;
  parameters?: ({ $ref: string } | Parameter)[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> };
  responses: Record<string, { $ref: string } | Answer>;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: Schema;
  description?: string;
}

/** The OpenAPI document, with the members that these scripts read. */
export interface ApiDocument {
  /** By type of event. */
  webhooks: Record<string, object>;
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Answer>;
  };
}

/** The document that the service returns at `GET /openapi.json`, generated without starting the service. */
export async function apiDocument(): Promise<ApiDocument> {
  // Named in a way that the compiler does not follow: the service's code is compiled with its own runtime's globals.
  const [routerFile, describeFile] = ["../../src/router.ts", "../../src/http/openapi/describe-api.ts"];
  const { router } = await import(routerFile as string);
  const { describeApi } = await import(describeFile as string);
  return { ...describeApi(router), webhooks: eventWebhooks() };
}
