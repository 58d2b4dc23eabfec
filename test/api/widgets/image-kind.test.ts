import { describe, expect, it } from "vitest";
import { imageKind } from "../../../src/api/widgets/image-kind.ts";
import { type Encoding, encodings, newGif, newPng, picture } from "../../support/pictures.ts";

const kinds: Record<Encoding, [string, string]> = {
  png: ["image/png", "png"],
  jpeg: ["image/jpeg", "jpg"],
  webpLossy: ["image/webp", "webp"],
  webpLossless: ["image/webp", "webp"],
  webpExtended: ["image/webp", "webp"],
  gif: ["image/gif", "gif"],
};

describe("imageKind", () => {
  it.each(encodings)("detects a %s and its size", (encoding) => {
    const [type, extension] = kinds[encoding];
    expect(imageKind(picture(encoding))).toEqual({ type, extension, width: 7, height: 5, frames: 1 });
  });

  it("reads sizes to the last bit", () => {
    expect(imageKind(newPng(8193, 1))).toMatchObject({ width: 8193, height: 1 });
    const sides = { lossy: [16383, 12345], lossless: [16384, 12345], extended: [2 ** 24, 70_000] } as const;
    const lossy = picture("webpLossy");
    new DataView(lossy.buffer).setUint16(26, sides.lossy[0], true);
    new DataView(lossy.buffer).setUint16(28, sides.lossy[1], true);
    expect(imageKind(lossy)).toMatchObject({ width: sides.lossy[0], height: sides.lossy[1] });
    const lossless = picture("webpLossless");
    new DataView(lossless.buffer).setUint32(21, (sides.lossless[0] - 1) | ((sides.lossless[1] - 1) << 14), true);
    expect(imageKind(lossless)).toMatchObject({ width: sides.lossless[0], height: sides.lossless[1] });
    const extended = picture("webpExtended");
    extended.set([0xff, 0xff, 0xff, 0x6f, 0x11, 0x01], 24);
    expect(imageKind(extended)).toMatchObject({ width: sides.extended[0], height: sides.extended[1] });
  });

  it("finds a JPEG's frame after tables and fill bytes", () => {
    const table = [0xff, 0xc4, 0x00, 0x05, 0xff, 0xc0, 0x00];
    const filling = [0xff, 0xff, 0xff, 0xe1, 0x00, 0x03, 0x00];
    const frame = [0xff, 0xc2, 0x00, 0x11, 0x08, 0x12, 0x34, 0x56, 0x78, 0x03];
    const size = { width: 0x5678, height: 0x1234 };
    expect(imageKind(Uint8Array.from([0xff, 0xd8, ...table, ...filling, ...frame]))).toMatchObject(size);
  });

  it("counts the frames of an animation, whatever is between them", () => {
    const comment = [0x21, 0xfe, 0x03, 0x2c, 0x2c, 0x2c, 0x00];
    expect(imageKind(newGif(3))).toMatchObject({ width: 7, height: 5, frames: 3 });
    expect(imageKind(newGif(250, comment))).toMatchObject({ frames: 250 });
    const frame = [..."ANMF"].map((letter) => letter.charCodeAt(0)).concat(3, 0, 0, 0, 1, 2, 3, 0);
    const webp = [...picture("webpExtended").subarray(0, 30), ...Array(4).fill(frame).flat()];
    expect(imageKind(Uint8Array.from(webp))).toMatchObject({ type: "image/webp", frames: 4 });
    const png = picture("png");
    const acTL = [0, 0, 0, 8, ...[..."acTL"].map((letter) => letter.charCodeAt(0)), 0, 0, 1, 44, 0, 0, 0, 0, 0, 0, 0, 0];
    expect(imageKind(Uint8Array.from([...png.subarray(0, 33), ...acTL, ...png.subarray(33)]))).toMatchObject({ frames: 300 });
  });

  it("returns no size for a truncated header, and never throws", () => {
    for (const encoding of encodings) {
      const bytes = picture(encoding);
      for (let length = 0; length < bytes.length; length++) {
        const kind = imageKind(bytes.subarray(0, length));
        if (kind) expect(kind.width).toBeLessThanOrEqual(7);
      }
    }
    expect(imageKind(Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x00]))).toMatchObject({ width: 0, height: 0 });
    expect(imageKind(Uint8Array.from([0xff, 0xd8, 0xff, 0xda, 0x00, 0x02, 0x01, 0xff, 0xc0]))).toMatchObject({ width: 0 });
  });

  it("detects nothing else", () => {
    for (const text of [
      "",
      "<svg xmlns='http://www.w3.org/2000/svg'/>",
      "<!doctype html>",
      "%PDF-1.7",
      "BM",
      "GIF88a",
      "RIFF1234WAVE",
    ]) {
      expect(imageKind(new TextEncoder().encode(text)), text).toBeNull();
    }
    const avif = Buffer.from("\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf", "latin1");
    expect(imageKind(avif)).toBeNull();
  });
});
