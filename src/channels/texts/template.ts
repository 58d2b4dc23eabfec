import { isoOf } from "../../oee/time.ts";
import type { AlertParams } from "./kinds.ts";

/** The variables that a rule's own text may use, in braces: `{machine} is down`. */
const variables = {
  rule: ({ ruleName }) => ruleName,
  machine: ({ machineName }) => machineName,
  line: ({ lineName }) => lineName,
  minutes: ({ minutes }) => minutes,
  cause: ({ cause }) => cause,
  message: ({ message }) => message ?? null,
  value: ({ value }) => value,
  threshold: ({ threshold }) => threshold,
  since: ({ since }, time) => (time ? time(since) : isoOf(since)),
} satisfies Record<string, (params: AlertParams, time?: (at: number) => string) => string | number | null>;

type Variable = keyof typeof variables;

const named = /\{([^{}]*)\}/g;

/** The names in a text's braces that are not variables. A text with such a name must not be saved. */
export function unknownVariables(template: string): string[] {
  return [...template.matchAll(named)].map(([, name = ""]) => name).filter((name) => !Object.hasOwn(variables, name));
}

/** A rule's own text with its variables filled in; values that an alert lacks become a dash. */
export function fillTemplate(template: string, params: AlertParams, time?: (at: number) => string): string {
  return template.replace(named, (whole, name: Variable) =>
    Object.hasOwn(variables, name) ? String(variables[name](params, time) ?? "–") : whole,
  );
}
