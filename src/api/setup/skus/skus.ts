import { z } from "@hono/zod-openapi";
import { text } from "../../../core/inputs.ts";
import { setUpAccess } from "../access.ts";
import { companyIdMember, type Resource, stampMembers, stampsOf } from "../resource.ts";
import { type SkuRow, skuTable } from "./queries.ts";

const standard = z.object({
  machineId: z.int().min(1).nullable().openapi({ description: "Null: any machine that has no standard of its own" }),
  standardCycleSeconds: z.number().gt(0).max(86_400).openapi({ description: "Seconds per cycle", example: 12 }),
});
const id = text(100).min(1).openapi({ description: "What the company calls it, unique there", example: "BOTTLE-500" });
const name = text(200).min(1).openapi({ example: "Bottle, 500 ml" });
const standards = z.array(standard).max(1000).openapi({ description: "At most one a machine, and one for any" });

export const skus: Resource<SkuRow> = {
  name: "Sku",
  names: "Skus",
  noun: "SKU",
  nouns: "SKUs",
  path: "/v1/skus",
  description: "What is made. Its standards count from now on; a running SKU keeps those that it had when it was deleted.",
  access: setUpAccess,
  table: skuTable,
  example: { id: "BOTTLE-500", name: "Bottle, 500 ml", standards: [{ machineId: null, standardCycleSeconds: 12 }] },
  id,
  item: z.object({ id, companyId: companyIdMember, name, standards, ...stampMembers }).openapi("Sku"),
  create: z.object({
    id: id.optional().openapi({ description: "What the company calls it, unique there; a UUID when left out" }),
    name,
    standards: standards.default([]),
  }),
  change: z.object({ name, standards }).partial(),
  toItem: (row) => ({ id: row.id, companyId: row.companyId, name: row.name, standards: row.standards, ...stampsOf(row) }),
  idIsPerCompany: true,
  faults({ standards }) {
    const repeated = (machineId: number | null, i: number) => standards.findIndex((one) => one.machineId === machineId) < i;
    return standards.flatMap(({ machineId }, i) =>
      repeated(machineId, i) ? { pointer: `/standards/${i}/machineId`, code: "repeated", message: "has a standard already" } : [],
    );
  },
};
