import { expect, test } from "vitest";
import { csvText } from "../../src/board/domain/csv.ts";

test("a table's file has commas, or with a decimal comma semicolons, and begins with a byte order mark", () => {
  const rows = [
    ["Hour", "Made"],
    ["06:00, early", 1234.5],
  ];
  expect(csvText(rows, ".")).toBe('\uFEFFHour,Made\r\n"06:00, early",1234.5\r\n');
  expect(csvText(rows, ",")).toBe("\uFEFFHour;Made\r\n06:00, early;1234,5\r\n");
});

test("a table's file has no text that a spreadsheet reads as a formula, and all its numbers", () => {
  expect(csvText([["=1+1", -5, 'a;+b "q"']], ".")).toBe('\uFEFF\'=1+1,-5,"a;\'+b ""q"""\r\n');
});
