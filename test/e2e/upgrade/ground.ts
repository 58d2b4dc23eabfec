import { expect, vi } from "vitest";
import type { Answer, Client } from "../crash/line.ts";
import type { Receiver } from "../deliveries/receivers.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SHIFT_MS = 7 * HOUR;
const MACHINES = 5;
const BATCH = 400;
const everyDay = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

const iso = (at: number) => new Date(at).toISOString();
const l10n = (text: string) => ({ en: text, es: text });
const clock = (at: number) => iso(at).slice(11, 16);

interface Machine {
  id: number;
  nodeId: number;
  /** Of its own gateway. */
  token: string;
}

/** A company with one of everything that can be read. What happens there is the same in every run of it on the same day. */
export class Ground {
  readonly #client: Client;
  readonly #start: number;
  companyId = 0;
  admin = { email: "", password: "" };
  machines: Machine[] = [];
  #operators: number[] = [];
  #orderId = "";
  #causes: { general: number; specific: number } = { general: 0, specific: 0 };

  /** @param client of a superuser */
  constructor(client: Client, now: number) {
    this.#client = client;
    // The shift ended hours ago, so that no number of it moves with the clock.
    this.#start = Math.floor(now / HOUR) * HOUR - 10 * HOUR;
  }

  /** The machine whose name each phase changes. */
  get renamed(): number {
    return this.machines[1]?.id ?? 0;
  }

  /** The shift of a phase: each has a day of its own, and the last one was today. */
  shiftOf(phase: number): { from: number; to: number } {
    const from = this.#start - (3 - phase) * DAY;
    return { from, to: from + SHIFT_MS };
  }

  /** Everything from the first shift to the last one. */
  get period(): { from: string; to: string } {
    return { from: iso(this.shiftOf(0).from - HOUR), to: iso(this.shiftOf(3).to + HOUR) };
  }

