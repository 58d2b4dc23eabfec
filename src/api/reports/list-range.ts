import { companyCalendar } from "../../core/company-zone.ts";
import type { CompanyDb } from "../../db/client.ts";
import { type ReportRange, reportRange } from "../../oee/report-buckets.ts";

/** Later than the start of any shift, in epoch ms. */
const NEVER = 8_000_000_000_000_000;

/** The range of a list of shifts by `from` and `to`, if shifts of the company count for production days; null: `from` and `to` are only instants. */
export async function rangeOfList(
  db: CompanyDb,
  companyId: number,
  { from, to }: { from?: number | undefined; to?: number | undefined },
): Promise<ReportRange | null> {
  if (from === undefined && to === undefined) return null;
  const calendar = await companyCalendar(db, companyId);
  if (!calendar?.hasProductionDays) return null;
  return reportRange(calendar, { start: from ?? 0, end: to ?? NEVER }, { start: from === undefined, end: to === undefined });
}
