import { z } from "@hono/zod-openapi";
import { paged } from "../../core/cursor.ts";
import { companyQuery, flagText, idParameter, idShape, instant, listText } from "../../core/inputs.ts";

export const shiftDate = z.iso
  .date()
  .openapi({ description: "The date in the company's time zone on which the shift starts", example: "2026-11-24" });

const ids = listText(idParameter, idShape).optional();

/** The query parameters of the list of hand-overs. */
export const query = paged(z.tuple([z.int(), z.int()])).extend({
  companyId: companyQuery,
  shiftIds: ids,
  lineIds: ids.openapi({ description: "Hand-overs of these lines; 0: those of all machines of the company" }),
  date: shiftDate.optional(),
  isAcknowledged: flagText.optional(),
  from: instant.optional().openapi({ description: "Of shifts that start at or after this" }),
  to: instant.optional().openapi({ description: "Of shifts that start before this" }),
});
export type HandOverQuery = z.infer<typeof query>;

/** The query parameters of the figures of a shift. */
export const figuresQuery = z.strictObject({
  shiftId: idParameter,
  date: shiftDate,
  lineId: idParameter.optional().openapi({ description: "Without it: all machines of the company" }),
});
export type FiguresQuery = z.infer<typeof figuresQuery>;
