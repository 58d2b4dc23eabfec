import type { Db } from "../db/client.ts";
import { selectContent } from "./queries.ts";

/** A report as it is mailed. The same for everyone, however late it is sent. */
export interface ReportMail {
  subject: string;
  /** For readers of mail that show no HTML. */
  text: string;
  html: string;
  attachments: { name: string; type: string; content: string }[];
  /** What webhooks are called with instead, JSON. */
  call: string;
}

/** The mail that a run made; null: it made none, or it was forgotten (`EVENTS_KEPT_DAYS`). */
export async function findReportMail(db: Db, logId: string): Promise<ReportMail | null> {
  const [row] = await selectContent(db, logId);
  if (!row) return null;
  const unpacked = new Blob([row.content]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(unpacked).json<ReportMail>();
}

/** A mail as it is stored. */
export async function packMail(mail: ReportMail): Promise<Uint8Array> {
  const packed = new Blob([JSON.stringify(mail)]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}
