import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { router } from "../../src/router.ts";

/** The service's entry point with changed bindings: `call(method, path, { via: serviceWith({ DB_0 }) })`. */
export const serviceWith = (changes: Partial<Env>) => async (request: Request) =>
  router.fetch(request, { ...env, ...changes }, createExecutionContext());

/** A binding with some methods replaced; all others stay as they are. */
export function changed<T extends object>(binding: T, methods: { [M in keyof T]?: unknown }): T {
  return new Proxy(binding, {
    get(target, name) {
      if (name in methods) return methods[name as keyof T];
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
