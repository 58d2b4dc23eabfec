import { expect, test } from "vitest";
import { type BucketSize, chartBuckets } from "../../src/oee/buckets.ts";

const buckets = (timezone: string, size: BucketSize, start: string, end: string, limit = 2000) =>
  chartBuckets(timezone, size, { start: Date.parse(start), end: Date.parse(end) }, limit);
const utc = (at: number) => new Date(at).toISOString().slice(5, 16).replace("T", " ");
const starts = (...range: Parameters<typeof buckets>) => buckets(...range).map(({ x }) => utc(x));

test("days begin at local midnight, and those with a change of the clocks have 23 or 25 hours", () => {
  expect(starts("Europe/Madrid", "day", "2026-03-27T23:00Z", "2026-03-30T22:00Z")).toEqual([
    "03-27 23:00",
    "03-28 23:00",
    "03-29 22:00",
  ]);
  const spring = buckets("Europe/Madrid", "hour", "2026-03-28T23:00Z", "2026-03-29T22:00Z");
  const autumn = buckets("Europe/Madrid", "hour", "2026-10-24T22:00Z", "2026-10-25T23:00Z");
  expect([spring.length, autumn.length]).toEqual([23, 25]);
  for (const { x, start, end } of [...spring, ...autumn]) expect([start, end]).toEqual([x, x + 3_600_000]);
});

test("weeks begin on local Mondays", () => {
  expect(starts("Europe/Madrid", "week", "2026-10-25T12:00Z", "2026-11-02T00:00Z")).toEqual([
    "10-18 22:00",
    "10-25 23:00",
    "11-01 23:00",
  ]);
});

test("months begin on the first at local midnight, however long they are", () => {
  expect(starts("Europe/Madrid", "month", "2026-01-31T22:59Z", "2026-04-30T22:00Z")).toEqual([
    "12-31 23:00",
    "01-31 23:00",
    "02-28 23:00",
    "03-31 22:00",
  ]);
  const [december, january] = buckets("UTC", "month", "2025-12-31T23:00Z", "2026-01-01T01:00Z");
  expect([december, january].map((part) => part && [part.x, part.xEnd, part.start, part.end].map(utc))).toEqual([
    ["12-01 00:00", "01-01 00:00", "12-31 23:00", "01-01 00:00"],
    ["01-01 00:00", "02-01 00:00", "01-01 00:00", "01-01 01:00"],
  ]);
});

test("a range that begins or ends within a bucket has only that part of it", () => {
  const [start, end] = ["2026-01-01T10:20Z", "2026-01-01T12:40Z"];
  const parts = buckets("UTC", "hour", start, end).map((part) => [part.x, part.start, part.end].map(utc));
  expect(parts).toEqual([
    ["01-01 10:00", "01-01 10:20", "01-01 11:00"],
    ["01-01 11:00", "01-01 11:00", "01-01 12:00"],
    ["01-01 12:00", "01-01 12:00", "01-01 12:40"],
  ]);
  expect(starts("UTC", "hour", "2026-01-01T10:00Z", "2026-01-01T11:00Z")).toEqual(["01-01 10:00"]);
});

test("zones with odd offsets, a missing midnight, a missing day, or summer time of half an hour", () => {
  expect(starts("Asia/Kolkata", "hour", "2026-01-01T00:00Z", "2026-01-01T01:00Z")).toEqual(["12-31 23:30", "01-01 00:30"]);
  // Beirut skips from 00:00 to 01:00.
  expect(starts("Asia/Beirut", "day", "2026-03-28T12:00Z", "2026-03-30T00:00Z")).toEqual([
    "03-27 22:00",
    "03-28 22:00",
    "03-29 21:00",
  ]);
  // Samoa had no 30 December.
  expect(starts("Pacific/Apia", "day", "2011-12-29T12:00Z", "2011-12-31T12:00Z")).toEqual([
    "12-29 10:00",
    "12-30 10:00",
    "12-31 10:00",
  ]);
  const howe = (start: string, end: string) => starts("Australia/Lord_Howe", "hour", start, end);
  expect(howe("2026-04-04T13:00Z", "2026-04-04T17:00Z")).toEqual([
    "04-04 13:00",
    "04-04 14:00",
    "04-04 15:00",
    "04-04 15:30",
    "04-04 16:30",
  ]);
});

test.each<[string, BucketSize]>([
  ["Europe/Madrid", "hour"],
  ["America/Santiago", "day"],
  ["America/Havana", "day"],
  ["Asia/Beirut", "day"],
  ["Australia/Lord_Howe", "hour"],
  ["Asia/Kathmandu", "week"],
  ["Asia/Beirut", "month"],
])("the buckets of %s by %s cover a range without gaps and overlaps", (timezone, size) => {
  for (const [start, end] of [
    ["2026-03-01T00:17Z", "2026-04-20T03:01Z"],
    ["2026-09-01T05:00Z", "2026-11-15T04:00Z"],
  ] as const) {
    const found = buckets(timezone, size, start, end);
    expect(found[0]?.start).toBe(Date.parse(start));
    expect(found.at(-1)?.end).toBe(Date.parse(end));
    for (const [i, bucket] of found.entries()) {
      expect(bucket.x).toBeLessThanOrEqual(bucket.start);
      expect(bucket.start).toBeLessThan(bucket.end);
      if (i > 0) expect([bucket.start, bucket.x]).toEqual([found[i - 1]?.end, bucket.start]);
    }
  }
});

test("a range that is too long ends one bucket after the limit", () => {
  expect(buckets("UTC", "hour", "1970-01-01T00:00Z", "9999-01-01T00:00Z", 10)).toHaveLength(11);
  expect(buckets("UTC", "hour", "2026-01-01T00:00Z", "2026-01-01T10:00Z", 10)).toHaveLength(10);
});
