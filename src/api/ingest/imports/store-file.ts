import { createHash } from "node:crypto";
import { invalid, Problem } from "../../../core/problem.ts";
import { STORAGE_MS, within } from "../../../limits/load.ts";
import { cellsOf, type Head, textOf } from "./file-lines.ts";

/** Of all but the last part: the bucket takes no smaller ones. */
const PART_BYTES = 5 * 1024 * 1024;
/** The columns that a CSV file must have. */
const REQUIRED_COLUMNS = ["type", "at"];
const MOST_COLUMNS = 100;
const LINE_FEED = 10;

export interface StoredFile {
  bytes: number;
  sha256: string;
  /** Null: not CSV. */
  head: Head | null;
}

/**
 * Stores a file in an upload while it arrives, a part at a time.
 * @param onPart called for each part that is stored
 * @throws Problem 400 if it is empty, or its header is wrong, 413 if it has more than `maxBytes`
 */
export async function storeFile(
  upload: R2MultipartUpload,
  file: AsyncIterable<Uint8Array>,
  { maxBytes, isCsv, onPart }: { maxBytes: number; isCsv: boolean; onPart: () => Promise<unknown> },
): Promise<StoredFile> {
  const part = new Uint8Array(PART_BYTES);
  const parts: R2UploadedPart[] = [];
  const hash = createHash("sha256");
  let [filled, bytes] = [0, 0];
  let head: Head | null = null;
  const store = async () => {
    if (isCsv && parts.length === 0) head = headOf(part.subarray(0, filled));
    const stored = part.subarray(0, filled);
    parts.push(await within(3 * STORAGE_MS, "the bucket", upload.uploadPart(parts.length + 1, stored)));
    filled = 0;
    await onPart();
  };
  for await (const chunk of file) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Problem(413, `The file may have at most ${maxBytes} bytes, decompressed.`);
    hash.update(chunk);
    for (let from = 0; from < chunk.byteLength; ) {
      const taken = Math.min(chunk.byteLength - from, PART_BYTES - filled);
      part.set(chunk.subarray(from, from + taken), filled);
      filled += taken;
      from += taken;
      if (filled === PART_BYTES) await store();
    }
  }
  if (bytes === 0) throw invalid([{ pointer: "", code: "too_small", message: "holds no bytes" }]);
  if (filled > 0) await store();
  await within(3 * STORAGE_MS, "the bucket", upload.complete(parts));
  return { bytes, sha256: hash.digest("hex"), head };
}

/** The header of a CSV file. Columns that events do not have are left out when lines are read. */
function headOf(start: Uint8Array): Head {
  const end = start.indexOf(LINE_FEED);
  const text = textOf(start.subarray(0, end < 0 ? start.length : end)) ?? "";
  const separator = text.includes(";") ? ";" : ",";
  const columns = cellsOf(text, separator) ?? [];
  const missing = REQUIRED_COLUMNS.filter((name) => !columns.includes(name));
  const twice = columns.find((name, i) => columns.indexOf(name) !== i);
  if (missing.length > 0) throw invalidHead(`lacks the column ${missing.join(" and ")}`);
  if (twice !== undefined) throw invalidHead(`has the column ${twice} twice`);
  if (columns.length > MOST_COLUMNS) throw invalidHead(`has ${columns.length} columns; ${MOST_COLUMNS} are allowed`);
  return { separator, columns };
}

function invalidHead(what: string): Problem {
  return invalid([{ pointer: "", code: "invalid_head", message: `the first line ${what}` }]);
}
