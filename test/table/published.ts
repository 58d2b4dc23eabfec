// All of zod: the plain name only has the parts that the service uses.
import { z } from "zod/v4";
import { router } from "../../src/router.ts";

/**
 * Types as the contract names them: string, number, integer, boolean, timestamp, map; a nullable one ends in `?`.
 * A list is an array of one.
 */
export type Shape = string | readonly [Shape] | { readonly [member: string]: Shape };

/** The schema that an operation publishes for its 200 answer; undefined if it has none. */
export function publishedSchema(method: string, path: string): z.ZodType | undefined {
  for (const definition of router.openAPIRegistry.definitions) {
    if (definition.type !== "route") continue;
    const { route } = definition;
    if (route.method.toUpperCase() !== method || route.path !== path) continue;
    const answer = route.responses[200];
    const content = answer && "content" in answer ? answer.content?.["application/json"] : undefined;
    if (content && "schema" in content && content.schema instanceof z.ZodType) return content.schema;
  }
  return undefined;
}

/** The same schema with objects that allow no other members. Throws on optional members. */
export function strictly(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(schema.shape as Record<string, z.ZodType>);
    return z.strictObject(Object.fromEntries(members.map(([name, member]) => [name, strictly(member)])));
  }
  if (schema instanceof z.ZodArray) return z.array(strictly(schema.element as z.ZodType));
  if (schema instanceof z.ZodNullable) return strictly(schema.unwrap() as z.ZodType).nullable();
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodUnion) throw new Error("a member that may be left out");
  return schema;
}

/** The values that a schema accepts, in the contract's words; nullable ones have a question mark, also around an object. */
export function shapeOf(schema: z.ZodType): Shape {
  if (schema instanceof z.ZodNullable) {
    const shape = shapeOf(schema.unwrap() as z.ZodType);
    return typeof shape === "string" ? `${shape}?` : shape;
  }
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(schema.shape as Record<string, z.ZodType>);
    return Object.fromEntries(members.map(([name, member]) => [name, shapeOf(member)]));
  }
  if (schema instanceof z.ZodArray) return [shapeOf(schema.element as z.ZodType)];
  if (schema instanceof z.ZodRecord) return "map";
  if (schema instanceof z.ZodISODateTime) return "timestamp";
  if (schema instanceof z.ZodNumber) return schema.format === "safeint" ? "integer" : "number";
  if (schema instanceof z.ZodBoolean || schema instanceof z.ZodLiteral) return "boolean";
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum || schema instanceof z.ZodStringFormat) return "string";
  throw new Error(`no word for ${schema.def.type}`);
}
