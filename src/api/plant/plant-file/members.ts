import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import type { SetUpRow } from "../../../resource/queries.ts";
import type { Resource } from "../../../resource/resource.ts";
import { machineSensors } from "../../ingest/count-sensors/members.ts";
import { calendarDays } from "../calendar-days/resource.ts";
import { companies } from "../companies/resource.ts";
import { defectReasons } from "../defect-reasons/resource.ts";
import { lines } from "../lines/resource.ts";
import { machines } from "../machines/resource.ts";
import { shifts } from "../shifts/resource.ts";
import { skus } from "../skus/resource.ts";
import { stopCauses } from "../stop-causes/resource.ts";

/** What items have and a plant file has not: ids, and what is not set-up. A service and not a plant has a jurisdiction. */
const left: ReadonlySet<string> = new Set([
  ...["id", "companyId", "lineId", "machineId", "machineIds", "createdAt", "updatedAt", "deletedAt"],
  ...["closed", "isRecalculating", "jurisdiction"],
]);

/** The members that an entry has like the item: those of `left` become keys, or are left out. */
export function ownMembers<T>(members: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(members).filter(([member]) => !left.has(member)));
}

function own({ members }: Pick<Resource<SetUpRow>, "members">): Record<string, z.ZodType> {
  return ownMembers(members.item.shape as Record<string, z.ZodType>);
}

const machineRef = answerText.openapi({ description: "The `ref` of a machine", example: "PRESS-01" });
const { isCountEnabled, configs } = machineSensors.shape;
const { shifts: ofDay } = calendarDays.members.item.shape as unknown as { shifts: z.ZodArray<z.ZodObject> };
const { shiftId: _, ...times } = ofDay.element.shape;
const { standards } = skus.members.item.shape as unknown as { standards: z.ZodArray<z.ZodObject> };
const { id: skuId } = skus.members.item.shape;
const { ownFlags, level } = stopCauses.members.item.shape as unknown as { ownFlags: z.ZodObject; level: z.ZodType };

/** A plant file. Kinds that were not asked for are left out. */
export const plantFile = z
  .object({
    formatVersion: z
      .literal(1)
      .openapi({ description: "Raised when a later version of the service writes files that this one cannot read" }),
    company: z.object(own(companies)).optional(),
    lines: z.array(z.object(own(lines))).optional(),
    machines: z
      .array(
        z.object({
          ...own(machines),
          line: answerText.nullable().openapi({ description: "The name of its line; null: none" }),
          countSensors: z
            .object({ isCountEnabled, configs })
            .nullable()
            .openapi({ description: "Those in force; null: it has none" }),
        }),
      )
      .optional(),
    shifts: z
      .array(
        z.object({
          ...own(shifts),
          machines: z
            .array(machineRef)
            .nullable()
            .openapi({ description: "Null: every machine. Empty: all that it named are deleted" }),
        }),
      )
      .optional(),
    calendarDays: z
      .array(
        z.object({
          ...own(calendarDays),
          line: answerText.nullable().openapi({ description: "The name of the line, for the scope `line`" }),
          machine: machineRef.nullable(),
          shifts: z
            .array(z.object({ shift: answerText.openapi({ description: "The name of the shift" }), ...times }))
            .openapi({ description: "Empty: it is closed" }),
        }),
      )
      .optional(),
    skus: z
      .array(
        z.object({
          id: skuId as z.ZodType,
          ...own(skus),
          standards: z.array(z.object({ ...ownMembers(standards.element.shape), machine: machineRef.nullable() })),
        }),
      )
      .optional(),
    stopCauses: z
      .array(
        z.object({
          path: z.array(answerText).openapi({
            description: "The names of the causes from the topmost one above it down to its own",
            example: ["Breakdown", "Jam"],
          }),
          level,
          ...ownFlags.shape,
        }),
      )
      .optional(),
    defectReasons: z.array(z.object(own(defectReasons))).optional(),
  })
  .openapi("PlantFile");
