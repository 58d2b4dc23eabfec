import type { CompanyDb } from "../db/client.ts";
import { selectContent } from "./queries.ts";

/** The mail of a report. The same for everyone, no matter how late it is sent. */
export interface ReportMail {
  subject: string;
  /** For mail clients that do not show HTML. */
  text: string;
  html: string;
  attachments: { name: string; type: string; content: string }[];
  /** The JSON that webhooks are called with instead. */
  call: string;
}

/** The mail that a run made; null if it made none, or if it has been deleted (`EVENTS_KEPT_DAYS`). */
export async function findReportMail(db: CompanyDb, logId: string): Promise<ReportMail | null> {
  const [row] = await selectContent(db, logId);
  if (!row) return null;
  const unpacked = new Blob([row.content]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(unpacked).json<ReportMail>();
}

/** The stored form of a mail. */
export async function packMail(mail: ReportMail): Promise<Uint8Array> {
  const packed = new Blob([JSON.stringify(mail)]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}
