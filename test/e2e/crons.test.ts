import { describe, expect, test } from "vitest";
import { declaredCrons, isDue } from "../../scripts/crons.ts";

const at = (time: string) => Date.parse(`2026-11-22T${time}Z`);

describe("the crons that npm start runs", () => {
  test("are those of wrangler.toml, all of which it understands", () => {
    expect(declaredCrons()).toContain("* * * * *");
    expect(declaredCrons().map((cron) => typeof isDue(cron, at("06:00")))).toEqual(declaredCrons().map(() => "boolean"));
  });

  test.each([
    ["* * * * *", "06:07:00", true],
    ["*/10 * * * *", "06:10:59.999", true],
    ["*/10 * * * *", "06:11", false],
    ["0 6 * * 0", "06:00", true],
    ["0 6 * * 1-5", "06:00", false],
    ["5-20/5,40 * 22 11 *", "01:15", true],
    ["5-20/5,40 * 22 11 *", "01:40", true],
    ["5-20/5,40 * 22 11 *", "01:25", false],
  ])("%s at %s: %s", (cron, time, expected) => {
    expect(isDue(cron, at(time))).toBe(expected);
  });

  test.each(["* * * *", "@daily * * * *", "*/0 * * * *", "MON * * * *"])("%s is refused", (cron) => {
    expect(() => isDue(cron, at("06:00"))).toThrow(/^The cron/);
  });
});
