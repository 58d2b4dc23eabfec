const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"];

/** True if a URL points to this machine, over http or https. */
export function isLoopback({ protocol, hostname }: URL): boolean {
  return /^https?:$/.test(protocol) && loopbackHosts.includes(hostname);
}

/** True if the address of a peer is this machine's own. */
export function isLoopbackAddress(address: string): boolean {
  return /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(address) || address === "::1";
}
