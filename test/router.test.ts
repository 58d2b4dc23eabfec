import { describe, expect, it } from "vitest";
import { pagePaths } from "../src/http/pages.ts";
import { router } from "../src/router.ts";
import { additions, contract } from "./table/contract.ts";

const routes = router.openAPIRegistry.definitions.flatMap((definition) => (definition.type === "route" ? definition.route : []));
const nameOf = ({ method, path }: { method: string; path: string }) => `${method.toUpperCase()} ${path}`;

describe("the router", () => {
  it("has the contract's operations and the later ones, each once, and nothing else", () => {
    const wanted = [...contract.map(([, method, path]) => `${method} ${path}`), ...additions];
    expect(routes.map(nameOf).sort()).toEqual(wanted.sort());
    // The routes that answer, except the described ones.
    const answering = router.routes
      .filter(({ method, path }) => method !== "ALL" && path !== "/*")
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)(\{[^}]*\})?/g, "{$1}")}`);
    const pages = [
      ...pagePaths.map(({ path }) => `GET ${path}`),
      ...["GET", "POST"].map((method) => `${method} /reports/leave/{token}`),
    ];
    expect([...new Set(answering)].sort()).toEqual([...wanted, ...pages].sort());
  });

  it.each(contract)("%s %s %s is for the roles of the contract", (_, method, path, access) => {
    const route = routes.find((one) => nameOf(one) === `${method} ${path}`) as Record<string, unknown> | undefined;
    const security = access === "open" ? [] : [{ bearer: [] }];
    if (access === "open") expect([route?.security, route?.["x-roles"]]).toEqual([security, undefined]);
    else if (typeof access === "string") {
      expect([route?.security, route?.["x-roles"], route?.["x-permission"]]).toEqual([security, [], access]);
    } else {
      expect([route?.security, route?.["x-permission"]]).toEqual([security, undefined]);
      expect(new Set(route?.["x-roles"] as string[])).toEqual(new Set(access));
    }
  });
});
