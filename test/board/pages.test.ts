import { describe, expect, it } from "vitest";
import { allOf, firstOf, someOf } from "../../src/board/data/pages.ts";

/** A list of 25 numbers in pages of ten, and the cursors that were asked for. */
function list() {
  const asked: (string | undefined)[] = [];
  const page = async ({ cursor }: { cursor?: string }) => {
    asked.push(cursor);
    const from = Number(cursor ?? 0);
    const data = Array.from({ length: Math.min(10, 25 - from) }, (_, i) => from + i);
    return { data, cursor: from + 10 < 25 ? String(from + 10) : null };
  };
  return { asked, page };
}

describe("a list in pages", () => {
  it("is read to its end", async () => {
    const { asked, page } = list();
    expect(await allOf(page)).toEqual(Array.from({ length: 25 }, (_, i) => i));
    expect(asked).toEqual([undefined, "10", "20"]);
  });

  it("says that it has more than what was wanted, and reads no more than that takes", async () => {
    const { asked, page } = list();
    const { data, hasMore } = await firstOf(15, page);
    expect([data.length, hasMore, asked.length]).toEqual([20, true, 2]);
    expect(await firstOf(25, list().page)).toMatchObject({ hasMore: false });
    expect(await someOf(3, (one) => one % 4 === 3, list().page)).toEqual([3, 7, 11]);
  });
});
