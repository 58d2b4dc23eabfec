import { createHash } from "node:crypto";
import type { Visitor } from "../../core/caller.ts";
import { notFound } from "../../core/problem.ts";
import { STORAGE_MS, within } from "../../limits/load.ts";
import type { ImageKind } from "./image-kind.ts";

/**
 * A picture that is no longer used is marked as forgotten and then deleted from the bucket. For this long after the mark no row may use its
 * key, because the deletion may still happen. No cron runs longer.
 */
export const forgettingMs = 15 * 60_000;

/** A picture as it is stored: its bytes under a key made of their SHA-256. */
export interface StoredPicture {
  key: string;
  bytes: Uint8Array<ArrayBuffer>;
  contentType: ImageKind["type"];
}

/** Makes the stored form of a picture. */
export function pictureOf(
  bytes: Uint8Array<ArrayBuffer>,
  { type, extension }: Pick<ImageKind, "type" | "extension">,
): StoredPicture {
  return { key: `${createHash("sha256").update(bytes).digest("hex")}.${extension}`, bytes, contentType: type };
}

/** A stored picture as it is answered. */
export interface ShownPicture {
  etag: string;
  contentType: string | undefined;
  /** Null: the caller has the picture already. */
  body: ReadableStream | null;
}

/**
 * Reads a stored picture.
 * @param known the caller's `If-None-Match`
 * @throws Problem 404
 */
export async function getThumbnail({ env }: Visitor, key: string, known: string): Promise<ShownPicture> {
  // The bucket throws if the header is not a list of entity tags.
  const condition = entityTags.test(known) ? { onlyIf: new Headers({ "if-none-match": known }) } : {};
  const object = isThumbnailKey(key) ? await within(STORAGE_MS, "the bucket", env.THUMBNAILS.get(key, condition)) : null;
  if (!object) throw notFound("There is no such picture.");
  // The bucket omits the body if the caller already has the picture.
  const { body = null } = object as Partial<R2ObjectBody>;
  return { etag: object.httpEtag, contentType: object.httpMetadata?.contentType, body };
}

const entityTags = /^(\*|(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*)$/;

/** True if a key has the form of those that `pictureOf` makes. */
function isThumbnailKey(key: string): boolean {
  return /^[0-9a-f]{64}\.(png|jpg|webp|gif)$/.test(key);
}

/** The URL of a picture; origin as `https://host`. */
export function thumbnailUrl(origin: string, key: string): string {
  return `${origin}/thumbnails/${key}`;
}

/** Stores pictures. Storing the same picture again changes nothing. */
export async function storePictures(env: Env, pictures: readonly StoredPicture[]): Promise<void> {
  const puts = pictures.map(({ key, bytes, contentType }) => env.THUMBNAILS.put(key, bytes, { httpMetadata: { contentType } }));
  await within(STORAGE_MS, "the bucket", Promise.all(puts));
}
