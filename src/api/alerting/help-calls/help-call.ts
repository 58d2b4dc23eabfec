import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { namedRef } from "../../../core/refs.ts";
import { isoOf } from "../../../oee/time.ts";
import type { HelpCallRow } from "./queries.ts";

const timestamp = z.iso.datetime();

/** A call for help at a machine. */
export const helpCall = z
  .object({
    id: z.int(),
    machine: namedRef,
    message: answerText.nullable().openapi({ description: "What help is needed with; null: not given" }),
    calledAt: timestamp,
    calledBy: namedRef.openapi({
      description: "The user who called; at a paired terminal with the name of its operators, or of the terminal",
    }),
    answeredAt: timestamp.nullable().openapi({ description: "Null: the call is open" }),
    answeredBy: namedRef.nullable().openapi({ description: "The user who answered; null: the call is open" }),
  })
  .openapi("HelpCall");

export type HelpCall = z.infer<typeof helpCall>;

export function helpCallOf(row: HelpCallRow): HelpCall {
  const { id, machineId, machineName, message, calledBy, calledByName, createdAt, answeredAt, answeredBy, answeredByName } = row;
  return {
    id,
    machine: { name: machineName, id: machineId },
    message,
    calledAt: isoOf(createdAt),
    calledBy: { name: calledByName, id: calledBy },
    answeredAt: isoOf(answeredAt),
    answeredBy: answeredBy === null ? null : { name: answeredByName ?? "", id: answeredBy },
  };
}
