import { createHash } from "node:crypto";
import { STORAGE_MS, within } from "../../core/load.ts";
import type { ImageKind } from "./image-kind.ts";

const compressedSide = 480;

/**
 * How long after a picture was marked as forgotten its deletion may still come, so that no row may take its key up. No run
 * of a cron lasts longer.
 */
export const forgettingMs = 15 * 60_000;

/** A picture as it is stored: its bytes under a key made of their SHA-256. */
export interface StoredPicture {
  key: string;
  bytes: Uint8Array<ArrayBuffer>;
  contentType: ImageKind["type"];
}

/** The picture with the key of its content. */
export function pictureOf(
  bytes: Uint8Array<ArrayBuffer>,
  { type, extension }: Pick<ImageKind, "type" | "extension">,
): StoredPicture {
  return { key: `${createHash("sha256").update(bytes).digest("hex")}.${extension}`, bytes, contentType: type };
}

/** Whether a key is one that `pictureOf` makes. */
export function isThumbnailKey(key: string): boolean {
  return /^[0-9a-f]{64}\.(png|jpg|webp|gif)$/.test(key);
}

/** Where a picture is served from; origin as `https://host`. */
export function thumbnailUrl(origin: string, key: string): string {
  return `${origin}/thumbnails/${key}`;
}

/** A still WebP of the picture, 480 px a side at most. Null when it cannot be read as a picture. */
export async function compress(env: Env, picture: Blob): Promise<StoredPicture | null> {
  const size = { width: compressedSide, height: compressedSide, fit: "scale-down" as const };
  try {
    const made = env.IMAGES.input(picture.stream()).transform(size).output({ format: "image/webp", anim: false });
    const result = await within(STORAGE_MS, "the image service", made);
    const bytes = await within(STORAGE_MS, "the image service", result.response().arrayBuffer());
    return pictureOf(new Uint8Array(bytes), { type: "image/webp", extension: "webp" });
  } catch (error) {
    // What the binding says about a picture has a code; without one the binding itself is in trouble.
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

/** Stores pictures; what is there already stays the same. */
export async function storePictures(env: Env, pictures: readonly StoredPicture[]): Promise<void> {
  const puts = pictures.map(({ key, bytes, contentType }) => env.THUMBNAILS.put(key, bytes, { httpMetadata: { contentType } }));
  await within(STORAGE_MS, "the bucket", Promise.all(puts));
}
