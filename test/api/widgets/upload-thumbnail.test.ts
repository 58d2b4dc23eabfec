import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { imageKind } from "../../../src/api/widgets/image-kind.ts";
import { type Role, roles } from "../../../src/db/schema.ts";
import { type CallOptions, call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createCompany, createUser } from "../../support/factories.ts";
import { overtakenBy } from "../../support/overtaken.ts";
import { type Encoding, encodings, newGif, newPng, picture } from "../../support/pictures.ts";
import { serviceWith } from "../../support/service.ts";
import { createWidget } from "../../support/widgets.ts";

const maxFileBytes = 5 * 1024 * 1024;
const pathOf = (widgetId: string) => `/widgets/${widgetId}/thumbnail`;

function formOf(...parts: [name: string, content: Uint8Array<ArrayBuffer> | string, filename?: string][]) {
  const form = new FormData();
  for (const [name, content, filename = "picture"] of parts) {
    if (typeof content === "string") form.append(name, content);
    else form.append(name, new Blob([content], { type: "image/png" }), filename);
  }
  return form;
}

async function newPlace(role: Role = "user") {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, role);
  const { id } = await createWidget(companyId);
  const post = (body: unknown, options: CallOptions = {}) => call("POST", pathOf(id), { token, body, ...options });
  return { companyId, token, id, post };
}

const upload = (token: string, widgetId: string, bytes = newPng(3, 3)) =>
  call("POST", pathOf(widgetId), { token, body: formOf(["file", bytes]) });

const row = (widgetId: string) =>
  env.DB_0.prepare("select thumbnail_key, compressed_thumbnail_key, updated_at from widgets where id = ?")
    .bind(widgetId)
    .first<{ thumbnail_key: string | null; compressed_thumbnail_key: string | null; updated_at: number }>();
const storedKeys = async () => (await env.THUMBNAILS.list()).objects.map(({ key }) => key);
const keyOf = (imageUrl: string) => imageUrl.slice("http://andon.test/thumbnails/".length);

async function stored(key: string | null | undefined) {
  const object = await env.THUMBNAILS.get(key ?? "none");
  if (!object) throw new Error(`${key} is not stored`);
  return { bytes: new Uint8Array(await object.arrayBuffer()), contentType: object.httpMetadata?.contentType };
}

