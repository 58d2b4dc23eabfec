import type { EventCode } from "../../core/fault-codes.ts";
import type { Warning } from "../../core/warnings.ts";
import { closedStatuses, type WorkOrderStatus } from "../../db/values.ts";
import type { SentEvent as SentToMachine } from "../../objects/machine-protocol.ts";
import type { MachineEvent } from "../../oee/events.ts";
import { FUTURE_LIMIT_MS, type SentEvent, sentEvent } from "./event.ts";
import type { IngestTargets, NamedInEvents } from "./queries.ts";

/** The reason why an event was refused: a code for programs, and a sentence for people that names the member. */
export interface Refusal {
  code: EventCode;
  message: string;
}

/** A machine that receives an event, and the event in the form for that machine. */
export interface Delivery {
  machineId: number;
  configVersion: number;
  event: SentToMachine;
  /** A warning about the event, which is stored nevertheless. */
  warning?: Warning;
}

export type ParsedEvent = SentEvent | Refusal;

type Machine = IngestTargets["machines"][number];

type SentCount = SentEvent & { type: "count" };

/** A channel of a machine: what a count is of. */
interface Place {
  machine: Machine;
  nodeId: number;
  channel: number;
}

/** A machine and the interval in which a channel feeds it. */
interface Feeder {
  machine: Machine;
  since: number;
  until: number;
}

/** Checks one event: its shape, and that it is not ahead of `now`. */
export function parseEvent(sent: unknown, now: number): ParsedEvent {
  const parsed = sentEvent.safeParse(sent);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const member = issue?.path.join(".");
    return { code: "invalid_event", message: member ? `${member}: ${issue?.message}` : (issue?.message ?? "is not an event") };
  }
  if (Date.parse(parsed.data.at) > now + FUTURE_LIMIT_MS) {
    return { code: "in_future", message: "at: is more than 5 minutes ahead of the service's clock" };
  }
  return parsed.data;
}

export function isRefusal(event: ParsedEvent): event is Refusal {
  return "code" in event;
}

/** The time of the oldest count; infinity if there are none. */
export function oldestCountAt(events: readonly ParsedEvent[]): number {
  let oldest = Number.POSITIVE_INFINITY;
  for (const event of events) {
    if (!isRefusal(event) && event.type === "count") oldest = Math.min(oldest, Date.parse(event.at));
  }
  return oldest;
}

/** The ids that the events refer to, for a single look-up. */
export function namedIn(events: readonly ParsedEvent[]): NamedInEvents {
  const channelNodeIds = new Set<number>();
  const channelMachineRefs = new Set<string>();
  const nodeIds = new Set<number>();
  const machineIds = new Set<number>();
  const machineRefs = new Set<string>();
  const operatorIds = new Set<number>();
  const skuIds = new Set<string>();
  const workOrderIds = new Set<string>();
  const add = <T>(ids: Set<T>, id: T | null | undefined) => id !== undefined && id !== null && ids.add(id);
  for (const event of events) {
    if (isRefusal(event)) continue;
    const isCount = event.type === "count";
    if ("nodeId" in event) add(isCount ? channelNodeIds : nodeIds, event.nodeId);
    if ("machineId" in event) add(machineIds, event.machineId);
    add(isCount ? channelMachineRefs : machineRefs, event.machineRef);
    if (event.type === "operator") add(operatorIds, event.operatorId);
    if (event.type === "sku") add(skuIds, event.skuId);
    if (event.type === "sku") add(workOrderIds, event.workOrderId);
  }
  return {
    channelNodeIds: [...channelNodeIds],
    channelMachineRefs: [...channelMachineRefs],
    nodeIds: [...nodeIds],
    machineIds: [...machineIds],
    machineRefs: [...machineRefs],
    operatorIds: [...operatorIds],
    skuIds: [...skuIds],
    workOrderIds: [...workOrderIds],
  };
}

/** Finds the machines that events are for. */
export class EventRouter {
  readonly #machines: Map<number, Machine>;
  readonly #byRef: Map<string, Machine>;
  readonly #isRemembered: boolean;
  readonly #feeders: Map<string, Feeder[]>;
  /** Operator -> whether it was deleted. */
  readonly #operators: Map<number, boolean>;
  readonly #skuIds: Set<string>;
  /** Order and machine -> the order's status. */
  readonly #orderMachines: Map<string, WorkOrderStatus>;
  readonly #orderTargets: Set<string>;

