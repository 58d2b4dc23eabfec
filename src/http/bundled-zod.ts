import { number } from "../../node_modules/zod/v4/classic/coerce.js";
import { datetime } from "../../node_modules/zod/v4/classic/iso.js";

// What `zod` is in the bundle and in tests (by alias): the parts that the service uses, and what it may soon. All of zod,
// with its messages in fifty languages, would be two fifths of the upload. Whoever misses a part adds it here.

export {
  any,
  array,
  boolean,
  discriminatedUnion,
  email,
  enum,
  instanceof,
  int,
  lazy,
  literal,
  looseObject,
  null,
  nullable,
  number,
  object,
  optional,
  preprocess,
  record,
  strictObject,
  string,
  tuple,
  union,
  unknown,
  url,
  uuid,
  ZodType,
} from "../../node_modules/zod/v4/classic/schemas.js";
export { NEVER } from "../../node_modules/zod/v4/core/index.js";
export const coerce = { number };
export const iso = { datetime };
export * as z from "./bundled-zod.ts";
