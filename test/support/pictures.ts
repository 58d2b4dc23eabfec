import { crc32, deflateSync } from "node:zlib";

// Real pictures of 7 x 5 pixels, by encoding.
const encoded = {
  png: "iVBORw0KGgoAAAANSUhEUgAAAAcAAAAFCAIAAAAG+GGPAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEUlEQVQImWM4IWeDiRhoJAoAmLQnp1tTIWQAAAAASUVORK5CYII=",
  jpeg: "/9j/2wBDAP//////////////////////////////////////////////////////////////////////////////////////2wBDAf//////////////////////////////////////////////////////////////////////////////////////wAARCAAFAAcDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAH/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAAL/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCAC3//2Q==",
  webpLossy: "UklGRi4AAABXRUJQVlA4ICIAAABwAQCdASoHAAUADMDOJaACdAFAAAD+144MPUrfroogAAAA",
  webpLossless: "UklGRh4AAABXRUJQVlA4TBEAAAAvBgABAAdQjyKXp/+BiOh/AAA=",
  webpExtended:
    "UklGRlIAAABXRUJQVlA4WAoAAAAQAAAABgAABAAAQUxQSAoAAAABB1DAiAhERP8DVlA4ICIAAABwAQCdASoHAAUADMDOJaACdAFAAAD+144MPUrfroogAAAA",
  gif: "R0lGODlhBwAFAIAAAExpccgePCH5BAUAAAAALAAAAAAHAAUAAAIFjI+puwUAOw==",
};

export type Encoding = keyof typeof encoded;
export const encodings = Object.keys(encoded) as Encoding[];

/** A picture of 7 x 5 pixels, with the same bytes each time. */
export function picture(encoding: Encoding): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(encoded[encoding], "base64"));
}

/** A grey PNG of this width and height in pixels, with different bytes each time. */
export function newPng(width: number, height: number): Uint8Array<ArrayBuffer> {
  const rows = Buffer.alloc((width + 1) * height, 0x80);
  for (let y = 0; y < height; y++) rows[y * (width + 1)] = 0;
  const chunk = (type: string, data: Uint8Array) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    return Buffer.concat([uint32(data.length), named, uint32(crc32(named))]);
  };
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 0, 0, 0, 0])]);
  const comment = Buffer.from(`Comment\0${crypto.randomUUID()}`);
  return new Uint8Array(
    Buffer.concat([
      Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
      chunk("IHDR", header),
      chunk("tEXt", comment),
      chunk("IDAT", deflateSync(rows)),
      chunk("IEND", new Uint8Array()),
    ]),
  );
}

/** A GIF of 7 x 5 pixels with this number of frames, and `between` (blocks of a GIF) before each of them. */
export function newGif(frames: number, between: readonly number[] = []): Uint8Array<ArrayBuffer> {
  const still = picture("gif");
  const headBytes = 13 + 6;
  const [head, frame] = [still.subarray(0, headBytes), still.subarray(headBytes, -1)];
  return Uint8Array.from([...head, ...Array.from({ length: frames }, () => [...between, ...frame]).flat(), 0x3b]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
