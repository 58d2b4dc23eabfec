// What gateways report about themselves, which the company's hub keeps. Times are epoch ms.

/**
 * How a source does. `waiting`: it connects, or nothing was read yet. `silent`: it is connected, but nothing came for longer than it may be silent.
 * `failed`: it is not connected, or cannot be read.
 */
export const sourceStates = ["ok", "waiting", "silent", "failed"] as const;

/** What a gateway reads: a broker, a controller, an agent, a folder. */
interface GatewaySource {
  id: string;
  type: string;
  state: (typeof sourceStates)[number];
  /** When something was last read from it; null: not yet. */
  lastAt: number | null;
  perMinute: number;
  error: string | null;
}

/** Events that a gateway had to give up because its queue was full. */
interface DroppedEvents {
  /** Null: the machine is not known. */
  machineRef: string | null;
  events: number;
  from: number;
  to: number;
}

/** The events that a gateway has not sent yet. */
interface GatewayQueue {
  events: number;
  /** When the oldest of them was read; null: there are none. */
  oldestAt: number | null;
  bytes: number;
  /** How many the service refused for good. */
  quarantined: number;
  dropped: DroppedEvents[];
}

/** What a gateway reports. */
export interface GatewayStatus {
  version: string;
  startedAt: number;
  queue: GatewayQueue;
  sources: GatewaySource[];
  /** Its clock minus the service's; null: it does not know. */
  clockSkewMs: number | null;
}

/** The last report of a gateway, and when it came. */
export interface HeardGateway {
  gatewayTokenId: number;
  heardAt: number;
  status: GatewayStatus;
}

/** The part of it that alert rules look at. */
export interface GatewayCondition extends Pick<HeardGateway, "gatewayTokenId" | "heardAt"> {
  oldestAt: number | null;
  clockSkewMs: number | null;
}
