import { configOf } from "../core/config.ts";
import type { Fault } from "../core/problem.ts";

/** Of hosts inside a network or a machine. The last labels of a name. */
const innerNames = ["local", "localhost", "localdomain", "internal", "intranet", "private", "corp", "home", "lan", "arpa"];
const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Why the service must not call a URL that somebody set up; null: it may. Only the spelling is judged: where the name leads is looked up
 * before each call (call-out.ts). The URL is parsed as `fetch` parses it, so every spelling of an address ends as the same one here.
 * @param allowsLoopback for receivers on this machine, while developing
 */
export function urlFault(text: string, allowsLoopback = false): string | null {
  const url = /[\s\\\p{C}]/u.test(text) ? null : URL.parse(text);
  if (!url) return "must be a URL without spaces or backslashes";
  if (url.username !== "" || url.password !== "") return "must hold no user and no password";
  if (allowsLoopback && isLoopback(url)) return null;
  if (url.protocol !== "https:") return "must begin with https://";
  if (url.port !== "") return "must name no port: 443 alone is called";
  return hostFault(url.hostname);
}

/** Whether a URL leads to this machine, over http or https. */
export function isLoopback({ protocol, hostname }: URL): boolean {
  return /^https?:$/.test(protocol) && loopbackHosts.includes(hostname);
}

/** The fault of a URL that was sent and that the service must not call, if there is one. */
export function urlFaults(env: Env, pointer: string, url: string): Fault[] {
  const message = urlFault(url, configOf(env).ALLOW_LOOPBACK);
  return message === null ? [] : [{ pointer, code: "not_public", message }];
}

function hostFault(hostname: string): string | null {
  const labels = hostname.split(".");
  const last = labels.at(-1) ?? "";
  // The parser has made dotted decimals of all spellings of IPv4, and put IPv6 into brackets.
  if (hostname.startsWith("[") || /^\d+$/.test(last)) return "must name its host by a public name, not by an address";
  if (labels.length < 2 || innerNames.includes(last)) return "must name its host by a public name";
  if (hostname.length > 253 || !labels.every((label) => /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/.test(label))) {
    return "must name its host by a public name of letters, digits and hyphens";
  }
  return null;
}

/** [first address, bits that all of the range have in common]: not public, of RFC 6890 and IANA's registry of special addresses. */
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

/** Whether an address that a name was resolved to is one of the public internet. Null: it is no address. */
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
