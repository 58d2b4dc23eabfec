import { generate } from "mqtt-packet";
import { expect, test } from "vitest";
import { frameReader } from "../../../bridge/src/sources/mqtt/frames.ts";
import { countOf, DROPPED, missing, UPTIME } from "../../../bridge/src/sources/mqtt/losses.ts";
import { jsonOf, pathOf, timeOf, valueAt } from "../../../bridge/src/sources/payload.ts";

test("paths name members and places of a JSON document, and what is no path is refused", () => {
  const document = { counters: { total: 7 }, a: { b: [{ c: 1 }, 2] }, "x.y": { " ": true }, list: [3] };
  const at = (text: string) => valueAt(document, pathOf(text) ?? ["no path"]);
  expect(["$.counters.total", "counters.total", "a.b[0].c", "$.a.b[1]", '$["x.y"][" "]', "list[0]"].map(at)).toEqual([
    7,
    7,
    1,
    2,
    true,
    3,
  ]);
  expect(["counters.none", "a.b[2]", "constructor", "$.counters.total.more"].map(at)).toEqual(Array(4).fill(undefined));
  expect(at("$")).toBe(document);
  for (const text of ["a..b", "a.", "a[", "a[x]", "a[-1]", "$..a", "a.b[0"]) expect(pathOf(text)).toBeNull();
});

test("whole numbers of JSON are exact, though a number does not hold them, and texts with digits stay texts", () => {
  expect(jsonOf(Buffer.from('{"a":18446744073709551615,"b":"18446744073709551615","c":1.5}'))).toEqual({
    a: 18_446_744_073_709_551_615n,
    b: "18446744073709551615",
    c: 1.5,
  });
  expect(jsonOf(Buffer.from("{"))).toBeUndefined();
});

test("times are read as ISO 8601 with a zone, as seconds and as milliseconds, and as nothing else", () => {
  const at = Date.UTC(2026, 10, 29, 8);
  for (const time of ["2026-11-29T08:00:00Z", "2026-11-29T09:00:00.000+01:00", at, at / 1000, String(at), BigInt(at)])
    expect(timeOf(time)).toBe(at);
  for (const time of ["2026-11-29T08:00:00", "08:00", "", null, true, -1, 0, Number.NaN, 1e20, {}])
    expect(timeOf(time)).toBeNull();
});

const publish = (payload: string | Buffer, topic = "t") =>
  generate({ cmd: "publish", topic, payload, qos: 1, messageId: 7, dup: false, retain: false });

test("a stream is cut into its packets, however it arrives, and a message that is too long is skipped and told", () => {
  const long = publish(Buffer.alloc(5000), "long");
  const stream = Buffer.concat([publish("a"), long, publish("b"), generate({ cmd: "pingresp" }), long]);
  for (const size of [1, 2, 3, 7, 100, 4999, stream.length]) {
    const read = frameReader(1000);
    const frames = [];
    for (let place = 0; place < stream.length; place += size)
      frames.push(...read(Buffer.from(stream.subarray(place, place + size))));
    const tooLong = { tooLong: { topic: "long", qos: 1, messageId: 7, bytes: long.length } };
    expect(frames).toEqual([
      { packet: publish("a") },
      tooLong,
      { packet: publish("b") },
      { packet: generate({ cmd: "pingresp" }) },
      tooLong,
    ]);
  }
});

test("a stream with a length that MQTT does not know, a long packet that is no message, or a topic beyond its message ends with an error", () => {
  expect(() => frameReader(1000)(Buffer.from([0x30, 255, 255, 255, 255, 1]))).toThrow("without a valid length");
  expect(() => frameReader(1000)(Buffer.from([0x90, 255, 255, 127]))).toThrow("no message");
  const lying = publish(Buffer.alloc(5000));
  lying.writeUInt16BE(65_535, 3);
  expect(() => frameReader(1000)(lying)).toThrow("topic is longer");
});

test("what a broker says to have dropped is a loss once, also after it started again, and the first count is none", () => {
  const steps: [topic: string, text: string, at: number, lost: number | null][] = [
    [UPTIME, "1000 seconds", 1_000_000, null],
    [DROPPED, "5", 1_000_000, null],
    [UPTIME, "1010 seconds", 1_010_000, null],
    [DROPPED, "25", 1_010_001, 20],
    [DROPPED, "25", 1_020_000, null],
    [DROPPED, "no number", 1_020_000, null],
    // It started again 30 s ago.
    [UPTIME, "30 seconds", 1_200_000, null],
    [DROPPED, "40", 1_200_001, 40],
    // A broker that does not tell its uptime.
    [DROPPED, "3", 1_300_000, 3],
  ];
  let count: ReturnType<typeof countOf>["count"] = null;
  for (const [topic, text, at, lost] of steps) {
    const result = countOf(count, topic, text, at);
    expect(result.loss?.events ?? null).toBe(lost);
    count = result.count;
  }
  const told = countOf(countOf(null, DROPPED, "1", 1000).count, DROPPED, "3", 9000).loss;
  expect(told).toMatchObject({ signal: null, events: 2, from: 1000, to: 9000 });
});

test("numbers that are left out are missing messages, and a lower one is a machine that started again", () => {
  const at = (number: number) => ({ number, at: number * 1000 });
  expect(missing(at(4), at(8))).toMatchObject({ events: 3, from: 4000, to: 8000, reason: expect.stringContaining("5 to 7") });
  expect([missing(undefined, at(8)), missing(at(7), at(8)), missing(at(8), at(8)), missing(at(8), at(1))]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
