import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import type { Answer, ApiDocument, Operation, Parameter } from "./document.ts";
import type { Schema } from "./schema.ts";

const root = resolve(import.meta.dirname, "../..");
/** The file with the client's types. */
export const typesFile = join(root, "src/client/api.d.ts");

const head = "// Made by `npm run client` from the OpenAPI document. For openapi-fetch: createClient<paths>({ baseUrl }).\n";
const kinds = { string: "string", number: "number", integer: "number", boolean: "boolean", null: "null", array: "", object: "" };

/** The TypeScript types of the document's paths, operations and schemas, as text. */
export function clientTypes(document: ApiDocument): string {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const methods = Object.entries(item).map(([method, { operationId }]) => `${method}: operations["${operationId}"];`);
    return `"${path}": ${block(methods)};`;
  });
  const described = operations.map((one) => `${comment(one.summary)}${one.operationId}: ${operationType(document, one)};`);
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => `${name}: ${typeOf(schema)};`);
  const answers = Object.entries(document.components.responses).map(([name, answer]) => `${name}: ${answerType(answer)};`);
  const parts = [
    `export interface paths ${block(paths)}`,
    `export interface operations ${block(described)}`,
    `export interface components ${block([`schemas: ${block(schemas)};`, `responses: ${block(answers)};`])}`,
  ];
  return formatted(`${head}\n${parts.join("\n\n")}\n`);
}

function formatted(text: string): string {
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  return execFileSync(process.execPath, [biome, "format", `--stdin-file-path=${typesFile}`], {
    cwd: root,
    input: text,
    encoding: "utf8",
  });
}

function operationType(document: ApiDocument, { parameters = [], requestBody, responses }: Operation): string {
  const known = parameters.flatMap((one) => ("$ref" in one ? (document.components.parameters[lastPart(one.$ref)] ?? []) : one));
  const places = (["path", "query", "header"] as const).flatMap((place) => {
    const members = known.filter((one) => one.in === place);
    if (members.length === 0) return [];
    return `${place}${members.some(({ required }) => required) ? "" : "?"}: ${block(members.map(parameterType))};`;
  });
  const answers = Object.entries(responses).map(([status, one]) => `${status}: ${answerType(one)};`);
  return block([
    ...(places.length > 0 ? [`parameters: ${block(places)};`] : []),
    ...(requestBody ? [`requestBody${requestBody.required ? "" : "?"}: { ${contentType(requestBody)} };`] : []),
    `responses: ${block(answers)};`,
  ]);
}

function parameterType({ name, required, schema, description }: Parameter): string {
  return `${comment(description)}"${name}"${required ? "" : "?"}: ${typeOf(schema)};`;
}

function answerType(answer: { $ref: string } | Answer): string {
  if ("$ref" in answer) return `components["responses"]["${lastPart(answer.$ref)}"]`;
  return block(["headers: Record<string, string>;", contentType(answer)]);
}

function contentType({ content }: Answer): string {
  if (!content) return "content?: never;";
  const media = Object.entries(content).map(([type, { schema }]) => `"${type}": ${schema ? typeOf(schema) : "unknown"};`);
  return `content: ${block(media)};`;
}

function typeOf(schema: Schema): string {
  const { $ref, enum: values, oneOf, anyOf, allOf } = schema;
  if ($ref) return `components["schemas"]["${lastPart($ref)}"]`;
  if ("const" in schema) return JSON.stringify(schema.const);
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  const choices = oneOf ?? anyOf;
  if (choices) return choices.map(typeOf).join(" | ");
  if (allOf) return allOf.map((one) => `(${typeOf(one)})`).join(" & ");
  const types = [schema.type ?? []].flat();
  return types.length === 0 ? "unknown" : types.map((type) => typeOfKind(schema, type)).join(" | ");
}

function typeOfKind(schema: Schema, type: string): string {
  if (type === "array") return `(${schema.items ? typeOf(schema.items) : "unknown"})[]`;
  if (type === "object") return objectType(schema);
  if (schema.format === "binary") return "Blob";
  return kinds[type as keyof typeof kinds] ?? "unknown";
}

function objectType({ properties = {}, required = [], additionalProperties: others }: Schema): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    return `${comment(schema.description)}"${name}"${required.includes(name) ? "" : "?"}: ${typeOf(schema)};`;
  });
  if (typeof others === "object" && members.length === 0) return `Record<string, ${typeOf(others)}>`;
  if (others === undefined && members.length === 0) return "Record<string, unknown>";
  return block(members);
}

function lastPart(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

function block(lines: string[]): string {
  return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n}`;
}

function comment(text: string | undefined): string {
  return text ? `/** ${text.replaceAll("*/", "* /").replaceAll(/\s*\n\s*/g, " ")} */\n` : "";
}
