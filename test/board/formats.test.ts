import { describe, expect, it } from "vitest";
import { clockText, decimalsOf, durationText, formatsOf, numberFrom } from "../../src/board/domain/formats.ts";

describe("a running clock", () => {
  it.each([
    [-1, "0:00"],
    [999, "0:00"],
    [61_000, "1:01"],
    [3_599_999, "59:59"],
    [3_600_000, "1:00:00"],
    [359_999_000, "99:59:59"],
  ])("of %s ms is %s", (ms, text) => expect(clockText(ms)).toBe(text));
});

describe("a duration", () => {
  it.each([
    [0, "0 min"],
    [59_999, "0 min"],
    [720_000, "12 min"],
    [10_800_000, "3 h"],
    [11_520_000, "3 h 12 min"],
  ])("of %s ms is %s", (ms, text) => expect(durationText(ms).replaceAll("\u00a0", " ")).toBe(text));
});

describe("numbers and times", () => {
  const en = formatsOf("en-GB", "Europe/Madrid");
  const es = formatsOf("es-ES", "America/New_York");
  const at = "2026-11-22T05:03:00.000Z";

  it("are written in the format of the language, in the plant's time zone", () => {
    expect([en.time(at), es.time(at), en.time(Date.parse(at))]).toEqual(["06:03", "00:03", "06:03"]);
    expect([en.number(12_345.678, 1), es.number(12_345.678, 1)]).toEqual(["12,345.7", "12.345,7"]);
    expect(en.percent(71.4)).toBe("71\u00a0%");
    expect(en.day(at)).toMatch(/^Sun 22 Nov/);
  });

  it("have a sign if they are differences, except zero", () => {
    expect([50, -1240, 0, -0.4, 0.4].map((value) => en.signed(value))).toEqual(["+50", "−1,240", "0", "0", "0"]);
  });
});

describe("a typed quantity", () => {
  it.each([
    ["en-GB", "250", 250],
    ["en-GB", "1,000", 1000],
    ["en-GB", "1,234,567.5", 1_234_567.5],
    ["en-GB", "0.5", 0.5],
    ["en-GB", "1,5", 1.5],
    ["es-ES", "1.000", 1000],
    ["es-ES", "1.234.567,5", 1_234_567.5],
    ["es-ES", "0.5", 0.5],
    ["es-ES", "0,500", 0.5],
    ["es-ES", "12 000", 12_000],
    ["en-GB", " 0 ", 0],
  ])("in %s: %s is %d", (locale, text, value) => {
    expect(numberFrom(text, locale)).toEqual({ value });
  });

  it.each([
    ["en-GB", "1.000", "ambiguous"],
    ["es-ES", "1,000", "ambiguous"],
    ...["1e3", "0x10", "-5", "+5", "1.2.3", "1,23,456", "12,", ".", "5 kg", "Infinity", "1.0000001", "9".repeat(20), "١٢"].map(
      (text) => ["en-GB", text, "wrong"] as const,
    ),
    ["es-ES", "  ", "empty"],
  ] as const)("in %s: %s is refused as %s", (locale, text, fault) => {
    expect(numberFrom(text, locale)).toBe(fault);
  });

  it("is written with all of its decimals", () => {
    expect([250, 0.5, 0.1 + 0.2, 1 / 3].map(decimalsOf)).toEqual([0, 1, 1, 6]);
  });
});
