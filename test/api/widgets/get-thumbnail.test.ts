import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createCompany, createUser } from "../../support/factories.ts";
import { newPng, picture } from "../../support/pictures.ts";
import { createWidget } from "../../support/widgets.ts";

const ask = (url: string, headers: Record<string, string> = {}, method = "GET") =>
  exports.default.fetch(new Request(url, { method, headers }));

async function uploaded(bytes = newPng(4, 3)) {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  const { id } = await createWidget(companyId);
  const form = new FormData();
  form.append("file", new Blob([bytes]), "picture");
  const { status, body } = await call("POST", `/widgets/${id}/thumbnail`, { token, body: form });
  expect(status, JSON.stringify(body)).toBe(200);
  const compressedKey = await env.DB_0.prepare("select compressed_thumbnail_key from widgets where id = ?")
    .bind(id)
    .first<string>("compressed_thumbnail_key");
  return { bytes, imageUrl: body.imageUrl as string, compressedUrl: `http://andon.test/thumbnails/${compressedKey}` };
}

function expectCacheable(response: Response) {
  expect(Object.fromEntries(response.headers)).toMatchObject({
    etag: expect.stringMatching(/^"[^"]+"$/),
    "cache-control": "public, max-age=31536000, immutable",
    "content-disposition": expect.stringMatching(/^inline; filename="[0-9a-f]{64}\.(png|jpg|gif|webp)"$/),
    "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
  });
}

describe("a stored picture", () => {
  it("is served to anyone, unchanged, with an unlimited cache time", async () => {
    for (const [encoding, contentType] of [
      ["png", "image/png"],
      ["jpeg", "image/jpeg"],
      ["gif", "image/gif"],
      ["webpLossy", "image/webp"],
    ] as const) {
      const { bytes, imageUrl } = await uploaded(picture(encoding));
      const response = await ask(imageUrl);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe(contentType);
      expectCacheable(response);
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    }
  });

  it("has a small copy", async () => {
    const { compressedUrl } = await uploaded();
    const response = await ask(compressedUrl);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/webp");
    expect(Buffer.from(await response.arrayBuffer()).toString("latin1", 8, 12)).toBe("WEBP");
  });

  it("is not sent again to a client that has it", async () => {
    const { imageUrl } = await uploaded();
    const first = await ask(imageUrl);
    await first.arrayBuffer();
    const etag = first.headers.get("etag") ?? "";
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await ask(imageUrl, { "if-none-match": known });
      expect(response.status, known).toBe(304);
      expectCacheable(response);
      expect(response.headers.get("etag")).toBe(etag);
      expect(response.body).toBeNull();
    }
  });

  it("is sent to a client with another one, or with an unreadable condition", async () => {
    const { imageUrl, bytes } = await uploaded();
    for (const known of ['"other"', "other", '"', "", "W/", '"a" "b"', "x".repeat(5000)]) {
      const response = await ask(imageUrl, { "if-none-match": known });
      expect(response.status, known).toBe(200);
      expect((await response.arrayBuffer()).byteLength).toBe(bytes.byteLength);
    }
  });

  it("is answered to HEAD without its bytes", async () => {
    const { imageUrl } = await uploaded();
    const response = await ask(imageUrl, {}, "HEAD");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/png");
    expectCacheable(response);
    expect((await response.arrayBuffer()).byteLength).toBe(0);
  });

  it("is not found under any other key", async () => {
    await env.THUMBNAILS.put("secret.txt", "not for you");
    const hash = "0".repeat(64);
    for (const key of ["secret.txt", `${hash}.png`, `${hash}.svg`, hash, `${hash}.png%00`, "..%2Fsecret.txt", "%FF"]) {
      const answer = await call("GET", `/thumbnails/${key}`);
      expectProblem(answer, 404);
      expect(answer.headers.get("cache-control")).toBe("private, no-store");
      expect(answer.headers.get("cross-origin-resource-policy")).toBe("same-origin");
    }
    const { imageUrl } = await uploaded();
    expect((await ask(imageUrl.replace(".png", ".webp"))).status).toBe(404);
    expect(
      (await ask(imageUrl.toUpperCase().replace("HTTP://ANDON.TEST/THUMBNAILS", "http://andon.test/thumbnails"))).status,
    ).toBe(404);
    expectProblem(await call("DELETE", new URL(imageUrl).pathname), 405);
  });
});
