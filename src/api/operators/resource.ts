import { z } from "@hono/zod-openapi";
import { idParameter, nameText, text } from "../../core/inputs.ts";
import { pinText } from "../../core/pin-rule.ts";
import { companyIdMember, type Resource, setUpAccess, stampMembers, stampsOf } from "../../resource/resource.ts";
import { type OperatorRow, operatorTable } from "./queries.ts";
import { concernAllMachines, removeOperator } from "./rules.ts";

const members = {
  name: nameText(200).openapi({ example: "Ana Ruiz" }),
  code: nameText(100).openapi({ description: "The operator's number or badge, unique in the company", example: "O-17" }),
};

/** What is written and never shown. */
const secret = {
  pin: pinText.nullable().openapi({
    description:
      "Write only. 4 to 8 digits, with which the operator signs in at a terminal; null: none. Two operators may have the same PIN",
  }),
};

const hasPin = z
  .boolean()
  .openapi({ description: "Whether the operator has a PIN: a paired terminal then requires it, or the badge" });

export const operators: Resource<OperatorRow> = {
  names: { type: "Operator", types: "Operators", noun: "operator", nouns: "operators" },
  path: "/v1/operators",
  filters: {
    code: text(100).optional().openapi({
      description: "The operator with this code. Takes `operator-names:read` or `operators:sign-in`",
      example: "O-17",
    }),
  },
  description:
    "People who work at the machines. One who is deleted is signed out at all machines, loses the PIN, and plans no longer credit them. Their code can be used again.",
  access: { ...setUpAccess, machines: { list: "company" } },
  table: operatorTable,
  members: {
    id: idParameter,
    item: z.object({ id: z.int(), companyId: companyIdMember, ...members, hasPin, ...stampMembers }).openapi("Operator"),
    create: z.object({ ...members, pin: secret.pin.default(null) }),
    change: z.object({ ...members, ...secret }).partial(),
    example: { name: "Ana Ruiz", code: "O-17" },
  },
  shape: {
    item(row) {
      const { id, companyId, name, code, pinHash } = row;
      return { id, companyId, name, code, hasPin: pinHash !== null, ...stampsOf(row) };
    },
  },
  watched: "set-up",
  rules: { remove: removeOperator, restore: concernAllMachines },
};
