import type { z as Zod } from "zod";

/**
 * Takes the place of `@asteasolutions/zod-to-openapi` in the Worker: `[alias]` in wrangler.toml puts it there when the Worker is built. What
 * contracts say with `.openapi(...)` is for the OpenAPI document, which `npm run assets` makes; the Worker sends that file and needs none of it.
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

/** Lets schemas say `.openapi(...)`, which changes nothing of them. */
export function extendZodWithOpenApi(z: typeof Zod): void {
  Object.assign(z.ZodType.prototype, {
    openapi(this: unknown) {
      return this;
    },
  });
}

const unused = undefined;

export { unused as getOpenApiMetadata, unused as OpenApiGeneratorV3, unused as OpenApiGeneratorV31 };
