import { z } from "@hono/zod-openapi";
import { idParameter, nameText } from "../../../core/inputs.ts";
import { companyIdMember, type Resource, setUpAccess, stampMembers, stampsOf } from "../../../resource/resource.ts";
import { noRule } from "../../../resource/rules.ts";
import { type LineRow, lineTable } from "./queries.ts";

const name = nameText(200).openapi({ example: "Line 1", description: "Unique in the company" });
const order = z
  .int()
  .min(-1_000_000)
  .max(1_000_000)
  .openapi({ description: "Its position among the company's lines: lowest first, lines with the same number by name" });

export const lines: Resource<LineRow> = {
  names: { type: "Line", types: "Lines", noun: "line", nouns: "lines" },
  path: "/v1/lines",
  description: `Groups of machines, for filtering and grouping in reports. A machine is in one line or none (its \`lineId\`). What a machine did
before it joined a line counts for the line, too.`,
  access: setUpAccess,
  table: lineTable,
  members: {
    id: idParameter,
    item: z.object({ id: z.int(), companyId: companyIdMember, name, order, ...stampMembers }).openapi("Line"),
    create: z.object({ name, order: order.default(0) }),
    change: z.object({ name, order }).partial(),
    example: { name: "Line 1", order: 1 },
  },
  shape: { item: (row) => ({ id: row.id, companyId: row.companyId, name: row.name, order: row.order, ...stampsOf(row) }) },
  watched: "set-up",
  rules: { restore: noRule },
};