  /** Creates the company. Its webhooks go to the receiver. */
  async setUp(receiver: Receiver): Promise<void> {
    // Companies of versions without production days keep the calendar day. New ones count a shift for the day on which it starts.
    const document = await (await fetch(`${this.#client.url}/openapi.json`)).text();
    const days = document.includes('"productionDay"') ? { productionDay: "calendarDay" } : {};
    const { id: companyId } = await this.#do("POST", "/v1/companies", { name: "Ground", timezone: "UTC", ...days });
    this.companyId = companyId;
    const make = (path: string, body: object) => this.#do("POST", path, { companyId, ...body });
    this.admin = { email: `ground-${companyId}@e2e.test`, password: "three quiet machines" };
    await make("/v1/users", { name: "Ada", role: "admin", ...this.admin });
    const [begin, end] = [this.#start, this.#start + SHIFT_MS].map(clock) as [string, string];
    const pause = [this.#start + 3 * HOUR, this.#start + 3 * HOUR + 30 * MINUTE].map(clock) as [string, string];
    const breaks = [{ name: "Lunch", start: pause[0], end: pause[1], isIncludedInAvailability: false }];
    const shift = await make("/v1/shifts", { name: "Early", start: begin, end, days: everyDay, breaks });
    const line = await make("/v1/lines", { name: "Line 1" });
    for (let n = 1; n <= MACHINES; n++) {
      const about = { name: `Press ${n}`, ref: `P${n}`, nodeId: 100 + n, lineId: line.id, standardCycleSeconds: 6 };
      const times = { stopAfterSeconds: 150, commissionedAt: iso(this.#start - 6 * DAY) };
      const machine = await make("/v1/machines", { ...about, ...times });
      const gateway = await make("/v1/gateway-tokens", { name: `Gateway ${n}` });
      const configs = [{ type: "total", channel: 1, nodeId: 100 + n, countingFactor: 1 }];
      await this.#do("PUT", `/v1/machines/${machine.id}/count-sensor`, { isCountEnabled: true, configs });
      this.machines.push({ id: machine.id, nodeId: 100 + n, token: gateway.token });
    }
    for (const [i, name] of ["Jorge", "Ana"].entries()) {
      this.#operators.push((await make("/v1/operators", { name, code: `O-${i}` })).id);
    }
    for (const id of ["A", "B"]) {
      await make("/v1/skus", { id, name: `Part ${id}`, standards: [{ machineId: null, standardCycleSeconds: 10 }] });
    }
    const general = await make("/v1/stop-causes", { level: "general", name: "Jam", isProgrammed: false });
    const specific = await make("/v1/stop-causes", { level: "specific", parentId: general.id, name: "Feeder" });
    this.#causes = { general: general.id, specific: specific.id };
    const machines = this.machines.map(({ id }) => ({ machineId: id }));
    const targets = [{ targetQuantity: 20_000, skuId: "A" }];
    const workOrder = { name: "Order 1", code: "W-1", status: "InProgress" };
    await this.#do("POST", "/work-orders/production-full", { machines, targets, workOrder });
    const [order] = await this.#client.list(`/v1/work-orders?companyId=${companyId}`);
    this.#orderId = order.id;
    const plan = [{ operatorId: this.#operators[0], machineId: this.machines[4]?.id, shiftId: shift.id }];
    const { from, to } = this.period;
    await make("/v1/operator-plans", { title: "Week", since: from, until: to, assignments: plan });
    const hook = await make("/v1/webhook-subscriptions", { url: receiver.url, events: null });
    receiver.secret = hook.secret;
    await make("/v1/report-subscriptions", { name: "Shifts", kind: "shift", webhookSubscriptionIds: [hook.id] });
    await this.#do("PUT", "/v2/alert-settings/superuser/persona/new", { companyId, name: "Shift leader" });
    await make("/v1/alert-rules", { name: "Long stop", when: { kind: "stop", minutes: 5 } });
    await make("/v1/alert-rules", { name: "Late", when: { kind: "order_late" } });
    const tag = { sort: 1, subject: "Machines", tagKey: "hall", description: "Hall", color: "#ff0000", isDefault: false };
    await make("/tags/key", tag);
    const widget = await make("/v1/widgets", { title: l10n("Widget"), description: l10n("About"), spec: { a: 1 } });
    const instances = [{ widgetId: widget.id }];
    await make("/v1/dashboards", { title: l10n("Board"), description: l10n("About"), spec: {}, instances });
    await make("/v1/api-tokens", { name: "ERP", role: "readonly" });
    await make("/v1/chat-rooms", {
      name: "Room",
      service: "slack",
      language: "en",
      url: "https://hooks.slack.com/services/T/B/x",
    });
  }

  /** What happens in a phase: a shift of five gateways with stops and late events, edits of its stops, progress, a changed set-up. */
  async work(phase: number): Promise<void> {
    for (const [i, machine] of this.machines.entries()) await this.#run(phase, machine, i);
    await this.#editStops(phase);
    const { from, to } = this.shiftOf(phase);
    const progress = { skuId: "A", defects: 1 + phase, occurredAt: iso(to - MINUTE), comment: `Phase ${phase}` };
    await this.#do("PATCH", `/work/${this.#orderId}/progress`, progress);
    await this.#do("PATCH", `/v1/skus/B?companyId=${this.companyId}`, { name: `Part B ${phase}` });
    await this.#do("PATCH", `/v1/machines/${this.renamed}`, { name: nameIn(phase) });
    const orderOf = { name: `Order of phase ${phase}`, code: `W-1${phase}`, status: "Planned" };
    const targets = [{ targetQuantity: 100, skuId: "B" }];
    const machines = [{ machineId: this.machines[2]?.id }];
    const estimatedDeliveryTime = iso(from);
    await this.#do("POST", "/work-orders/production-full", {
      ...{ machines, targets },
      workOrder: { ...orderOf, estimatedDeliveryTime },
    });
    const call = await this.#do("POST", `/v1/machines/${this.machines[3]?.id}/help-calls`, { message: `Phase ${phase}` });
    await this.#do("POST", `/v1/help-calls/${call.id}/answer`, {});
  }

  async #run(phase: number, { id, nodeId, token }: Machine, i: number): Promise<void> {
    const { from, to } = this.shiftOf(phase);
    const reports = (events: object[]) => this.#do("POST", "/v1/ingest", { events }, token);
    const at = (minutes: number) => iso(from + minutes * MINUTE);
    const first = [
      { type: "operator", at: at(1), machineId: id, operatorId: this.#operators[i % 2], action: "in" },
      { type: "sku", at: at(2), machineId: id, skuId: i % 2 === 0 ? "A" : "B" },
    ];
    const minutes = Array.from({ length: (to - from) / MINUTE - 1 }, (_, minute) => minute + 1);
    // Of each machine for some time, with its gateway: no data.
    const isSilent = (minute: number) => minute > 60 && minute < 75 + i;
    const isStopped = (minute: number) => minute % 150 > 130 || (minute > 40 + i && minute < 50 + 2 * i);
    const counted = minutes
      .filter((minute) => !isStopped(minute) && !isSilent(minute))
      .map((minute) => ({ type: "count", at: at(minute), nodeId, channel: 1, value: 5 + ((minute + i + phase) % 3) }));
    const alive = minutes
      .filter((minute) => isStopped(minute) && !isSilent(minute))
      .map((minute) => ({ type: "heartbeat", at: at(minute), nodeId }));
    const isLate = ({ at: time }: { at: string }) => time > at(100) && time < at(110);
    // More than the machine can have made: it is held.
    const held = { type: "count", at: iso(to - MINUTE + 1000), nodeId, channel: 1, value: 2_000_000 };
    const onTime = [...first, ...alive, held, ...counted.filter((count) => !isLate(count))].sort((a, b) =>
      a.at < b.at ? -1 : 1,
    );
    for (const events of [...chunks(onTime), counted.filter(isLate)]) {
      const answer = await reports(events);
      expect(answer).toMatchObject({ accepted: events.length, rejected: [] });
    }
    // A gateway that repeats itself.
    expect(await reports(counted.filter(isLate))).toMatchObject({ accepted: 0 });
  }

  /** The stops of the first machine: one is classified, one split, one excluded, and one more recorded. */
  async #editStops(phase: number): Promise<void> {
    const machineId = this.machines[0]?.id;
    const { from, to } = this.shiftOf(phase);
    const path = `/v1/stops?companyId=${this.companyId}&machineIds=${machineId}&from=${iso(from)}&to=${iso(to)}`;
    let stops: Answer[] = [];
    // The machine's object flushes later, as the shift does not run.
    await vi.waitFor(
      async () => {
        stops = await this.#client.list(path);
        expect(stops.filter(({ endTime }) => endTime !== null).length).toBeGreaterThanOrEqual(3);
      },
      { timeout: 30_000, interval: 500 },
    );
    const [one, two, three] = stops.sort((a, b) => Date.parse(a.startTime) - Date.parse(b.startTime));
    const causes = { generalCauseId: this.#causes.general, specificCauseId: this.#causes.specific };
    await this.#do("PUT", `/v1/stops/${one.id}/classification`, { ...causes, description: "Wedge" });
    const middle = (Date.parse(two.startTime) + Date.parse(two.endTime)) / 2;
    await this.#do("POST", `/v1/stops/${two.id}/split`, { at: iso(Math.floor(middle / 1000) * 1000) });
    await this.#do("PATCH", `/v1/stops/${three.id}`, { isIncludedInStops: false });
    const [startTime, endTime] = [from + 20 * MINUTE, from + 25 * MINUTE].map(iso);
    await this.#do("POST", "/v1/stops", { machineId, startTime, endTime, name: "Cleaning" });
  }

  async #do(method: string, path: string, body: unknown, token?: string): Promise<Answer> {
    return await this.#client.do(method, path, body, token);
  }
}

/** The name of that machine after a phase. */
export const nameIn = (phase: number) => `Press 2, phase ${phase}`;

function chunks<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, i) => items.slice(i * BATCH, (i + 1) * BATCH));
}
