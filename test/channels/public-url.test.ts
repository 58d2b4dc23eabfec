import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPublicAddress, urlFault } from "../../src/channels/public-url.ts";

const byte = fc.integer({ min: 0, max: 255 });
const spellings = [
  String,
  (n: number) => `0${n.toString(8)}`,
  (n: number) => `0x${n.toString(16)}`,
  (n: number) => `0X00${n.toString(16)}`,
];

/** An IPv4 address with its last parts combined, each part in another base. */
const ipv4 = fc
  .tuple(
    fc.tuple(byte, byte, byte, byte),
    fc.integer({ min: 1, max: 4 }),
    fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 }),
  )
  .map(([bytes, parts, bases]) => {
    const numbers = [...bytes.slice(0, parts - 1), bytes.slice(parts - 1).reduce((number, one) => number * 256 + one, 0)];
    return numbers.map((number, i) => spellings[bases[i] ?? 0]?.(number)).join(".");
  });

const fullWidth = (text: string) => text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));
const percent = (text: string) => [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join("");
const ideographicDots = (text: string) => text.replaceAll(".", "。");
const disguise = fc.constantFrom(
  (text: string) => text,
  fullWidth,
  percent,
  ideographicDots,
  (text: string) => text.toUpperCase(),
);
const dots = fc.constantFrom("", ".", "..");

const ipv6 = fc.oneof(
  fc.ipV6(),
  fc.tuple(byte, byte, byte, byte).map((bytes) => `::ffff:${bytes.join(".")}`),
  fc.tuple(byte, byte, byte, byte).map((bytes) => `64:ff9b::${bytes.join(".")}`),
);

const label = fc.stringMatching(/^[a-z]([a-z\d-]{0,20}[a-z\d])?$/).filter((text) => !text.startsWith("xn--"));

describe("urlFault", () => {
  test("refuses IPv4 addresses in any spelling", () => {
    fc.assert(
      fc.property(ipv4, disguise, dots, (address, disguised, end) => {
        expect(urlFault(`https://${disguised(address)}${end}/hook`)).not.toBeNull();
      }),
      { numRuns: 2000 },
    );
  });

  test("refuses IPv6 addresses in any spelling", () => {
    fc.assert(
      fc.property(ipv6, (address) => {
        expect(urlFault(`https://[${address}]/hook`)).not.toBeNull();
      }),
      { numRuns: 1000 },
    );
  });

  test("refuses names inside a network, in any spelling", () => {
    const inner = fc.constantFrom("local", "localhost", "internal", "home.arpa", "lan", "corp", "localdomain");
    fc.assert(
      fc.property(fc.array(label, { maxLength: 3 }), inner, disguise, dots, (labels, end, disguised, dot) => {
        expect(urlFault(`https://${disguised([...labels, end].join("."))}${dot}/hook`)).not.toBeNull();
      }),
      { numRuns: 1000 },
    );
  });

  test("allows public names", () => {
    fc.assert(
      fc.property(
        fc.array(label, { minLength: 1, maxLength: 4 }),
        fc.constantFrom("com", "es", "io", "example"),
        (labels, end) => {
          expect(urlFault(`https://${[...labels, end].join(".")}/hook?a=b`)).toBeNull();
        },
      ),
      { numRuns: 1000 },
    );
  });

  test.each([
    "",
    "hooks.example.com",
    "//hooks.example.com/a",
    "http://hooks.example.com/a",
    "ftp://hooks.example.com/a",
    "file:///etc/passwd",
    "data:text/plain,hello",
    "https://hooks.example.com:8443/a",
    "https://hooks.example.com:80/a",
    "https://user@hooks.example.com/a",
    "https://user:password@hooks.example.com/a",
    "https://:password@hooks.example.com/a",
    "https://hooks.example.com\\@localhost/a",
    "https://hooks.example.com\t/a",
    " https://hooks.example.com/a",
    "https://hooks.example.com/a b",
    "https://hooks",
    "https://hooks.example.com./a",
    "https://hooks..example.com/a",
    "https://-hooks.example.com/a",
    "https://hooks_.example.com/a",
    `https://${"a".repeat(64)}.example.com/a`,
    `https://${"a.".repeat(127)}example.com/a`,
    "https://localhost%2e/a",
    "https://169.254.169.254/latest/meta-data",
    "https://metadata.google.internal/",
    "https://0/",
    "https://127.1",
    "https://0177.1",
    "https://2130706433",
    "https://[::1]",
    "https://[::ffff:7f00:1]",
    "https://[fe80::1%25eth0]/",
    "https://xn--n3h/",
  ])("refuses %j", (url) => {
    expect(urlFault(url)).not.toBeNull();
  });

  test.each([
    "https://hooks.example.com",
    "https://hooks.example.com:443/a?b=c#d",
    "HTTPS://HOOKS.EXAMPLE.COM/a",
    "https://bücher.example/ñ",
  ])("allows %j", (url) => {
    expect(urlFault(url)).toBeNull();
  });

  test("allows loopback, over http and on any port, only on request", () => {
    for (const url of [
      "http://localhost:9000/a",
      "http://127.0.0.1:9000",
      "https://127.1/",
      "http://[::1]:1/",
      "http://LOCALHOST:1",
    ]) {
      expect([urlFault(url), urlFault(url, true)], url).toEqual([expect.any(String), null]);
    }
    for (const url of [
      "http://a@localhost:9",
      "http://10.0.0.1:9",
      "http://hooks.example.com",
      "http://localhost.example.com",
      "ws://localhost",
    ]) {
      expect(urlFault(url, true), url).not.toBeNull();
    }
  });
});

describe("isPublicAddress", () => {
  test.each([
    ["8.8.8.8", true],
    ["1.1.1.1", true],
    ["172.15.255.255", true],
    ["172.32.0.0", true],
    ["100.128.0.1", true],
    ["192.0.1.1", true],
    ["223.255.255.255", true],
    ["2606:4700:4700::1111", true],
    ["2a00:1450:4003:80f::200e", true],
    ["2001:4860:4860::8888", true],
    ["0.0.0.0", false],
    ["10.1.2.3", false],
    ["100.64.0.1", false],
    ["127.0.0.1", false],
    ["127.255.255.254", false],
    ["169.254.169.254", false],
    ["172.16.0.1", false],
    ["172.31.255.255", false],
    ["192.0.0.8", false],
    ["192.0.2.1", false],
    ["192.88.99.1", false],
    ["192.168.1.1", false],
    ["198.19.0.1", false],
    ["198.51.100.7", false],
    ["203.0.113.9", false],
    ["224.0.0.1", false],
    ["240.0.0.1", false],
    ["255.255.255.255", false],
    ["::", false],
    ["::1", false],
    ["::ffff:8.8.8.8", false],
    ["::ffff:7f00:1", false],
    ["64:ff9b::a00:1", false],
    ["100::1", false],
    ["fc00::1", false],
    ["fd12:3456::1", false],
    ["fe80::1", false],
    ["fec0::1", false],
    ["ff02::1", false],
    ["2001::1", false],
    ["2001:1ff::1", false],
    ["2001:db8::1", false],
    ["2002:a00:1::", false],
    ["3fff::1", false],
    ["5f00::1", false],
    ["receiver.example.com.", null],
    ["", null],
    [":::", null],
  ])("%s: %s", (address, isPublic) => {
    expect(isPublicAddress(address)).toBe(isPublic);
  });

  test("is never true in Node's ranges of private IPv4 addresses", () => {
    const inner = fc.oneof(
      fc.tuple(byte, byte, byte).map((rest) => `10.${rest.join(".")}`),
      fc.tuple(byte, byte, byte).map((rest) => `127.${rest.join(".")}`),
      fc.tuple(fc.integer({ min: 16, max: 31 }), byte, byte).map((rest) => `172.${rest.join(".")}`),
      fc.tuple(byte, byte).map((rest) => `192.168.${rest.join(".")}`),
      fc.tuple(byte, byte).map((rest) => `169.254.${rest.join(".")}`),
    );
    fc.assert(
      fc.property(inner, (address) => isPublicAddress(address) === false),
      { numRuns: 500 },
    );
  });
});