  /** @param isRemembered the machines were read some time ago: whoever gets a count by a ref checks that they are the same still */
  constructor(targets: IngestTargets, isRemembered = false) {
    const inService = targets.machines.filter(({ deletedAt }) => deletedAt === null);
    this.#machines = new Map(inService.map((machine) => [machine.id, machine]));
    this.#byRef = new Map(inService.map((machine) => [machine.ref, machine]));
    this.#isRemembered = isRemembered;
    this.#feeders = feedersOf(targets.machines);
    this.#operators = new Map(targets.operators.map(({ id, operatorDeletedAt }) => [id, operatorDeletedAt !== null]));
    this.#skuIds = new Set(targets.skus.map(({ id }) => id));
    this.#orderMachines = new Map(targets.orderMachines.map((row) => [`${row.workOrderId} ${row.machineId}`, row.status]));
    this.#orderTargets = new Set(targets.orderTargets.map((row) => `${row.workOrderId} ${row.skuId}`));
  }

  /** Whether a channel feeds or fed a machine. */
  feeds(nodeId: number, channel: number): boolean {
    return this.#feeders.has(keyOf(nodeId, channel));
  }

  /** The machine of an event, or all machines of a node for a node's heartbeat. Refusals are returned unchanged. */
  route(event: ParsedEvent): Delivery[] | Refusal {
    if (isRefusal(event)) return event;
    if (event.type === "count") return this.#routeCount(event);
    if (event.type === "heartbeat" && event.nodeId !== undefined) return this.#routeNodeHeartbeat(event, event.nodeId);
    const machine = this.#machineOf(event);
    if ("code" in machine) return machine;
    const at = Date.parse(event.at);
    switch (event.type) {
      case "heartbeat":
        return [delivery(machine, event, "heartbeat", { kind: "sample", at })];
      case "state":
        if (machine.signal === "states")
          return [delivery(machine, event, event.state, { kind: "state", at, state: event.state })];
        return { code: "not_by_states", message: "state: the machine's signal is counts, so it accepts no states" };
      case "operator": {
        const { operatorId, action } = event;
        const isDeleted = this.#operators.get(operatorId);
        // Who was deleted can still be signed out.
        if (isDeleted === undefined || (isDeleted && action === "in"))
          return { code: "unknown_operator", message: `operatorId: there is no operator ${operatorId}` };
        return [delivery(machine, event, `${operatorId} ${action}`, { kind: "operator", at, operatorId, action })];
      }
      case "sku":
        return this.#routeSku(event, machine);
    }
  }

  #routeSku(event: SentEvent & { type: "sku" }, machine: Machine): Delivery[] | Refusal {
    const { skuId, workOrderId = null } = event;
    if (!this.#skuIds.has(skuId)) return { code: "unknown_sku", message: `skuId: there is no SKU ${skuId}` };
    const status = this.#orderMachines.get(`${workOrderId} ${machine.id}`);
    if (workOrderId !== null && status === undefined) {
      return { code: "unknown_work_order", message: `workOrderId: machine ${machine.id} has no work order ${workOrderId}` };
    }
    if (workOrderId !== null && !this.#orderTargets.has(`${workOrderId} ${skuId}`)) {
      return { code: "not_in_work_order", message: `skuId: work order ${workOrderId} has no target for SKU ${skuId}` };
    }
    const isClosed = status !== undefined && closedStatuses.includes(status);
    const taken = { kind: "sku" as const, at: Date.parse(event.at), skuId, workOrderId: isClosed ? null : workOrderId };
    // The content, which tells events without an id apart, is as sent: it stays the same if the order is opened again.
    const routed = delivery(machine, event, `${skuId} ${workOrderId}`, taken);
    if (!isClosed) return [routed];
    const message = `Work order ${workOrderId} is ${status}: what is made counts for SKU ${skuId}, and for no order.`;
    return [{ ...routed, warning: { code: "work_order_closed", message } }];
  }

