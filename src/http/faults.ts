import type { z } from "@hono/zod-openapi";
import type { ValidationTargets } from "hono";
import type { Fault } from "./problem.ts";

type Issue = z.core.$ZodIssue;

const prefixes: Record<keyof ValidationTargets, string> = {
  json: "",
  form: "",
  query: "/query",
  param: "/path",
  header: "/header",
  cookie: "/cookie",
};

/** The faults that zod found in a part of the request, each named by JSON pointer. */
export function faultsOf(issues: readonly Issue[], target: keyof ValidationTargets): Fault[] {
  return issues.flatMap((issue) => faultsOfIssue(issue, prefixes[target]));
}

function faultsOfIssue(issue: Issue, prefix: string): Fault[] {
  const pointer = prefix + pointerOf(issue.path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      pointer: pointer + pointerOf([key]),
      code: "unknown_member",
      message: "is not known here",
    }));
  }
  // zod parses what is left out as undefined.
  if (issue.code === "invalid_type" && issue.message.endsWith("received undefined")) {
    return [{ pointer, code: "required", message: "is required" }];
  }
  return [{ pointer, code: issue.code, message: issue.message }];
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
