import type { z } from "@hono/zod-openapi";

/** The parts of a zod schema's definition that name its members. */
interface Definition {
  type: string;
  shape?: Record<string, z.ZodType>;
  catchall?: z.ZodType;
  element?: z.ZodType;
  valueType?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  options?: readonly z.ZodType[];
  discriminator?: string;
  /** Of a literal. */
  values?: readonly unknown[];
}

/**
 * JSON pointers of the members of a value, at any depth, that a schema would drop silently. Maps accept every member, and strict objects
 * refuse unknown ones themselves, so neither adds to the list.
 */
export function unknownMembers(schema: z.ZodType | undefined, value: unknown): string[] {
  if (!schema || typeof value !== "object" || value === null) return [];
  const definition = schema.def as unknown as Definition;
  switch (definition.type) {
    case "object":
      return inObject(definition, value);
    case "array":
      return Array.isArray(value) ? inEntries(value, () => definition.element) : [];
    case "record":
      return inEntries(value, () => definition.valueType);
    case "union":
      return inUnion(definition, value);
    case "pipe":
      // A preprocessing step has no members; the schema after it does.
      return unknownMembers(definition.in?.def.type === "transform" ? definition.out : definition.in, value);
    default:
      return unknownMembers(definition.innerType, value);
  }
}

/** The JSON pointer of a path. */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** @param schemaOf the schema of a member, by its name */
function inEntries(value: object, schemaOf: (name: string) => z.ZodType | undefined): string[] {
  return Object.entries(value).flatMap(([name, one]) =>
    unknownMembers(schemaOf(name), one).map((pointer) => pointerOf([name]) + pointer),
  );
}

function inObject({ shape = {}, catchall }: Definition, value: object): string[] {
  if (Array.isArray(value)) return [];
  const isKnown = (name: string) => catchall !== undefined || Object.hasOwn(shape, name);
  const unknown = Object.keys(value).filter((name) => !isKnown(name));
  const schemaOf = (name: string) => (Object.hasOwn(shape, name) ? shape[name] : undefined);
  return [...unknown.map((name) => pointerOf([name])), ...inEntries(value, schemaOf)];
}

/** A member is unknown to a union if none of the matching options has it. */
function inUnion({ options = [], discriminator }: Definition, value: object): string[] {
  const kind = discriminator === undefined ? undefined : (value as Record<string, unknown>)[discriminator];
  const candidates = options.filter((option) => discriminator === undefined || isOfKind(option, discriminator, kind));
  const [first = [], ...others] = candidates.map((option) => unknownMembers(option, value));
  return first.filter((pointer) => others.every((pointers) => pointers.includes(pointer)));
}

function isOfKind(option: z.ZodType, discriminator: string, kind: unknown): boolean {
  const { shape } = option.def as unknown as Definition;
  const literal = shape?.[discriminator]?.def as unknown as Definition | undefined;
  return literal?.values?.includes(kind) ?? false;
}
