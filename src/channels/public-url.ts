import { configOf } from "../core/config.ts";
import { isLoopback } from "../core/loopback.ts";
import type { Fault } from "../core/problem.ts";

/** Last labels of the names of hosts inside a network or a machine. */
const innerNames = ["local", "localhost", "localdomain", "internal", "intranet", "private", "corp", "home", "lan", "arpa"];

/**
 * The reason why the service must not call a configured URL; null if it may. Only the spelling is checked: the name is resolved before each
 * call (call-out.ts). The URL is parsed as `fetch` parses it, so all spellings of an address become the same here.
 * @param allowsLoopback true allows receivers on this machine, for development
 */
export function urlFault(text: string, allowsLoopback = false): string | null {
  const url = /[\s\\\p{C}]/u.test(text) ? null : URL.parse(text);
  if (!url) return "must be a URL without spaces or backslashes";
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password";
  if (allowsLoopback && isLoopback(url)) return null;
  if (url.protocol !== "https:") return "must start with https://";
  if (url.port !== "") return "must not have a port: only 443 is called";
  return hostFault(url.hostname);
}

/** The fault of a URL in a request that the service must not call; none if it may. */
export function urlFaults(env: Env, pointer: string, url: string): Fault[] {
  const message = urlFault(url, configOf(env).ALLOW_LOOPBACK);
  return message === null ? [] : [{ pointer, code: "not_public", message }];
}

function hostFault(hostname: string): string | null {
  const labels = hostname.split(".");
  const last = labels.at(-1) ?? "";
  // The parser has turned all spellings of IPv4 into dotted decimals, and put IPv6 in brackets.
  if (hostname.startsWith("[") || /^\d+$/.test(last)) return "must have a public host name, not an address";
  if (labels.length < 2 || innerNames.includes(last)) return "must have a public host name";
  if (hostname.length > 253 || !labels.every((label) => /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/.test(label))) {
    return "must have a public host name of letters, digits and hyphens";
  }
  return null;
}

/** Ranges that are not public, as [first address, prefix length], from RFC 6890 and IANA's registry of special addresses. */
const innerIpv4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

/** True if a resolved address is on the public internet; null if the text is not an address. */
export function isPublicAddress(address: string): boolean | null {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) {
    return !innerIpv4.some(([first, bits]) => (ipv4Number(address) ^ ipv4Number(first)) >>> (32 - bits) === 0);
  }
  const hostname = address.includes(":") ? URL.parse(`http://[${address}]`)?.hostname : undefined;
  if (!hostname) return null;
  const [first = 0, second = 0] = hostname
    .slice(1, -1)
    .split(":")
    .map((group) => Number.parseInt(group || "0", 16));
  // Global unicast is 2000::/3, without its ranges for IPv4 addresses, protocols and documentation. Everything else is reserved, local or mapped.
  const isSpecial = (first === 0x2001 && (second < 0x200 || second === 0xdb8)) || first === 0x2002 || first >>> 4 === 0x3ff;
  return first >>> 13 === 1 && !isSpecial;
}

function ipv4Number(address: string): number {
  return address.split(".").reduce((number, byte) => number * 256 + Number(byte), 0);
}
