// What stands in the bundle, by alias, for what makes documents of schemas: the OpenAPI generator, and zod's own of JSON schemas.
// The document is made when the service is built (`npm run assets`), so the Worker neither carries nor runs them.

/** Takes what a router registers and forgets it. */
export class OpenAPIRegistry {
  readonly definitions: readonly object[] = [];

  register<S>(_name: string, schema: S): S {
    return schema;
  }

  registerPath(): void {}
}

/** Lets schemas be described, to no effect: a description changes nothing of what is checked. */
export function extendZodWithOpenApi({ ZodType }: { ZodType: { prototype: object } }): void {
  Object.assign(ZodType.prototype, {
    openapi<S>(this: S): S {
      return this;
    },
  });
}

function refuse(): never {
  throw new Error("Documents are made when the service is built, not by the Worker.");
}

export class OpenApiGeneratorV3 {
  readonly generateDocument = refuse;
}
export { OpenApiGeneratorV3 as OpenApiGeneratorV31 };
export const getOpenApiMetadata = refuse;
export const createToJSONSchemaMethod = () => refuse;
export const createStandardJSONSchemaMethod = () => refuse;
