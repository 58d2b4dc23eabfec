/**
 * The gateway whose silence counts as the machine's: that of its channels, if they all have the same one; otherwise `nodeId`.
 * @param channels those that feed the machine; `until` is null while one does
 */
export function gatewayOf(nodeId: number, channels: readonly { nodeId: number; until: number | null }[]): number {
  const nodes = new Set(channels.filter(({ until }) => until === null).map((channel) => channel.nodeId));
  const [only] = nodes;
  return nodes.size === 1 && only !== undefined ? only : nodeId;
}
