import { z } from "@hono/zod-openapi";
import { idParameter, text } from "../../../core/inputs.ts";
import { setUpAccess } from "../access.ts";
import { companyIdMember, type Resource, stampMembers, stampsOf } from "../resource.ts";
import { type OperatorRow, operatorTable } from "./queries.ts";

const members = {
  name: text(200).min(1).openapi({ example: "Ana Ruiz" }),
  code: text(100).min(1).openapi({ description: "The operator's number or badge, unique in the company", example: "O-17" }),
};

export const operators: Resource<OperatorRow> = {
  name: "Operator",
  names: "Operators",
  noun: "operator",
  nouns: "operators",
  path: "/v1/operators",
  description: "Who works at the machines. A deleted operator's code may be used again.",
  access: setUpAccess,
  table: operatorTable,
  example: { name: "Ana Ruiz", code: "O-17" },
  id: idParameter,
  item: z.object({ id: z.int(), companyId: companyIdMember, ...members, ...stampMembers }).openapi("Operator"),
  create: z.object(members),
  change: z.object(members).partial(),
  toItem(row) {
    const { id, companyId, name, code } = row;
    return { id, companyId, name, code, ...stampsOf(row) };
  },
};
