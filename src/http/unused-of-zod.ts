/**
 * Takes the place of the parts of zod that the Worker has no use for: `[alias]` in wrangler.toml puts it there when the Worker is built. They
 * cannot be left out otherwise, because `@hono/zod-openapi` takes zod as a whole: 50 KiB of what is uploaded.
 *
 * A build fails if what imports these parts needs a name that is missing here.
 */
const unused = undefined;

export {
  unused as compile,
  unused as fromJSONSchema,
  unused as INVALID,
  unused as withParser,
  unused as ZodCompileAsyncError,
  unused as ZodCompileUnsupportedError,
};
