/** The format and size in the bytes of a picture. Width and height in pixels, 0 if they cannot be read. `frames`: 1 for a still picture. */
export interface ImageKind {
  type: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
  extension: "png" | "jpg" | "webp" | "gif";
  width: number;
  height: number;
  frames: number;
}

type Size = Pick<ImageKind, "width" | "height">;

const unknownSize: Size = { width: 0, height: 0 };

/** The kind of a PNG, JPEG, WebP or GIF; null for anything else. Reads only headers and lengths: the rest may be broken. */
export function imageKind(bytes: Uint8Array): ImageKind | null {
  const starts = (text: string, at = 0) => [...text].every((char, i) => bytes[at + i] === char.charCodeAt(0));
  if (starts("\x89PNG\r\n\x1a\n") && starts("IHDR", 12)) {
    return {
      type: "image/png",
      extension: "png",
      width: bigEndian(bytes, 16, 4),
      height: bigEndian(bytes, 20, 4),
      frames: pngFrames(bytes),
    };
  }
  if (starts("\xff\xd8\xff")) return { type: "image/jpeg", extension: "jpg", ...jpegSize(bytes), frames: 1 };
  if (starts("RIFF") && starts("WEBP", 8))
    return { type: "image/webp", extension: "webp", ...webpSize(bytes), frames: webpFrames(bytes) };
  if (starts("GIF87a") || starts("GIF89a")) {
    return {
      type: "image/gif",
      extension: "gif",
      width: littleEndian(bytes, 6, 2),
      height: littleEndian(bytes, 8, 2),
      frames: gifFrames(bytes),
    };
  }
  return null;
}

/** The size is in the start-of-frame segment, which can follow any number of other segments. */
function jpegSize(bytes: Uint8Array): Size {
  let at = 2;
  while (at < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    // 0xC4, 0xC8 and 0xCC are in the range of the frame markers, but are not frame markers.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bigEndian(bytes, at + 7, 2), height: bigEndian(bytes, at + 5, 2) };
    // A marker can be padded with any number of 0xFF.
    at += marker === 0xff ? 1 : 2 + bigEndian(bytes, at + 2, 2);
  }
  return unknownSize;
}

/** Lossy, lossless and extended files store their size in different places. */
function webpSize(bytes: Uint8Array): Size {
  const low14Bits = 0x3fff;
  switch (textAt(bytes, 12)) {
    case "VP8 ":
      return { width: littleEndian(bytes, 26, 2) & low14Bits, height: littleEndian(bytes, 28, 2) & low14Bits };
    case "VP8L": {
      const bits = littleEndian(bytes, 21, 4);
      return { width: (bits & low14Bits) + 1, height: ((bits >> 14) & low14Bits) + 1 };
    }
    case "VP8X":
      return { width: littleEndian(bytes, 24, 3) + 1, height: littleEndian(bytes, 27, 3) + 1 };
    default:
      return unknownSize;
  }
}

/** Counts the frames of a GIF, as far as its blocks can be read. */
function gifFrames(bytes: Uint8Array): number {
  const colours = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let frames = 0;
  let at = 13 + colours(bytes[10] ?? 0);
  for (;;) {
    const block = bytes[at];
    if (block === 0x2c) {
      frames += 1;
      at += 11 + colours(bytes[at + 9] ?? 0);
    } else if (block === 0x21) at += 2;
    else return frames;
    // Both kinds of blocks are followed by sub-blocks with their lengths; an empty one ends them.
    for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) at += 1 + length;
    at += 1;
  }
}

/** An animated PNG has its number of frames in a chunk before its data. */
function pngFrames(bytes: Uint8Array): number {
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bigEndian(bytes, at, 4)) {
    const type = textAt(bytes, at + 4);
    if (type === "acTL") return Math.max(1, bigEndian(bytes, at + 8, 4));
    if (type === "IDAT") return 1;
  }
  return 1;
}

/** An animated WebP has one chunk per frame. */
function webpFrames(bytes: Uint8Array): number {
  let frames = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    if (textAt(bytes, at) === "ANMF") frames += 1;
    const length = littleEndian(bytes, at + 4, 4);
    at += 8 + length + (length % 2);
  }
  return Math.max(1, frames);
}

function bigEndian(bytes: Uint8Array, at: number, length: number): number {
  return bytes.subarray(at, at + length).reduce((number, byte) => number * 256 + byte, 0);
}

function littleEndian(bytes: Uint8Array, at: number, length: number): number {
  return bytes.subarray(at, at + length).reduceRight((number, byte) => number * 256 + byte, 0);
}

/** The four characters at a place. */
function textAt(bytes: Uint8Array, at: number): string {
  return Array.from(bytes.subarray(at, at + 4), (byte) => String.fromCharCode(byte)).join("");
}
