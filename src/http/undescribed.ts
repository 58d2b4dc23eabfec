import type { z as Zod } from "zod";

/**
 * Replaces `@asteasolutions/zod-to-openapi` in the Worker (`[alias]` in wrangler.toml). What contracts say with `.openapi(...)` is only for the
 * OpenAPI document. `npm run assets` makes that with the real library, and the Worker serves the file.
 *
 * A build fails if `@hono/zod-openapi` needs a name that is missing here.
 */
export class OpenAPIRegistry {
  readonly definitions: readonly never[] = [];
  registerPath(): void {}
  register(_name: string, schema: unknown): unknown {
    return schema;
  }
}

/** Adds `.openapi(...)` to schemas, which does not change them. */
export function extendZodWithOpenApi(z: typeof Zod): void {
  Object.assign(z.ZodType.prototype, {
    openapi(this: unknown) {
      return this;
    },
  });
}

const unused = undefined;

export { unused as getOpenApiMetadata, unused as OpenApiGeneratorV3, unused as OpenApiGeneratorV31 };
