/** A message that is longer than the bridge takes: what its first bytes say, so that it can be acknowledged and told. */
export interface LongMessage {
  topic: string;
  qos: number;
  messageId: number | undefined;
  bytes: number;
}

/** What came out of the stream: one whole packet, or what is known of one that was too long. */
export type Frame = { packet: Buffer } | { tooLong: LongMessage };

interface Skipped {
  header: Buffer;
  /** How many bytes of the packet are still to come. */
  left: number;
  bytes: number;
}

const PUBLISH = 3;
/** What is kept of a packet that is too long: the longest topic, and what stands before and behind it. */
const LONGEST_HEADER = 65_535 + 16;

/**
 * Cuts the stream of a broker into packets, and never keeps more than one of `maxBytes`. A longer message is skipped without keeping it; a longer
 * packet that is no message, or a length that MQTT does not know, is an error: throws.
 */
export function frameReader(maxBytes: number): (chunk: Buffer) => Frame[] {
  let rest: Buffer = Buffer.alloc(0);
  let skipped: Skipped | null = null;

  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const frames: Frame[] = [];
    while (rest.length > 0) {
      skipped ??= longPacket(rest, maxBytes);
      if (skipped) {
        rest = skip(skipped, rest);
        if (skipped.left > 0) break;
        frames.push({ tooLong: longMessage(skipped) });
        skipped = null;
      } else {
        const size = sizeOf(rest);
        if (size === null || rest.length < size) break;
        frames.push({ packet: rest.subarray(0, size) });
        rest = rest.subarray(size);
      }
    }
    return frames;
  };
}

/** The beginning of a packet that is too long; null: it is not, or nobody knows yet. */
function longPacket(data: Buffer, maxBytes: number): Skipped | null {
  const size = sizeOf(data);
  if (size === null || size <= maxBytes) return null;
  if (data.readUInt8(0) >> 4 !== PUBLISH) throw new Error(`a packet of ${size} bytes that is no message`);
  return { header: Buffer.alloc(0), left: size, bytes: size };
}

/** The bytes of the packet that begins here, with its header; null: its length has not all come. */
function sizeOf(data: Buffer): number | null {
  let length = 0;
  for (let place = 1; place <= 4; place += 1) {
    const byte = data[place];
    if (byte === undefined) return null;
    length += (byte & 127) * 128 ** (place - 1);
    if (byte < 128) return length + place + 1;
  }
  throw new Error("a packet without a valid length");
}

/** Keeps the first bytes of the packet, and returns what stands behind it. */
function skip(long: Skipped, data: Buffer): Buffer {
  const its = data.subarray(0, long.left);
  if (long.header.length < LONGEST_HEADER) {
    long.header = Buffer.concat([long.header, its.subarray(0, LONGEST_HEADER - long.header.length)]);
  }
  long.left -= its.length;
  return data.subarray(its.length);
}

function longMessage({ header, bytes }: Skipped): LongMessage {
  const qos = (header.readUInt8(0) >> 1) & 3;
  const begin = 1 + header.subarray(1).findIndex((byte) => byte < 128) + 1;
  // A packet that is long enough to be skipped has these bytes, unless its topic says to be longer than it is.
  const end = begin + 2 + header.readUInt16BE(begin);
  if (end + 2 > header.length) throw new Error("a message whose topic is longer than the message");
  const messageId = qos > 0 ? header.readUInt16BE(end) : undefined;
  return { topic: header.toString("utf8", begin + 2, end), qos, messageId, bytes };
}
