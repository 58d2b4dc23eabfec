import type { z } from "@hono/zod-openapi";
import type { ValidationTargets } from "hono";
import type { FaultCode } from "../core/fault-codes.ts";
import type { Fault } from "../core/problem.ts";
import { missing, usePlainMessages } from "./fault-messages.ts";
import { pointerOf } from "./members.ts";

usePlainMessages();

type Issue = z.core.$ZodIssue;

/** The prefix of JSON pointers into each part of the request. */
export const prefixes: Record<keyof ValidationTargets, string> = {
  json: "",
  form: "",
  query: "/query",
  param: "/path",
  header: "/header",
  cookie: "/cookie",
};

/** The faults that zod found in a part of the request. */
export function faultsOf(issues: readonly Issue[], target: keyof ValidationTargets): Fault[] {
  return issues.flatMap((issue) => faultsOfIssue(issue, prefixes[target]));
}

function faultsOfIssue(issue: Issue, prefix: string): Fault[] {
  const pointer = prefix + pointerOf(issue.path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => unknownMember(pointer + pointerOf([key])));
  }
  // `brokenRule` names a code of its own.
  const ownCode: FaultCode | undefined = issue.code === "custom" ? issue.params?.faultCode : undefined;
  return [{ pointer, code: issue.message === missing ? "required" : (ownCode ?? issue.code), message: issue.message }];
}

/** The fault of a member that the operation does not have. */
export function unknownMember(pointer: string): Fault {
  return { pointer, code: "unknown_member", message: "is unknown: this operation has no such member" };
}
