/** The longest document that is read: an agent with 1,000 observations to an answer sends a few hundred KB. */
const MOST_BYTES = 16_000_000;

/** `multipart/x-mixed-replace;boundary=...`; null: the answer has one part, and then it ends. */
export function boundaryOf(contentType: string | null): string | null {
  const found = /^multipart\/[^;]+;(?:.*;)?\s*boundary="?([^";]+)"?/i.exec(contentType ?? "");
  return found?.[1]?.trim() ?? null;
}

/**
 * The documents of an endless answer, each as soon as it is complete. Some agents say how long a part is. Of the others a part is complete when
 * its root element ends: the next boundary would come with the next part, up to a heartbeat later.
 */
export async function* partsOf(body: AsyncIterable<Uint8Array>, boundary: string): AsyncIterable<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of body) {
    rest = Buffer.concat([rest, chunk]);
    for (let part = nextPart(rest, boundary); part !== null; part = nextPart(rest, boundary)) {
      rest = rest.subarray(part.end);
      yield part.text;
    }
    if (rest.length > MOST_BYTES) throw new Error(`a part of the answer is longer than ${MOST_BYTES / 1e6} MB`);
  }
}

function nextPart(bytes: Buffer, boundary: string): { text: string; end: number } | null {
  // Some agents put the two dashes into the boundary that they announce.
  const mark = bytes.indexOf(boundary.startsWith("--") ? boundary : `--${boundary}`);
  if (mark === -1) return null;
  const head = endOfHead(bytes, mark);
  if (head === null) return null;
  const length = /^content-length:\s*(\d{1,9})\s*$/im.exec(bytes.toString("latin1", mark, head))?.[1];
  const end = length === undefined ? endOfRoot(bytes, head) : head + Number(length);
  return end === null || end > bytes.length ? null : { text: bytes.toString("utf8", head, end).trim(), end };
}

/** Where the empty line ends that follows the headers of a part. */
function endOfHead(bytes: Buffer, from: number): number | null {
  const at = [
    { index: bytes.indexOf("\r\n\r\n", from), size: 4 },
    { index: bytes.indexOf("\n\n", from), size: 2 },
  ].filter(({ index }) => index !== -1);
  const [first] = at.toSorted((a, b) => a.index - b.index);
  return first ? first.index + first.size : null;
}

function endOfRoot(bytes: Buffer, from: number): number | null {
  const root = /<\/(?:[\w.-]+:)?MTConnect(?:Streams|Error|Devices|Assets)\s*>/.exec(bytes.toString("latin1", from));
  return root ? from + root.index + root[0].length : null;
}

/** A whole answer, as long as it is allowed to be. */
export async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error(`the answer is longer than ${MOST_BYTES / 1e6} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
