import { z } from "@hono/zod-openapi";
import { idParameter, nameText } from "../../../core/inputs.ts";
import { companyIdMember, type Resource, setUpAccess, stampMembers, stampsOf } from "../../../resource/resource.ts";
import { noRule } from "../../../resource/rules.ts";
import { type DefectReasonRow, defectReasonTable } from "./queries.ts";

const name = nameText(200).openapi({ example: "Scratch", description: "Unique in the company" });

export const defectReasons: Resource<DefectReasonRow> = {
  names: { type: "DefectReason", types: "DefectReasons", noun: "defect reason", nouns: "defect reasons" },
  path: "/v1/defect-reasons",
  description: `Why units are rejected. Corrections name one; \`GET /v1/summary?groupBy=defectReason\` sums up their defects. A reason that is
deleted stays with the corrections that name it.`,
  access: { ...setUpAccess, machines: { list: "company" } },
  table: defectReasonTable,
  members: {
    id: idParameter,
    item: z.object({ id: z.int(), companyId: companyIdMember, name, ...stampMembers }).openapi("DefectReason"),
    create: z.object({ name }),
    change: z.object({ name }).partial(),
    example: { name: "Scratch" },
  },
  shape: { item: (row) => ({ id: row.id, companyId: row.companyId, name: row.name, ...stampsOf(row) }) },
  watched: "set-up",
  rules: { restore: noRule },
};
