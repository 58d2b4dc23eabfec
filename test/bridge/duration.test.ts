import { expect, test } from "vitest";
import { byteSize, duration } from "../../bridge/src/config/duration.ts";

test("durations and sizes of the configuration are read with their units, and others are refused with an example", () => {
  expect(["500ms", "30s", "5min", "72h", "14d"].map((text) => duration.parse(text))).toEqual([
    500, 30_000, 300_000, 259_200_000, 1_209_600_000,
  ]);
  expect(["500MB", "2GB"].map((text) => byteSize.parse(text))).toEqual([500_000_000, 2_000_000_000]);
  for (const text of ["", "5", "-5s", "5 s", "5m", "1.5s"])
    expect(duration.safeParse(text).error?.message).toContain('such as \\"500ms\\"');
  for (const text of ["2", "2gb", "2GiB"]) expect(byteSize.safeParse(text).success).toBe(false);
});
