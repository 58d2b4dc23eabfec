import { z } from "@hono/zod-openapi";
import { idParameter, nameText, text } from "../../core/inputs.ts";
import { companyIdMember, type Resource, setUpAccess, stampMembers, stampsOf } from "../../resource/resource.ts";
import { type OperatorRow, operatorTable } from "./queries.ts";
import { concernAllMachines } from "./rules.ts";

const members = {
  name: nameText(200).openapi({ example: "Ana Ruiz" }),
  code: nameText(100).openapi({ description: "The operator's number or badge, unique in the company", example: "O-17" }),
};

export const operators: Resource<OperatorRow> = {
  names: { type: "Operator", types: "Operators", noun: "operator", nouns: "operators" },
  path: "/v1/operators",
  filters: { code: text(100).optional().openapi({ description: "The operator with this code", example: "O-17" }) },
  description:
    "People who work at the machines. One who is deleted is signed out at all machines, and plans no longer credit them. Their code can be used again.",
  access: { ...setUpAccess, machines: { list: "company" } },
  table: operatorTable,
  members: {
    id: idParameter,
    item: z.object({ id: z.int(), companyId: companyIdMember, ...members, ...stampMembers }).openapi("Operator"),
    create: z.object(members),
    change: z.object(members).partial(),
    example: { name: "Ana Ruiz", code: "O-17" },
  },
  shape: { item: (row) => ({ id: row.id, companyId: row.companyId, name: row.name, code: row.code, ...stampsOf(row) }) },
  watched: "set-up",
  rules: { remove: concernAllMachines, restore: concernAllMachines },
};
