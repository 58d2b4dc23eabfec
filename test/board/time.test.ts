import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { DAY_MS, HOUR_MS, iso, MINUTE_MS, SECOND_MS } from "../../src/board/domain/time.ts";

const board = resolve(import.meta.dirname, "../../src/board");

it("adds up, and is written as the API writes it", () => {
  expect(iso(DAY_MS + 2 * HOUR_MS + 3 * MINUTE_MS + 4 * SECOND_MS + 5)).toBe("1970-01-02T02:03:04.005Z");
});

it("has its units in one place", () => {
  const elsewhere = readdirSync(board, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && path !== join("domain", "time.ts"))
    .filter((path) =>
      /\b(60_?000|3_?600_?000|86_?400_?000)\b|\b(SECOND|MINUTE|HOUR|DAY)_MS =/.test(readFileSync(join(board, path), "utf8")),
    );
  expect(elsewhere).toEqual([]);
});
