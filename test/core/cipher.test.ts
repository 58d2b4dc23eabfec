import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { isReadable, keyIdOf, type Place, seal, unseal } from "../../src/core/cipher.ts";
import { keyRing } from "../../src/core/keys.ts";

const key = (byte: number) => Buffer.alloc(32, byte).toString("base64");
const withKeys = (current: number, previous?: number) =>
  ({ ...env, ENCRYPTION_KEY: key(current), ENCRYPTION_KEY_PREVIOUS: previous === undefined ? "" : key(previous) }) as Env;
const place: Place = ["chat_rooms.sealed_url", "a"];

/** A text as it was sealed before keys had ids. */
async function sealedBefore(text: string, byte: number): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const imported = await crypto.subtle.importKey("raw", Buffer.from(key(byte), "base64"), "AES-GCM", false, ["encrypt"]);
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, imported, new TextEncoder().encode(text));
  return Buffer.concat([iv, new Uint8Array(sealed)]).toString("base64");
}

it("a sealed text names its key, and opens at its place alone", async () => {
  const own = withKeys(1);
  const sealed = await seal(own, place, "secret");
  expect(sealed).toMatch(/^v1\.[0-9a-f]{6}\.[\w+/]+=*$/);
  expect(keyIdOf(sealed)).toBe(keyRing(own)[0].id);
  expect(await unseal(own, place, sealed)).toBe("secret");
  expect(await seal(own, place, "secret")).not.toBe(sealed);
  const elsewhere: Place[] = [["chat_rooms.sealed_url", "b"], ["webhook_subscriptions.sealed_secret", "a"], ["leave link"]];
  for (const other of elsewhere) expect(await isReadable(own, other, sealed)).toBe(false);
});

it("a text of the previous key opens while that is configured, and is then refused by the name of its key", async () => {
  const sealed = await seal(withKeys(1), place, "secret");
  expect(await unseal(withKeys(2, 1), place, sealed)).toBe("secret");
  // New texts are sealed with the current key.
  expect(await unseal(withKeys(2), place, await seal(withKeys(2, 1), place, "new"))).toBe("new");
  const name = keyIdOf(sealed);
  await expect(unseal(withKeys(2), place, sealed)).rejects.toThrow(
    `the key ${name}, which is neither ENCRYPTION_KEY nor ENCRYPTION_KEY_PREVIOUS`,
  );
  expect(await isReadable(withKeys(2), place, sealed)).toBe(false);
});

it("a text that was sealed before keys had ids opens with either key", async () => {
  const old = await sealedBefore("secret", 1);
  expect(keyIdOf(old)).toBeNull();
  expect(await unseal(withKeys(1), place, old)).toBe("secret");
  expect(await unseal(withKeys(2, 1), place, old)).toBe("secret");
  await expect(unseal(withKeys(3, 2), place, old)).rejects.toThrow("another key than ENCRYPTION_KEY");
});

it.each(["", "v1.", "v1.000000.", "AAAA", "v1.abcdef", "\0"])("%j is refused", async (sealed) => {
  expect(await isReadable(withKeys(1), place, sealed)).toBe(false);
});
