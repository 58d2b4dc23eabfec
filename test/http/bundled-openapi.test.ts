import type { z } from "@hono/zod-openapi";
import { expect, it } from "vitest";
import * as bundled from "../../src/http/bundled-openapi.ts";

it("leaves schemas as they are, and makes no document", () => {
  const ZodType = class {};
  bundled.extendZodWithOpenApi({ ZodType: ZodType });
  const schema = new ZodType() as z.ZodType;
  expect(schema.openapi("Name", { description: "said to nobody" })).toBe(schema);
  const registry = new bundled.OpenAPIRegistry();
  expect([registry.register("Name", schema), registry.registerPath(), registry.definitions]).toEqual([schema, undefined, []]);
  expect(() => new bundled.OpenApiGeneratorV31().generateDocument()).toThrow("when the service is built");
  expect(bundled.createToJSONSchemaMethod()).toThrow("when the service is built");
});
