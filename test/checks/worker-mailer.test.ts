import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readResponse } from "../../src/channels/worker-mailer.ts";

test("the SMTP library is the version whose read loop the adapter replaces, and still has that loop", () => {
  const library = createRequire(import.meta.url).resolve("worker-mailer");
  const { version } = JSON.parse(readFileSync(resolve(library, "../../package.json"), "utf8")) as { version: string };
  // If this fails, look whether `read` now ends when the server hangs up: then src/channels/worker-mailer.ts is not needed any more.
  expect(version).toBe("1.2.1");
  expect(readFileSync(library, "utf8")).toMatch(/await this\.reader\.read\(\);if\(!\w+\)continue;/);
});

/** A connection on which these texts arrive before it ends. */
function connection(...texts: string[]) {
  const readable = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const text of texts) controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
  return { reader: readable.getReader() };
}

test.each([
  ["one line", ["220 ready\r\n"]],
  ["several lines", ["250-mail.example\r\n250-STARTTLS\r\n250 SIZE 1000\r\n"]],
  ["lines in pieces", ["250-ma", "il.example\r\n25", "0 SIZE 1000\r", "\n"]],
])("the response of an SMTP server is read whole: %s", async (_, texts) => {
  expect(await readResponse.call(connection(...texts))).toBe(texts.join(""));
});

test("reading the response of an SMTP server ends when the server hangs up in the middle", async () => {
  await expect(readResponse.call(connection("250-mail.example\r\n"))).rejects.toThrow("the server hung up");
});
