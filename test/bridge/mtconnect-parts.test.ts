import fc from "fast-check";
import { expect, test } from "vitest";
import { boundaryOf, partsOf } from "../../bridge/src/sources/mtconnect/parts.ts";

const documents = [
  '<?xml version="1.0"?><MTConnectStreams><a>Ärger €</a></MTConnectStreams>',
  "<m:MTConnectStreams xmlns:m='x'><a>--mark</a>\r\n\r\n</m:MTConnectStreams >",
  "<MTConnectError><Errors/></MTConnectError>",
];

/** An endless answer as agents write it. */
function answerOf(style: "length" | "none" | "line feeds"): Buffer {
  const parts = documents.map((text) => {
    if (style === "line feeds") return `--mark\nContent-type: text/xml\n\n${text}\n`;
    const length = style === "length" ? `Content-Length: ${Buffer.byteLength(text)}\r\n` : "";
    return `\r\n--mark\r\nContent-type: text/xml\r\n${length}\r\n${text}\r\n`;
  });
  return Buffer.from(parts.join(""));
}

test("the parts of an endless answer are the same however the network cuts it, with lengths and without", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("length" as const, "none" as const, "line feeds" as const),
      fc.constantFrom("mark", "--mark"),
      fc.array(fc.nat(600), { maxLength: 20 }),
      async (style, boundary, cuts) => {
        const bytes = answerOf(style);
        const places = [...new Set([0, ...cuts.map((cut) => cut % bytes.length), bytes.length])].sort((a, b) => a - b);
        async function* body() {
          for (const [index, place] of places.entries()) yield bytes.subarray(place, places[index + 1] ?? place);
        }
        const parts: string[] = [];
        for await (const part of partsOf(body(), boundary)) parts.push(part);
        expect(parts).toEqual(documents);
      },
    ),
  );
});

test("a part that never ends is given up, and the boundary of an answer is read in the forms that agents use", async () => {
  async function* endless() {
    yield Buffer.from("--mark\r\n\r\n<MTConnectStreams>");
    for (;;) yield Buffer.alloc(4_000_000, "x");
  }
  await expect(partsOf(endless(), "mark")[Symbol.asyncIterator]().next()).rejects.toThrow("longer than 16 MB");
  expect(boundaryOf("multipart/x-mixed-replace;boundary=abc")).toBe("abc");
  expect(boundaryOf('multipart/x-mixed-replace; charset=utf-8; boundary="a b"')).toBe("a b");
  expect(boundaryOf("text/xml")).toBe(null);
  expect(boundaryOf(null)).toBe(null);
});
