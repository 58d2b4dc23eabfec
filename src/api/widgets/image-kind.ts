/** What the bytes of a picture say about it. Sides in pixels, 0 where they cannot be read. */
export interface ImageKind {
  type: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
  extension: "png" | "jpg" | "webp" | "gif";
  width: number;
  height: number;
}

type Size = Pick<ImageKind, "width" | "height">;

const unknownSize: Size = { width: 0, height: 0 };

/** The kind of a PNG, JPEG, WebP or GIF; null for anything else. Reads the head alone: the rest may be broken. */
export function imageKind(bytes: Uint8Array): ImageKind | null {
  const starts = (text: string, at = 0) => [...text].every((char, i) => bytes[at + i] === char.charCodeAt(0));
  if (starts("\x89PNG\r\n\x1a\n") && starts("IHDR", 12)) {
    return { type: "image/png", extension: "png", width: bigEndian(bytes, 16, 4), height: bigEndian(bytes, 20, 4) };
  }
  if (starts("\xff\xd8\xff")) return { type: "image/jpeg", extension: "jpg", ...jpegSize(bytes) };
  if (starts("RIFF") && starts("WEBP", 8)) return { type: "image/webp", extension: "webp", ...webpSize(bytes) };
  if (starts("GIF87a") || starts("GIF89a")) {
    return { type: "image/gif", extension: "gif", width: littleEndian(bytes, 6, 2), height: littleEndian(bytes, 8, 2) };
  }
  return null;
}

/** The size stands in the start-of-frame segment, behind any number of others. */
function jpegSize(bytes: Uint8Array): Size {
  let at = 2;
  while (at < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    // 0xC4, 0xC8 and 0xCC lie among the frame markers and are none.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bigEndian(bytes, at + 7, 2), height: bigEndian(bytes, at + 5, 2) };
    // Any number of 0xFF may stand before a marker as filling.
    at += marker === 0xff ? 1 : 2 + bigEndian(bytes, at + 2, 2);
  }
  return unknownSize;
}

/** Lossy, lossless and extended files keep their size in places of their own. */
function webpSize(bytes: Uint8Array): Size {
  const low14Bits = 0x3fff;
  switch (String.fromCharCode(...bytes.subarray(12, 16))) {
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

function bigEndian(bytes: Uint8Array, at: number, length: number): number {
  return bytes.subarray(at, at + length).reduce((number, byte) => number * 256 + byte, 0);
}

function littleEndian(bytes: Uint8Array, at: number, length: number): number {
  return bytes.subarray(at, at + length).reduceRight((number, byte) => number * 256 + byte, 0);
}
