import type { FaultCode } from "../../core/fault-codes.ts";
import { invalid, type Problem, refusal } from "../../core/problem.ts";
import { STORAGE_MS, within } from "../../limits/load.ts";
import { imageKind } from "./image-kind.ts";
import { pictureOf, type StoredPicture } from "./thumbnails.ts";

export const maxFileBytes = 5 * 1024 * 1024;
const maxSide = 8192;
/** The maximum number of frames of an animated picture, each of which is decoded. */
export const maxFrames = 100;
/** The maximum number of pixels of all frames together: that of the largest still picture. */
const maxPixels = maxSide * maxSide;
const compressedSide = 480;

/** Reads an uploaded picture. Throws 400 if it is not a picture or its dimensions are too large, 413 if the file is too large. */
export async function readPicture(file: File): Promise<StoredPicture> {
  if (file.size === 0) throw refused("too_small", "holds no bytes");
  if (file.size > maxFileBytes) {
    throw refusal(413, [{ pointer: "/file", code: "too_big", message: `may hold ${maxFileBytes} bytes at most` }]);
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const kind = imageKind(bytes);
  if (!kind) throw refused("unsupported_format", "must be a PNG, JPEG, WebP or GIF picture");
  const { width, height } = kind;
  if (width < 1 || height < 1) throw unreadable();
  if (width > maxSide || height > maxSide) {
    throw refused("too_big", `may measure ${maxSide} pixels a side at most, not ${width} x ${height}`);
  }
  if (kind.frames > maxFrames) throw refused("too_big", `may have ${maxFrames} frames at most, not ${kind.frames}`);
  if (width * height * kind.frames > maxPixels) {
    throw refused("too_big", `may have ${maxPixels} pixels in all of its frames at most, not ${width * height * kind.frames}`);
  }
  return pictureOf(bytes, kind);
}

/** Makes a still WebP of a picture, at most 480 px per side. Throws 400 if it cannot be decoded. */
export async function compress(env: Env, picture: Blob): Promise<StoredPicture> {
  const size = { width: compressedSide, height: compressedSide, fit: "scale-down" as const };
  try {
    const made = env.IMAGES.input(picture.stream()).transform(size).output({ format: "image/webp", anim: false });
    const result = await within(STORAGE_MS, "the image service", made);
    const bytes = await within(STORAGE_MS, "the image service", result.response().arrayBuffer());
    return pictureOf(new Uint8Array(bytes), { type: "image/webp", extension: "webp" });
  } catch (error) {
    // Errors about the picture have a code; any other error is a failure of the image service.
    throw error instanceof Error && "code" in error ? unreadable() : error;
  }
}

function unreadable(): Problem {
  return refused("unreadable", "cannot be read as a picture");
}

function refused(code: FaultCode, message: string): Problem {
  return invalid([{ pointer: "/file", code, message }]);
}
