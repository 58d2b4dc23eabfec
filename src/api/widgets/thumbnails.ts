import { createHash } from "node:crypto";
import { STORAGE_MS, within } from "../../core/load.ts";
import type { ImageKind } from "./image-kind.ts";

/**
 * How long after a picture was marked as forgotten it may still be deleted, so that no row may take up its key. No run of a cron lasts
 * longer.
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

/** Stores pictures; what is there already stays the same. */
export async function storePictures(env: Env, pictures: readonly StoredPicture[]): Promise<void> {
  const puts = pictures.map(({ key, bytes, contentType }) => env.THUMBNAILS.put(key, bytes, { httpMetadata: { contentType } }));
  await within(STORAGE_MS, "the bucket", Promise.all(puts));
}