describe("a widget's picture", () => {
  const kinds: Record<Encoding, [extension: string, contentType: string]> = {
    png: ["png", "image/png"],
    jpeg: ["jpg", "image/jpeg"],
    webpLossy: ["webp", "image/webp"],
    webpLossless: ["webp", "image/webp"],
    webpExtended: ["webp", "image/webp"],
    gif: ["gif", "image/gif"],
  };
  it.each(encodings)("as %s is detected by its bytes, and stored under their hash", async (encoding) => {
    const { post, id } = await newPlace();
    const bytes = picture(encoding);
    const [extension, contentType] = kinds[encoding];
    const { status, body, headers } = await post(formOf(["file", bytes, "notes.txt"]));
    expect(status, JSON.stringify(body)).toBe(200);
    const hash = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
    const key = `${hash}.${extension}`;
    expect(body).toEqual({ imageUrl: `http://andon.test/thumbnails/${key}` });
    expect(await stored(key)).toEqual({ bytes, contentType });
    expect(headers.get("server-timing")).toContain('desc="4 trips"');

    const saved = await row(id);
    expect(saved?.thumbnail_key).toBe(key);
    expect(Date.now() - (saved?.updated_at ?? 0)).toBeLessThan(5000);
    const small = await stored(saved?.compressed_thumbnail_key);
    expect(small.contentType).toBe("image/webp");
    expect(imageKind(small.bytes)).toMatchObject({ type: "image/webp", width: 7, height: 5 });
    const smallHash = Buffer.from(await crypto.subtle.digest("SHA-256", small.bytes)).toString("hex");
    expect(saved?.compressed_thumbnail_key).toBe(`${smallHash}.webp`);
  });

  it("has a small copy of at most 480 pixels, with the same proportions", async () => {
    const { post, id } = await newPlace();
    for (const [width, height, smallWidth, smallHeight] of [
      [960, 480, 480, 240],
      [481, 962, 240, 480],
      [480, 480, 480, 480],
    ] as const) {
      expect((await post(formOf(["file", newPng(width, height)]))).status).toBe(200);
      const small = await stored((await row(id))?.compressed_thumbnail_key);
      expect(imageKind(small.bytes)).toMatchObject({ type: "image/webp", width: smallWidth, height: smallHeight });
    }
  });

  it("replaces the previous one; other parts of the form are ignored", async () => {
    const { post, id } = await newPlace();
    const first = await post(formOf(["file", newPng(2, 2)]));
    const second = await post(formOf(["name", "x"], ["file", newPng(2, 2)], ["other", newPng(2, 2)]));
    expect(second.status).toBe(200);
    expect(second.body.imageUrl).not.toBe(first.body.imageUrl);
    expect((await row(id))?.thumbnail_key).toBe(keyOf(second.body.imageUrl));
  });

  it("may have exactly 5 MB, and 8192 pixels per side", async () => {
    const { post } = await newPlace();
    // Data after a PNG's last chunk belongs to the file and not to the picture.
    const full = new Uint8Array(maxFileBytes);
    full.set(newPng(4, 4));
    expect((await post(formOf(["file", full]))).status).toBe(200);
    expect((await post(formOf(["file", newPng(8192, 2)]))).status).toBe(200);
    expect((await post(formOf(["file", newPng(2, 8192)]))).status).toBe(200);
  });

  it("is one of several that were sent at the same time, complete", async () => {
    const { token, id } = await newPlace();
    const sides = [11, 12, 13, 14];
    const answers = await Promise.all(sides.map((side) => upload(token, id, newPng(side, side))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const saved = await row(id);
    expect(answers.map(({ body }) => keyOf(body.imageUrl))).toContain(saved?.thumbnail_key);
    const [original, small] = [await stored(saved?.thumbnail_key), await stored(saved?.compressed_thumbnail_key)];
    expect(imageKind(small.bytes)?.width).toBe(imageKind(original.bytes)?.width);
  });
});

describe("a refusal says why and stores nothing:", () => {
  const withSides = (encoding: Encoding, change: (view: DataView) => void) => {
    const bytes = picture(encoding);
    change(new DataView(bytes.buffer));
    return bytes;
  };
  const huge = (side: number) =>
    withSides("png", (view) => {
      view.setUint32(16, side);
      view.setUint32(20, side);
    });
  const text = (content: string) => new TextEncoder().encode(content) as Uint8Array<ArrayBuffer>;
  const truncated = newPng(300, 300);
  const files: [what: string, status: number, code: string, content: Uint8Array<ArrayBuffer>][] = [
    ["an SVG", 400, "unsupported_format", text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ["an HTML file", 400, "unsupported_format", text("<!doctype html><script>alert(1)</script>")],
    ["no bytes", 400, "too_small", new Uint8Array()],
    ["5 MB and a byte", 413, "too_big", new Uint8Array(maxFileBytes + 1)],
    ["a PNG of 20,000 x 20,000 pixels", 400, "too_big", huge(20_000)],
    ["a PNG of 2^32 - 1 pixels", 400, "too_big", huge(2 ** 32 - 1)],
    ["a PNG of no pixels", 400, "unreadable", huge(0)],
    ["a PNG that is a pixel too wide", 400, "too_big", newPng(8193, 1)],
    ["a PNG that is a pixel too high", 400, "too_big", newPng(1, 8193)],
    ["a GIF that is too wide", 400, "too_big", withSides("gif", (view) => view.setUint16(6, 8193, true))],
    ["a WebP that is too wide", 400, "too_big", withSides("webpLossy", (view) => view.setUint16(26, 8193, true))],
    ["a GIF of more than a hundred frames", 400, "too_big", newGif(101)],
    [
      "a GIF with too many pixels in its frames",
      400,
      "too_big",
      Uint8Array.from(newGif(100), (byte, at) => (at === 7 || at === 9 ? 0x10 : byte)),
    ],
    ["a PNG that breaks off", 400, "unreadable", truncated.slice(0, truncated.length - 60)],
    ["a PNG's head alone", 400, "unreadable", picture("png").slice(0, 24)],
    ["a JPEG's head alone", 400, "unreadable", picture("jpeg").slice(0, 3)],
    ["a WebP that breaks off", 400, "unreadable", picture("webpLossy").slice(0, 36)],
  ];
  it.each(files)("%s", async (_what, status, code, content) => {
    const { post, id } = await newPlace();
    const before = [await storedKeys(), await row(id)];
    const answer = await post(formOf(["file", content, "picture.png"]));
    expectProblem(answer, status, "/file");
    expect(answer.body.errors[0].code).toBe(code);
    expect([await storedKeys(), await row(id)]).toEqual(before);
  });

  it("a form without a file, with two files, or with a text instead", async () => {
    const { post, id } = await newPlace();
    const before = [await storedKeys(), await row(id)];
    const png = picture("png");
    expectProblem(await post(formOf()), 400, "/file");
    expectProblem(await post(formOf(["picture", png])), 400, "/file");
    expectProblem(await post(formOf(["file[]", png])), 400, "/file");
    expectProblem(await post(formOf(["file", png], ["file", png])), 400, "/file");
    expectProblem(await post(formOf(["file", png], ["file", "text"])), 400, "/file");
    expectProblem(await post(formOf(["file", "text"])), 400, "/file");
    expectProblem(await post("file=x", { headers: { "content-type": "application/x-www-form-urlencoded" } }), 400, "/file");
    expect([await storedKeys(), await row(id)]).toEqual(before);
  });

  it("a body that is not a form", async () => {
    const { post, token, id } = await newPlace();
    const before = [await storedKeys(), await row(id)];
    expectProblem(await post({ file: "x" }), 415);
    expectProblem(await post("x", { headers: { "content-type": "image/png" } }), 415);
    expectProblem(await post("x", { headers: { "content-type": "multipart/form-data" } }), 400, "");
    expectProblem(await post("x", { headers: { "content-type": "multipart/form-data; boundary=b" } }), 400, "");
    expectProblem(await call("POST", pathOf(id), { token }), 400, "/file");
    expect([await storedKeys(), await row(id)]).toEqual(before);
  });

  it("a form that is far too large", async () => {
    const { post } = await newPlace();
    expectProblem(await post(formOf(["file", new Uint8Array(maxFileBytes + 128 * 1024)])), 413);
    expectProblem(await post(formOf(["file", picture("png")], ["other", new Uint8Array(maxFileBytes + 128 * 1024)])), 413);
  });

  it("a widget of another company, or one that is deleted or never existed", async () => {
    const other = await createWidget((await createCompany()).companyId);
    const before = [await storedKeys(), await row(other.id)];
    for (const role of roles.filter((one) => one !== "superuser")) {
      const { token, companyId } = await newPlace(role);
      const deleted = await createWidget(companyId, { deletedAt: Date.now() });
      for (const id of [other.id, deleted.id, crypto.randomUUID(), "%00"]) expectProblem(await upload(token, id), 404);
    }
    expect([await storedKeys(), await row(other.id)]).toEqual(before);
    const { token } = await newPlace("superuser");
    expect((await upload(token, other.id)).status).toBe(200);
    expect((await row(other.id))?.thumbnail_key).not.toBeNull();
  });

  it("a system widget, except by a superuser", async () => {
    const system = await createWidget(null);
    const before = [await storedKeys(), await row(system.id)];
    for (const role of roles.filter((one) => one !== "superuser")) {
      expectProblem(await upload((await newPlace(role)).token, system.id), 403);
    }
    expect([await storedKeys(), await row(system.id)]).toEqual(before);
    expect((await upload((await newPlace("superuser")).token, system.id)).status).toBe(200);
  });
});

describe("if something fails during the request", () => {
  const bucketWithout = (method: "put", fail: (...args: Parameters<R2Bucket["put"]>) => Promise<never>) =>
    new Proxy(env.THUMBNAILS, { get: (bucket, name) => (name === method ? fail : Reflect.get(bucket, name).bind(bucket)) });

  it("the old picture is kept", async () => {
    const { post, id, token } = await newPlace();
    await upload(token, id);
    const before = await row(id);
    const down = () => Promise.reject(new Error("the bucket is down"));
    const images = {
      input: () => {
        throw new Error("connection lost");
      },
    } as unknown as ImagesBinding;
    for (const changes of [{ THUMBNAILS: bucketWithout("put", down) }, { IMAGES: images }]) {
      const answer = await post(formOf(["file", newPng(5, 5)]), { via: serviceWith(changes) });
      expectProblem(answer, 500);
      expect(JSON.stringify(answer.body)).not.toMatch(/bucket|connection/);
      expect(await row(id)).toEqual(before);
    }
  });

  it("a widget that is deleted in the meantime is a 404 and not changed", async () => {
    const { post, id } = await newPlace();
    const deleteThenPut = async (...args: Parameters<R2Bucket["put"]>) => {
      await env.DB_0.prepare("update widgets set deleted_at = 1 where id = ?").bind(id).run();
      return (await env.THUMBNAILS.put(...args)) as never;
    };
    const before = await row(id);
    const answer = await post(formOf(["file", newPng(5, 5)]), {
      via: serviceWith({ THUMBNAILS: bucketWithout("put", deleteThenPut) }),
    });
    expectProblem(answer, 404);
    expect(await row(id)).toEqual(before);
  });

  it.each([
    ["the widget is deleted", 404, "update widgets set deleted_at = 1, updated_at = updated_at + 1 where id = ?1 and ?2 = ?2"],
    ["the picture is being deleted", 503, "insert into forgotten_pictures (key, at) values (?2, unixepoch() * 1000)"],
  ])("between reading and writing the row, because %s, the row is kept", async (_, status, sql) => {
    const { post, id } = await newPlace();
    const bytes = newPng(6, 6 + status);
    const key = `${Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex")}.png`;
    const happens = () => env.DB_0.prepare(sql).bind(id, key).run();
    expectProblem(await post(formOf(["file", bytes]), { via: overtakenBy(happens) }), status as 404 | 503);
    expect((await row(id))?.thumbnail_key).toBeNull();
  });
});
