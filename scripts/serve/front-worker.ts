/**
 * The Worker that takes the requests of `npm run serve`: it says from which address a request comes, as Cloudflare does, and never believes
 * what the client says about it. `request.cf.clientIp` is the peer of the connection, as workerd saw it: `address:port` or `[address]:port`.
 */
export const frontWorker = `
const addressOf = (peer) => peer.startsWith("[") ? peer.slice(1, peer.indexOf("]")) : peer.slice(0, peer.lastIndexOf(":"));
export default {
  async fetch(request, { ANDON }) {
    const headers = new Headers(request.headers);
    for (const name of [...headers.keys()]) if (/^(cf|mf)-/.test(name)) headers.delete(name);
    const peer = request.cf?.clientIp;
    if (peer) headers.set("cf-connecting-ip", addressOf(peer));
    return await ANDON.fetch(new Request(request, { headers, redirect: "manual" }));
  },
};`;
