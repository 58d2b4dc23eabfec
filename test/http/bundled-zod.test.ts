import { z } from "@hono/zod-openapi";
import { expect, it } from "vitest";
import * as zod from "../../node_modules/zod/index.js";
import * as bundled from "../../src/http/bundled-zod.ts";

it("is made of zod's own parts, and is what the service and its libraries get", () => {
  const { z: _, iso, coerce, ...parts } = bundled;
  const whole: Record<string, unknown> = { ...zod };
  for (const [name, part] of Object.entries(parts)) expect(part, name).toBe(whole[name]);
  expect([iso.datetime, coerce.number]).toEqual([zod.iso.datetime, zod.coerce.number]);
  expect("locales" in z).toBe(false);
  expect(z.iso.datetime().safeParse("no").error?.issues[0]?.message).toBe("Invalid ISO datetime");
});
