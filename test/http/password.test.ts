import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { hashPassword, verifyPassword } from "../../src/core/password.ts";
import { commonPasswordKey, isGuessable, newPassword } from "../../src/core/password-rule.ts";

const cheap = { n: 16, r: 1, p: 1 };
const owner = { email: "ana.ruiz@plant.example", name: "Ana Ruiz", company: "O'Hara's Bottling S.A." };
const faultsOf = (password: string) => newPassword.safeParse(password).error?.issues.map(({ message }) => message) ?? [];

describe("a password's length", () => {
  it.each([
    ["15 letters", "aquickbrownfox.", true],
    ["14 letters", "aquickbrownfox", false],
    ["128 letters", "a".repeat(128), true],
    ["129 letters", "a".repeat(129), false],
    ["15 code points in 30 UTF-16 units", "😀".repeat(15), true],
    ["8 code points in 16 UTF-16 units", "😀".repeat(8), false],
    ["128 code points in 256 UTF-16 units", "😀".repeat(128), true],
    ["15 letters with accents of their own, composed by NFKC", "é".normalize("NFD").repeat(15), true],
    ["14 of them", "é".normalize("NFD").repeat(14), false],
    ["128 of them", "é".normalize("NFD").repeat(128), true],
    ["spaces", "               ", true],
  ])("%s", (_what, password, isTaken) => {
    expect(faultsOf(password)).toEqual(isTaken ? [] : ["must have 15 to 128 characters"]);
  });

  it.each(["a long enough\0password", "a long enough \ud800 password", "a long enough \udfff password"])(
    "refuses %j",
    (password) => {
      expect(faultsOf(password)).toEqual(["must not contain control characters, or half of a surrogate pair"]);
    },
  );
});

describe("a guessable password", () => {
  it.each([
    ...[
      "passwordpassword",
      "P@ssw0rdP@ssw0rd1!",
      "passssword-password",
      "ｐａｓｓｗｏｒｄ password",
      "Summer2025!Summer2025!",
      "admin admin 2026",
    ],
    ...["x7Gk!x7Gk!x7Gk!", "kX9#kX9#kX9#kX9", "aaaaaaaaaaaaaaaab", "               ", "12-12-12-12-12-12"],
    ...[
      "qwertyuiopasdfghjkl",
      "1234567890123456",
      "abcdefghijklmnop",
      "zaq12wsxcde34rfv",
      "mnbvcxzlkjhgfdsa",
      "112233445566778899",
    ],
    ...["qweasdzxc123456", "йцукенгшщзхъфыва", "1q2w3e4r5t6y7u8i"],
    ...[
      "AnaRuiz1984AnaRuiz",
      "ana.ruiz@plant.example",
      "Ána Ruíz 2026 !!",
      "bottling-bottling-9",
      "O'Hara's 123456789",
      "Welcome to Andon 2026",
      "@n4 Ru1z ana!RUIZ 84",
      "b0ttl1ng-B0tt1!ng-x",
    ],
  ])("%s", (password) => {
    expect(isGuessable(password, owner)).toBe(true);
  });

  it.each([
    ...[
      "correct horse battery staple",
      "a passphrase of mine",
      "a long enough password",
      "property trust street power",
      "Ana rides a green bicycle",
    ],
    ...[
      "982734659817346509",
      "!#&*$^%@!(*)&^%$#",
      "😀🚗🌧📎🎈🧲🪁🎻🏺🗿🧊🍋🥥🦑🛶",
      "три синих дельфина",
      "kX9#vQ2!mZ7@pL4",
      "f3c1f6a2-9d1e-4a77-b0c5-0e9d6b1f2a34",
    ],
  ])("is not %s", (password) => {
    expect(isGuessable(password, owner)).toBe(false);
  });

  it("is detected in little time, whatever its owner's names are", { timeout: 120_000 }, () => {
    const random = newRandom(7);
    const text = (alphabet: string, length: number) => Array.from({ length }, () => alphabet[random(alphabet.length)]).join("");
    const alphabets = ["li", "1", "il1!", "a@4", "o0", "e3", "s$5", "t7", "lizsao1 !", "ab c"];
    const any = () => alphabets[random(alphabets.length)] ?? "";
    const owners = [
      { email: "x@y.test", name: "lililz", company: "lililililililililililz" },
      { email: `${"a.".repeat(120)}@b.example`, name: "li ".repeat(66), company: "sali".repeat(50) },
      ...Array.from({ length: 60 }, () => ({
        email: `${text(any(), 1 + random(200))}@b.example`,
        name: text(any(), 1 + random(200)),
        company: text(any(), 1 + random(200)),
      })),
    ];
    const passwords = [
      ...["a", "1", "i", "l1i", "sal1", "o0"].flatMap((part) => [
        part.repeat(128 / part.length),
        `${part.repeat(120 / part.length)}!x`,
      ]),
      ...Array.from({ length: 20 }, () => text(any(), 128)),
      "\ufdfa".repeat(7),
    ];
    const msOf = (password: string, owner: (typeof owners)[number]) => {
      const startedAt = performance.now();
      isGuessable(password, owner);
      return performance.now() - startedAt;
    };
    for (const owner of owners) {
      for (const password of passwords) {
        // The computer may be busy for a while, but not each time.
        const ms = Math.min(...[1, 2, 3].map(() => msOf(password, owner)));
        expect(ms, JSON.stringify({ password, owner })).toBeLessThan(20);
      }
    }
  });
});

describe("the most common passwords", () => {
  const isListed = async (password: string) =>
    (await env.DB_0.prepare("select 1 from common_passwords where key = ?").bind(commonPasswordKey(password)).first()) !== null;

  it("are thousands, and are compared without case", async () => {
    expect(await env.DB_0.prepare("select count(*) from common_passwords").first("count(*)")).toBeGreaterThan(9_000);
    expect(
      await Promise.all(["1qaz2wsx3edc4rfv", "1QAZ2WSX3EDC4RFV", "30SecondsToMars", "perasperaadastra"].map(isListed)),
    ).toEqual(Array(4).fill(true));
    expect(await Promise.all(["30SecondsToMars!", "correct horse battery staple"].map(isListed))).toEqual([false, false]);
  });
});

describe("a password's hash", () => {
  it("is salted, and covers the whole password in NFKC form", async () => {
    const long = `${"a".repeat(127)}é`;
    const [hash, again] = [await hashPassword(long, cheap), await hashPassword(long, cheap)];
    expect(hash).toMatch(/^scrypt\$16\$1\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(again).not.toBe(hash);
    expect(await verifyPassword(long, hash)).toBe(true);
    expect(await verifyPassword(long.normalize("NFD"), hash)).toBe(true);
    expect(await verifyPassword(`${"a".repeat(127)}e`, hash)).toBe(false);
    expect(await verifyPassword(`${long}a`, hash)).toBe(false);
    expect(await verifyPassword(long.toUpperCase(), hash)).toBe(false);
  });
});

/** Whole numbers below a bound, the same sequence each time. */
function newRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
