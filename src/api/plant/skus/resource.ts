import { z } from "@hono/zod-openapi";
import { idOfCaller, nameText } from "../../../core/inputs.ts";
import { companyIdMember, type Resource, setUpAccess, stampMembers, stampsOf } from "../../../resource/resource.ts";
import { type SkuRow, type Standard, skuTable } from "./queries.ts";

import { restoreSku, storeSku } from "./rules.ts";

export const standardCycleSeconds = z.number().gt(0).max(86_400).openapi({ description: "Seconds per cycle", example: 12 });
const standard = z.object({
  machineId: z.int().min(1).nullable().openapi({ description: "Null: any machine that has no standard of its own" }),
  standardCycleSeconds,
});
/** What a version has of a standard. */
type Body = Omit<Standard, "machineId">;

const id = idOfCaller(100).openapi({ description: "The company's own id, unique in the company", example: "BOTTLE-500" });
const name = nameText(200).openapi({ example: "Bottle, 500 ml" });
const standards = z.array(standard).max(1000).openapi({ description: "At most one per machine, and one for any machine" });

export const skus: Resource<SkuRow> = {
  names: { type: "Sku", types: "Skus", noun: "SKU", nouns: "SKUs" },
  path: "/v1/skus",
  description:
    "What is produced. Changed standards apply from now on; a deleted SKU that is still being made keeps its last ones.",
  access: { ...setUpAccess, machines: { list: "company" } },
  table: skuTable,
  searched: ["id", "name"],
  members: {
    id,
    item: z.object({ id, companyId: companyIdMember, name, standards, ...stampMembers }).openapi("Sku"),
    create: z.object({
      id: id
        .optional()
        .openapi({ description: "The id of the SKU as your company knows it, unique in the company; a UUID by default" }),
      name,
      standards: standards.default([]),
    }),
    change: z.object({ name, standards }).partial(),
    example: { id: "BOTTLE-500", name: "Bottle, 500 ml", standards: [{ machineId: null, standardCycleSeconds: 12 }] },
  },
  shape: {
    item: (row) => ({ id: row.id, companyId: row.companyId, name: row.name, standards: row.standards, ...stampsOf(row) }),
  },
  versioned: [
    {
      kind: "standard",
      bodiesOf: ({ standards }) =>
        new Map(standards.map(({ machineId, standardCycleSeconds }) => [machineId ?? 0, { standardCycleSeconds }])),
      rowWith: (row, bodies) => {
        const standards = [...bodies].flatMap(([machineId, body]) =>
          body ? [{ machineId: machineId || null, ...(body as Body) }] : [],
        );
        return { ...row, standards: standards.sort((a, b) => (a.machineId ?? 0) - (b.machineId ?? 0)) };
      },
      sentOf: ({ standards }) => ({ standards }),
      sentIn: ({ standards }, sent, isReplaced) => {
        if (!sent.standards) return {};
        const isOther = ({ machineId }: Standard) => isReplaced(machineId ?? 0, "standardCycleSeconds");
        const kept = (sent.standards as Standard[]).filter((one) => !isOther(one));
        return { standards: [...kept, ...standards.filter(isOther)] };
      },
      shownOf: (body) => body,
    },
  ],
  inSetUp: ({ id: skuId, standards }) => ({
    standards: { skuId, all: standards.map((one) => ({ ...one, machineId: one.machineId ?? 0 })) },
  }),
  watched: "set-up",
  rules: { store: storeSku, restore: restoreSku },
};
