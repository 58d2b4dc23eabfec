import { describe, expect, it } from "vitest";
import {
  addDays,
  clockFrom,
  dayFrom,
  dayOf,
  daysOf,
  dayText,
  instantAt,
  isDay,
  rangeOf,
  startOfDay,
  stepped,
  weekdayName,
} from "../../src/board/domain/days.ts";
import { HOUR_MS, iso } from "../../src/board/domain/time.ts";

const madrid = "Europe/Madrid";

describe("typed days and times", () => {
  it("reads back each day that it shows, in every language", () => {
    for (const locale of ["en-GB", "es-ES"])
      for (let day = "2025-12-30"; day < "2027-01-03"; day = addDays(day, 1))
        expect(dayFrom(dayText(day, locale), locale, "2027-06-01"), `${locale} ${day}`).toBe(day);
  });

  it("reads days as people write them", () => {
    const read = (text: string, locale = "en-GB") => dayFrom(text, locale, "2026-03-10");
    for (const text of ["4 Mar 2026", "March 4, 2026", "04/03/2026", "4.3.26", "2026-03-04", "4/3", " 4  mar "])
      expect(read(text), text).toBe("2026-03-04");
    expect(read("4 de marzo de 2026", "es-ES")).toBe("2026-03-04");
    expect(read("4 sept. 2025", "es-ES")).toBe("2025-09-04");
    // Without a year it has been.
    expect(read("11 Mar")).toBe("2025-03-11");
    expect(read("29/2")).toBeNull();
    for (const text of [
      "",
      "4",
      "today",
      "4 ma 2026",
      "32/1/2026",
      "29/2/2026",
      "4/13/2026",
      "4/3/126",
      "1/2/3/4",
      "4 marzo 2026",
    ])
      expect(read(text), text).toBeNull();
  });

  it("reads times as people write them", () => {
    for (const text of ["14:05", " 14.05 ", "14:05:00", "2:05 pm", "2:05PM", "2:05 p. m.", "14:05 h"])
      expect(clockFrom(text), text).toBe("14:05:00");
    expect(clockFrom("12:05:09 am")).toBe("00:05:09");
    for (const text of ["", "14", "24:00", "14:60", "14:05:60", "13:05 pm", "0:05 am", "1405", "14:5"])
      expect(clockFrom(text), text).toBeNull();
  });
});

describe("days", () => {
  it("begin at the plant's midnight, also on a change of the clocks", () => {
    expect(iso(startOfDay("2026-11-22", madrid))).toBe("2026-11-21T23:00:00.000Z");
    expect(iso(startOfDay("2026-07-01", madrid))).toBe("2026-06-30T22:00:00.000Z");
    expect(iso(startOfDay("2026-11-22", "Pacific/Kiritimati"))).toBe("2026-11-21T10:00:00.000Z");
    expect(iso(startOfDay("2026-11-22", "Pacific/Pago_Pago"))).toBe("2026-11-22T11:00:00.000Z");
    const length = (day: string) => (rangeOf("day", day, madrid, "monday").end - startOfDay(day, madrid)) / HOUR_MS;
    expect(["2026-03-29", "2026-10-25", "2026-11-22"].map(length)).toEqual([23, 25, 24]);
    // In Havana the clocks skip midnight.
    expect(iso(startOfDay("2026-03-08", "America/Havana"))).toBe("2026-03-08T05:00:00.000Z");
    expect(dayOf(startOfDay("2026-03-08", "America/Havana"), "America/Havana")).toBe("2026-03-08");
  });

  it("form weeks from Monday or Sunday, and months", () => {
    expect(daysOf("week", "2026-11-22", "sunday")).toEqual({ first: "2026-11-22", after: "2026-11-29" });
    expect(daysOf("week", "2026-11-21", "sunday")).toEqual({ first: "2026-11-15", after: "2026-11-22" });
    expect(daysOf("week", "2026-11-22", "monday")).toEqual({ first: "2026-11-16", after: "2026-11-23" });
    expect(daysOf("week", "2026-11-16", "monday")).toEqual({ first: "2026-11-16", after: "2026-11-23" });
    expect(daysOf("month", "2026-12-31", "monday")).toEqual({ first: "2026-12-01", after: "2027-01-01" });
    expect([
      stepped("day", "2026-03-01", -1, "monday"),
      stepped("week", "2026-11-22", -1, "monday"),
      stepped("month", "2026-01-31", 1, "monday"),
    ]).toEqual(["2026-02-28", "2026-11-09", "2026-02-01"]);
    expect(addDays("2024-02-28", 1)).toBe("2024-02-29");
  });

  it("are not accepted if they do not exist", () => {
    expect(["2026-11-22", "2026-02-30", "2026-1-1", "x", "", null].map(isDay)).toEqual([true, false, false, false, false, false]);
  });

  it("find a clock time inside a stop", () => {
    const night = { start: Date.parse("2026-11-21T22:50:00Z"), end: Date.parse("2026-11-21T23:20:00Z") };
    expect(instantAt("23:55", night, madrid)).toBe(Date.parse("2026-11-21T22:55:00Z"));
    expect(instantAt("00:05:30", night, madrid)).toBe(Date.parse("2026-11-21T23:05:30Z"));
    expect(instantAt("00:20", night, madrid)).toBeNull();
    expect(instantAt("12:00", night, madrid)).toBeNull();
    expect(instantAt("", night, madrid)).toBeNull();
    const twice = { start: Date.parse("2026-10-25T00:10:00Z"), end: Date.parse("2026-10-25T01:50:00Z") };
    expect(instantAt("02:30", twice, madrid)).toBe(Date.parse("2026-10-25T00:30:00Z"));
    const spring = { start: Date.parse("2026-03-29T00:10:00Z"), end: Date.parse("2026-03-29T08:00:00Z") };
    expect(instantAt("02:30", spring, madrid)).toBeNull();
    expect(instantAt("09:15", spring, madrid)).toBe(Date.parse("2026-03-29T07:15:00Z"));
  });

  it("have weekdays with a name in each language", () => {
    expect([weekdayName(0, "en-GB"), weekdayName(1, "en-GB"), weekdayName(6, "es-ES")]).toEqual(["Sunday", "Monday", "sábado"]);
  });
});
