import { describe, expect, it } from "vitest";
import { pieces, type Version, versionAt } from "../../src/oee/versions.ts";

const DAY = 86_400_000;
const june = Date.UTC(2026, 5, 1);
const may = Date.UTC(2026, 4, 1);

function version(id: number, validFrom: number, more: Partial<Version> & { seconds?: number } = {}) {
  return { id, validFrom, validUntil: null, isExplicit: true, recordedAt: validFrom, withdrawnAt: null, seconds: id, ...more };
}

describe("versions", () => {
  const first = version(1, may - 30 * DAY, { isExplicit: false, seconds: 10 });
  const ofJune = version(2, june, { isExplicit: false, seconds: 12 });
  const secondsAt = (versions: readonly ReturnType<typeof version>[], at: number) => versionAt(pieces(versions, 1), at)?.seconds;

  it("a past one holds until the next change", () => {
    const all = [first, ofJune, version(3, may, { validUntil: june, seconds: 11 })];
    expect([may - 1, may, june - 1, june, june + DAY].map((at) => secondsAt(all, at))).toEqual([10, 11, 11, 12, 12]);
  });

  it("one through all later ones holds for ever, and withdrawing it shows what was there", () => {
    const all = [first, ofJune, version(3, may, { seconds: 11 })];
    expect([may - 1, may, june, june + DAY].map((at) => secondsAt(all, at))).toEqual([10, 11, 11, 11]);
    const without = [first, ofJune, version(3, may, { seconds: 11, withdrawnAt: june })];
    expect([may, june].map((at) => secondsAt(without, at))).toEqual([10, 12]);
  });

  it("of two at one instant, the one recorded last holds", () => {
    expect(secondsAt([first, version(3, may, { seconds: 8 }), version(2, may, { seconds: 9 })], may)).toBe(8);
  });

  it("before the first one its value holds, and without any nothing does", () => {
    expect(secondsAt([version(1, june, { seconds: 10 })], may)).toBe(10);
    expect(pieces([], null)).toEqual([]);
    expect(pieces([version(1, june, { withdrawnAt: june })], null)).toEqual([]);
  });

  it("what is recorded before the first event holds from the beginning, unless somebody said from when", () => {
    const late = [first, version(2, june, { isExplicit: false, seconds: 12 })];
    expect(versionAt(pieces(late, june + 1), may)?.seconds).toBe(12);
    expect(versionAt(pieces(late, null), may)?.seconds).toBe(12);
    expect(versionAt(pieces(late, june), may)?.seconds).toBe(10);
    expect(versionAt(pieces([first, version(2, june, { seconds: 12 })], null), may)?.seconds).toBe(10);
  });
});

it("hold as if every instant were painted by hand, in 3,000 random sets", () => {
  let seed = 20_261_127;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const length = 24;
  for (let run = 0; run < 3000; run++) {
    const heardAt = random(4) === 0 ? null : 1 + random(length);
    const versions = Array.from({ length: 1 + random(9) }, (_, i) => {
      const validFrom = 1 + random(length);
      return version(i + 1, validFrom, {
        validUntil: random(2) === 0 ? null : validFrom + random(8),
        isExplicit: random(2) === 0,
        recordedAt: random(length),
        withdrawnAt: random(5) === 0 ? 1 : null,
      });
    });
    const painted = paint(versions, heardAt, length + 10);
    const found = pieces(
      versions.toSorted(() => random(3) - 1),
      heardAt,
    );
    for (const [at, id] of painted.entries())
      expect(versionAt(found, at)?.id, JSON.stringify({ versions, heardAt, at })).toBe(id);
    for (const [i, piece] of found.entries()) expect(piece.since).toBeGreaterThan(found[i - 1]?.since ?? -1);
  }
});

/** The id of the version at each instant: each version writes its id at each of its instants. */
function paint(versions: readonly Version[], heardAt: number | null, length: number): (number | undefined)[] {
  const canvas: (number | undefined)[] = new Array(length).fill(undefined);
  for (const { id, validFrom, validUntil, isExplicit, recordedAt, withdrawnAt } of versions) {
    if (withdrawnAt !== null) continue;
    const isFirst = versions.every((other) => other.id >= id);
    const from = !isExplicit && (heardAt === null || recordedAt < heardAt || isFirst) ? 0 : validFrom;
    for (let at = from; at < Math.min(validUntil ?? length, length); at++) canvas[at] = id;
  }
  let last = canvas.find((id) => id !== undefined);
  return canvas.map((id) => {
    last = id ?? last;
    return last;
  });
}
