import { STORAGE_MS, within } from "../../limits/load.ts";
import { isoOf } from "../../oee/time.ts";

// Audit entries and events of days that are over their period, as files in the bucket ARCHIVE: one or more parts for each company and UTC day, which
// are gzip with a line of JSON for each, as the API shows it. The first line says how many there are.

/** What is archived. */
export type ArchivedKind = "audit" | "events";

/** A part of a day. */
export interface ArchivedPart {
  companyId: number;
  kind: ArchivedKind;
  /** The start of the day (epoch ms). */
  day: number;
  part: number;
}

/** The first line of a part. */
interface Head {
  form: 1;
  rows: number;
  /** The earliest and the latest time of the lines. */
  from: string;
  to: string;
}

/** A part that is missing, or that is not what was stored. */
export class DamagedPart extends Error {
  override readonly name = "DamagedPart";
  readonly part: ArchivedPart;

  constructor(part: ArchivedPart, what: "is missing" | "is damaged") {
    super(`The archive of ${dayText(part)} cannot be read: ${keyOf(part)} ${what}`);
    this.part = part;
  }
}

/** `2026-03-04` */
export function dayText({ day }: Pick<ArchivedPart, "day">): string {
  return isoOf(day).slice(0, 10);
}

/** `audit/12/2026/03/04-1.ndjson.gz` */
export function keyOf(part: ArchivedPart): string {
  return `${prefixOf(part)}${dayText(part).replaceAll("-", "/")}-${part.part}.ndjson.gz`;
}

/** What the keys of a company begin with. */
export function prefixOf({ kind, companyId }: Pick<ArchivedPart, "kind" | "companyId">): string {
  return `${kind}/${companyId}/`;
}

/**
 * Stores a part, and looks whether it is there. Returns its size in bytes.
 * @param lines in the order of their keys, each with its line feed
 * @param from the earliest time of a line, `to` the latest (epoch ms)
 * @throws if it is not there as it was stored
 */
export async function storePart(
  env: Env,
  part: ArchivedPart,
  { lines, from, to }: { lines: readonly string[]; from: number; to: number },
): Promise<number> {
  const head: Head = { form: 1, rows: lines.length, from: isoOf(from), to: isoOf(to) };
  const bytes = await gzip([`${JSON.stringify(head)}\n`, ...lines]);
  const key = keyOf(part);
  const customMetadata = { rows: String(lines.length) };
  const httpMetadata = { contentType: "application/x-ndjson", contentEncoding: "gzip" };
  await within(STORAGE_MS, "the bucket", env.ARCHIVE.put(key, bytes, { customMetadata, httpMetadata }));
  const stored = await within(STORAGE_MS, "the bucket", env.ARCHIVE.head(key));
  if (stored?.size !== bytes.byteLength || stored.customMetadata?.rows !== customMetadata.rows) {
    throw new Error(`${key} is not in the bucket as it was stored.`);
  }
  return bytes.byteLength;
}

/**
 * Reads the lines of a part, one after the other.
 * @throws DamagedPart
 */
export async function* linesOf(env: Env, part: ArchivedPart): AsyncGenerator<string> {
  const object = await within(STORAGE_MS, "the bucket", env.ARCHIVE.get(keyOf(part)));
  if (!object) throw new DamagedPart(part, "is missing");
  let head: Head | undefined;
  let rows = 0;
  try {
    for await (const line of textLines(object.body.pipeThrough(new DecompressionStream("gzip")))) {
      if (head) {
        rows += 1;
        yield line;
      } else {
        head = JSON.parse(line) as Head;
      }
    }
  } catch (error) {
    // Errors of the caller, which reads the lines, do not get here.
    throw error instanceof DamagedPart ? error : new DamagedPart(part, "is damaged");
  }
  if (head?.form !== 1 || head.rows !== rows) throw new DamagedPart(part, "is damaged");
}

async function* textLines(bytes: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of bytes.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") throw new Error("The last line has no end.");
}

/** How many texts are compressed at once. */
const TEXTS_AT_ONCE = 500;

async function gzip(texts: readonly string[]): Promise<ArrayBuffer> {
  const { readable, writable } = new CompressionStream("gzip");
  const compressed = new Response(readable).arrayBuffer();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  for (let i = 0; i < texts.length; i += TEXTS_AT_ONCE) {
    await writer.write(encoder.encode(texts.slice(i, i + TEXTS_AT_ONCE).join("")));
  }
  await writer.close();
  return await compressed;
}
