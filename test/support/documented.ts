import { type Schema, Validator } from "@cfworker/json-schema";
import { describeApi } from "../../src/http/openapi/describe-api.ts";
import { router } from "../../src/router.ts";
import type { Answer } from "./answer.ts";

// Checks the service against its own document, which must describe every answer that a test gets.

interface Documented {
  content?: Record<string, { schema: Schema }>;
}

interface DescribedOperation {
  operationId: string;
  responses: Record<string, Documented & { $ref?: string }>;
}

interface Document {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Documented> };
}

const open: Document = JSON.parse(JSON.stringify(describeApi(router)));
// Answers must contain what the document describes and nothing more, so its objects are closed.
const document = closed(open) as Document;
const validators = new Map<string, Validator>();
const routes = Object.entries(document.paths)
  .map(([path, item]) => ({ pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`), item, path }))
  .sort((a, b) => a.path.split("{").length - b.path.split("{").length);

/** Throws if the document does not describe such an answer to such a request. */
export function expectDocumented(method: string, target: string, { status, headers, body }: Answer): void {
  const path = target.replace(/\?.*/, "");
  const operation = routes.find(({ pattern, item }) => pattern.test(path) && item[method.toLowerCase()])?.item[
    method.toLowerCase()
  ];
  if (!operation) return;
  const name = `${operation.operationId} ${status}`;
  const known = operation.responses[status];
  if (!known) throw new Error(`${name} is not documented: ${JSON.stringify(body)}`);
  const { content } = known.$ref ? (document.components.responses[known.$ref.split("/").at(-1) ?? ""] ?? {}) : known;
  const type = headers.get("content-type")?.replace(/;.*/, "");
  if (!content && body === null) return;
  const schema = type && content?.[type]?.schema;
  if (!schema) throw new Error(`${name} is documented as ${Object.keys(content ?? {}).join(", ") || "empty"}, and was ${type}`);
  if (!/[/+]json/.test(type)) return;
  const validator = validators.get(name) ?? validatorOf(schema);
  validators.set(name, validator);
  const { valid, errors } = validator.validate(body);
  if (!valid) throw new Error(`${name} is not as documented: ${JSON.stringify(errors)} in ${JSON.stringify(body)}`);
}

/** A validator that only knows the schemas that this one refers to: compiling all schemas of the document would take long. */
function validatorOf(schema: Schema): Validator {
  const schemas: Record<string, Schema> = {};
  const add = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    for (const [member, value] of Object.entries(part)) {
      const name = member === "$ref" ? String(value).split("/").at(-1) : undefined;
      const known = name === undefined ? undefined : document.components.schemas[name];
      if (name !== undefined && known && !(name in schemas)) {
        schemas[name] = known;
        add(known);
      } else add(value);
    }
  };
  add(schema);
  return new Validator({ ...schema, components: { schemas } } as Schema, "2020-12");
}

/** Returns a copy in which every object schema with named members allows no others. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== "object" || part === null) return part;
  if ("allOf" in part && Array.isArray(part.allOf)) return closed(merged(part.allOf));
  const members = Object.fromEntries(Object.entries(part).map(([name, one]) => [name, closed(one)]));
  const isObject = members.type === "object" && typeof members.properties === "object";
  return isObject ? { additionalProperties: false, ...members } : members;
}

/** Merges the parts of an extended object schema into one: if each were closed by itself, it would reject the members of the others. */
function merged(parts: Schema[]): Schema {
  const schemas = parts.map((part) => (part.$ref ? (open.components.schemas[part.$ref.split("/").at(-1) ?? ""] ?? {}) : part));
  return {
    type: "object",
    properties: Object.assign({}, ...schemas.map(({ properties }) => properties)),
    required: schemas.flatMap(({ required = [] }) => required),
  };
}