  #machineOf({ machineId, machineRef }: { machineId?: number | undefined; machineRef?: string | undefined }): Machine | Refusal {
    if (machineRef !== undefined) {
      const message = `machineRef: there is no machine ${machineRef}`;
      return this.#byRef.get(machineRef) ?? { code: "unknown_machine", message };
    }
    const machine = machineId === undefined ? undefined : this.#machines.get(machineId);
    return machine ?? { code: "unknown_machine", message: `machineId: there is no machine ${machineId}` };
  }

  /** Routes by the channel in force when it was counted. The machine knows the meaning of the count, and refuses it if it is not its own. */
  #routeCount(event: SentCount): Delivery[] | Refusal {
    const { id = null, value, reading, since, machineRef } = event;
    const at = Date.parse(event.at);
    const place = machineRef === undefined ? this.#placeOfChannel(event, at) : this.#placeOfMachine(event, at);
    if ("code" in place) return place;
    const { machine, nodeId, channel } = place;
    const { id: machineId, configVersion } = machine;
    const covers = since === undefined ? {} : { since: Date.parse(since) };
    const counted = reading === undefined ? { value: value ?? 0 } : { reading };
    const seen = machineRef !== undefined && this.#isRemembered ? { seenVersion: configVersion } : {};
    return [{ machineId, configVersion, event: { id, at, ...covers, nodeId, channel, ...counted, ...seen } }];
  }

  /** The machine that a channel of a gateway feeds. The schema of events has both members. */
  #placeOfChannel({ nodeId = -1, channel = -1 }: SentCount, at: number): Place | Refusal {
    const feeders = this.#feeders.get(keyOf(nodeId, channel));
    const feeder = feeders?.find(({ since, until }) => since <= at && at < until);
    if (feeder) return { machine: feeder.machine, nodeId, channel };
    const message = `channel: no machine is fed by channel ${channel} of node ${nodeId}`;
    return { code: "unknown_channel", message: feeders ? `${message} at that time` : message };
  }

  /** The channel of a machine that has a type or a number. */
  #placeOfMachine({ machineRef, sensor, channel }: SentCount, at: number): Place | Refusal {
    const machine = this.#machineOf({ machineRef });
    if ("code" in machine) return machine;
    const isMeant = (feed: Machine["channels"][number]) =>
      sensor === undefined ? feed.channel === channel : feed.type === sensor;
    const meant = machine.channels.filter(isMeant);
    const [feed, another] = meant.filter(({ since, until }) => since <= at && at < (until ?? Number.POSITIVE_INFINITY));
    if (feed && !another) return { machine, nodeId: feed.nodeId, channel: feed.channel };
    const [member, what] =
      sensor === undefined ? ["channel", `channel ${channel}`] : ["sensor", `count sensor of type ${sensor}`];
    if (feed) {
      const message = `${member}: machine ${machineRef} has more than one ${what} at that time: name the ${sensor === undefined ? "nodeId" : "channel"}`;
      return { code: "ambiguous_channel", message };
    }
    const message = `${member}: machine ${machineRef} has no ${what}`;
    return { code: "unknown_channel", message: meant.length > 0 ? `${message} at that time` : message };
  }

  #routeNodeHeartbeat(event: SentEvent, nodeId: number): Delivery[] | Refusal {
    const machines = [...this.#machines.values()].filter((machine) => machine.nodeId === nodeId);
    if (machines.length === 0) return { code: "unknown_node", message: `nodeId: no machine is on node ${nodeId}` };
    const taken = { kind: "sample" as const, at: Date.parse(event.at) };
    return machines.map((machine) => delivery(machine, event, "heartbeat node", taken));
  }
}

/** The machines that each channel feeds or fed. */
function feedersOf(machines: readonly Machine[]): Map<string, Feeder[]> {
  const feeders = new Map<string, Feeder[]>();
  for (const machine of machines) {
    for (const { nodeId, channel, since, until } of machine.channels) {
      const key = keyOf(nodeId, channel);
      const feeder = { machine, since, until: until ?? Number.POSITIVE_INFINITY };
      feeders.set(key, [...(feeders.get(key) ?? []), feeder]);
    }
  }
  return feeders;
}

function keyOf(nodeId: number, channel: number): string {
  return `${nodeId}:${channel}`;
}

function delivery(machine: Machine, sent: SentEvent, content: string, event: MachineEvent): Delivery {
  return { machineId: machine.id, configVersion: machine.configVersion, event: { id: sent.id ?? null, content, event } };
}
