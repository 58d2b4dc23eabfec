import { describe, expect, it } from "vitest";
import { call } from "../../support/call.ts";
import { HOUR, MINUTE } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { createMachine, createOperator, createSku, createUser, createWorkOrder } from "../../support/factories.ts";
import { configureMachine, countAt, createLine, flushMachine, ingest, recordsOf } from "../../support/machines.ts";

// Events that name their machine by its ref, and counts that name their channel by the type of its sensor.

const iso = (at: number) => new Date(at).toISOString();

/** A count of a machine by its ref, with `sensor` or `channel`. */
function countOf({ ref }: { ref: string }, at: number, value: number, place: object) {
  return { type: "count", at: iso(at), machineRef: ref, value, ...place };
}

/** A line whose admin changes it through the API. */
async function createPlant() {
  const line = await createLine({ commissionedAt: Date.now() - 10 * HOUR, standardCycleSeconds: 1 });
  const admin = await createUser(line.companyId, "admin");
  const changed = async (method: string, path: string, body: object) => {
    const answer = await call(method, path, { token: admin.token, body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const { nodeId } = line.machine;
  const setSensors = (machineId: number, configs: object[], more: object = {}) =>
    changed("PUT", `/v1/machines/${machineId}/count-sensor`, {
      isCountEnabled: true,
      configs: configs.map((one) => ({ nodeId, countingFactor: 1, ...one })),
      ...more,
    });
  /** What a machine has received in the last ten hours: the channel and the value of each count, the kind of other events. */
  const received = async (machineId: number) => {
    const range = `from=${iso(Date.now() - 10 * HOUR)}&to=${iso(Date.now() + MINUTE)}`;
    const { body } = await call("GET", `/v1/machines/${machineId}/events?${range}`, { token: admin.token });
    const data: { type: string; nodeId: number; channel: number; value: number }[] = body.data;
    const sent = data.filter(({ type }) => type !== "end");
    return sent.map((one) =>
      one.type === "count" ? `${one.nodeId === nodeId ? "" : "?"}${one.channel}: ${one.value}` : one.type,
    );
  };
  return { ...line, admin, changed, setSensors, received };
}

describe("an event by machineRef", () => {
  it("is a count of the channel that its sensor or channel names: the same event as one by node and channel", async () => {
    const { machine, token, received } = await createPlant();
    const now = Date.now();
    const byRef = [
      countOf(machine, now - 3 * MINUTE, 5, { sensor: "total" }),
      countOf(machine, now - 2 * MINUTE, 2, { sensor: "defect" }),
      countOf(machine, now - MINUTE, 3, { channel: 1, id: "c-1", since: iso(now - 2 * MINUTE) }),
    ];
    expect(await ingest(token, byRef)).toMatchObject({ accepted: 3, duplicates: 0, rejected: [] });
    const byChannel = [
      countAt(machine.nodeId, now - 3 * MINUTE, 5),
      countAt(machine.nodeId, now - 2 * MINUTE, 2, { channel: 2 }),
      countAt(machine.nodeId, now - MINUTE, 3, { id: "c-1", since: iso(now - 2 * MINUTE) }),
    ];
    expect(await ingest(token, byChannel)).toMatchObject({ accepted: 0, duplicates: 3 });
    expect(await ingest(token, byRef)).toMatchObject({ accepted: 0, duplicates: 3 });
    expect(await received(machine.id)).toEqual(["1: 5", "2: 2", "1: 3"]);
    await flushMachine(machine.id);
    const made = (await recordsOf(machine.id)).map(({ totalUnits, defectUnits }) => [totalUnits, defectUnits]);
    expect([made.reduce((sum, [total = 0]) => sum + total, 0), made.reduce((sum, [, defects = 0]) => sum + defects, 0)]).toEqual([
      8, 2,
    ]);
  });

  it("is a heartbeat, a state, an operator or an SKU of that machine: the same event as one by its id", async () => {
    const { machine, companyId, token } = await createPlant();
    const states = await createMachine(companyId, { signal: "states" });
    const { operatorId } = await createOperator(companyId);
    const { skuId } = await createSku(companyId);
    const { workOrderId } = await createWorkOrder(machine, skuId);
    const at = iso(Date.now() - MINUTE);
    const events = [
      [machine, { type: "heartbeat", at }],
      [states, { type: "state", at, state: "running" }],
      [machine, { type: "operator", at, operatorId, action: "in" }],
      [machine, { type: "sku", at, skuId, workOrderId }],
      [machine, { type: "sku", at: iso(Date.now() - 2 * MINUTE), skuId }],
    ] as const;
    const byRef = events.map(([{ ref }, event]) => ({ ...event, machineRef: ref }));
    expect(await ingest(token, byRef)).toMatchObject({ accepted: 5, rejected: [] });
    const byId = events.map(([{ id }, event]) => ({ ...event, machineId: id }));
    expect(await ingest(token, byId)).toMatchObject({ accepted: 0, duplicates: 5, rejected: [] });
    const { body } = await call("GET", `/v1/machines/${machine.id}/state`, {
      token: (await createUser(companyId, "user")).token,
    });
    expect(body).toMatchObject({ workOrderId });
  });

  it("is refused by the member and the rule if it names none or two, and stores nothing", async () => {
    const { machine, companyId, token, received } = await createPlant();
    const { ref: machineRef, nodeId, id: machineId } = machine;
    const { operatorId } = await createOperator(companyId);
    const at = iso(Date.now() - MINUTE);
    const count = { type: "count", at, value: 1 };
    const operator = { type: "operator", at, operatorId, action: "in" };
    const cases: [event: object, message: string][] = [
      [{ ...count }, "nodeId: needs either nodeId or machineRef"],
      [{ ...count, sensor: "total" }, "nodeId: needs either nodeId or machineRef"],
      [{ ...count, nodeId }, "channel: is required with nodeId"],
      [{ ...count, nodeId, channel: 1, sensor: "total" }, "sensor: must be left out with nodeId, which needs channel"],
      [{ ...count, nodeId, channel: 1, machineRef }, "machineRef: needs either nodeId or machineRef"],
      [{ ...count, machineRef }, "sensor: needs either sensor or channel, with machineRef"],
      [{ ...count, machineRef, sensor: "total", channel: 1 }, "sensor: needs either sensor or channel, with machineRef"],
      [{ ...count, machineRef, sensor: "pieces" }, 'sensor: must be one of "cycle", "total", "good", "defect", "rework"'],
      [{ ...count, machineRef: "", sensor: "total" }, "machineRef: must not be empty"],
      [{ ...count, machineRef: "x".repeat(101), sensor: "total" }, "machineRef: must have at most 100 characters"],
      [{ type: "heartbeat", at }, "nodeId: needs either nodeId, machineId or machineRef"],
      [{ type: "heartbeat", at, machineRef, machineId }, "nodeId: needs either nodeId, machineId or machineRef"],
      [{ type: "heartbeat", at, machineRef, nodeId }, "nodeId: needs either nodeId, machineId or machineRef"],
      [{ type: "state", at, state: "running" }, "machineId: needs either machineId or machineRef"],
      [{ ...operator, machineId, machineRef }, "machineId: needs either machineId or machineRef"],
      [{ type: "sku", at, skuId: "any" }, "machineId: needs either machineId or machineRef"],
    ];
    const { accepted, rejected } = await ingest(
      token,
      cases.map(([event]) => event),
    );
    expect(accepted).toBe(0);
    expect(rejected).toEqual(cases.map(([, message], index) => ({ index, code: "invalid_event", message, isTransient: false })));
    expect(await received(machine.id)).toEqual([]);
  });

  it("waits for its machine, its sensor and its channel: what is refused is transient until they are there", async () => {
    const { companyId, machine, token, changed, setSensors, received } = await createPlant();
    const other = await createLine();
    const at = Date.now() - MINUTE;
    const ref = `NEW-${companyId}`;
    const events = [
      countOf({ ref }, at, 4, { sensor: "good", id: "n-1" }),
      countOf({ ref }, at, 1, { channel: 9, id: "n-2" }),
      { type: "heartbeat", at: iso(at), machineRef: ref, id: "n-3" },
    ];
    const refused = async (sent: object[]) => {
      const { accepted, duplicates, rejected } = await ingest(token, sent);
      expect(accepted + duplicates).toBe(sent.length - rejected.length);
      return rejected.map(({ code, message, isTransient }) => [code, message, isTransient]);
    };
    const noMachine = ["unknown_machine", `machineRef: there is no machine ${ref}`, true];
    expect(await refused(events)).toEqual([noMachine, noMachine, noMachine]);
    expect(await refused([countOf(other.machine, at, 1, { sensor: "total" })])).toMatchObject([
      ["unknown_machine", expect.any(String), true],
    ]);
    const { id } = await changed("POST", "/v1/machines", { name: ref, ref, nodeId: 1, commissionedAt: iso(at - HOUR) });
    expect(await refused(events)).toEqual([
      ["unknown_channel", `sensor: machine ${ref} has no count sensor of type good`, true],
      ["unknown_channel", `channel: machine ${ref} has no channel 9`, true],
    ]);
    await setSensors(id, [{ type: "good", channel: 9 }]);
    expect(await refused(events)).toEqual([]);
    expect(await received(id)).toEqual(["9: 4", "9: 1", "heartbeat"]);
    expect(await received(machine.id)).toEqual([]);
  });

  it("is refused if the machine has several such sensors or channels, and not for good if one of them is named", async () => {
    const { machine, token, setSensors, received } = await createPlant();
    const far = machine.nodeId === 0 ? 1 : machine.nodeId - 1;
    const two = [
      { type: "good", channel: 1 },
      { type: "good", channel: 2 },
      { type: "defect", channel: 1, nodeId: far },
    ];
    await setSensors(machine.id, two);
    const now = Date.now();
    const { rejected } = await ingest(token, [
      countOf(machine, now, 1, { sensor: "good" }),
      countOf(machine, now, 2, { channel: 1 }),
      countOf(machine, now, 3, { channel: 2 }),
      countOf(machine, now, 4, { sensor: "defect" }),
    ]);
    const ambiguous = { code: "ambiguous_channel", isTransient: false };
    expect(rejected).toEqual([
      {
        ...{ index: 0, ...ambiguous },
        message: `sensor: machine ${machine.ref} has more than one count sensor of type good at that time: name the channel`,
      },
      {
        ...{ index: 1, ...ambiguous },
        message: `channel: machine ${machine.ref} has more than one channel 1 at that time: name the nodeId`,
      },
    ]);
    expect((await received(machine.id)).toSorted()).toEqual(["2: 3", "?1: 4"]);
  });

  it("is a count of the sensor in force at its time, no matter how late or often it comes", async () => {
    const { machine, token, setSensors, received } = await createPlant();
    const before = Date.now() - HOUR;
    const count = (at: number, value: number) => countOf(machine, at, value, { sensor: "total" });
    await ingest(token, [count(before - HOUR, 1)]);
    await setSensors(machine.id, [{ type: "total", channel: 2 }]);
    const late = [count(before, 2), count(Date.now(), 3)];
    expect(await ingest(token, late)).toMatchObject({ accepted: 2, rejected: [] });
    expect(await ingest(token, late)).toMatchObject({ accepted: 0, duplicates: 2 });
    expect(await received(machine.id)).toEqual(["1: 1", "1: 2", "2: 3"]);
    const { rejected } = await ingest(token, [countOf(machine, Date.now(), 1, { sensor: "defect" })]);
    const message = `sensor: machine ${machine.ref} has no count sensor of type defect at that time`;
    expect(rejected).toEqual([{ index: 0, code: "unknown_channel", message, isTransient: true }]);
  });

  it("is audited with its machine if a person sends it", async () => {
    const { machine, admin } = await createPlant();
    const superuser = await createUser(machine.companyId, "superuser");
    const events = [
      countOf(machine, Date.now() - MINUTE, 1, { sensor: "total" }),
      countOf({ ref: "none" }, Date.now(), 1, { sensor: "total" }),
    ];
    expect(await ingest(admin.token, events)).toMatchObject({ accepted: 1 });
    await flushMachine(machine.id);
    const { body } = await call("GET", "/v1/audit?action=events.ingest", { token: superuser.token });
    expect(body.data).toMatchObject([{ after: { events: 1, rejected: 1, machineIds: [machine.id] } }]);
  });

  it("is a line of an import, as CSV too", async () => {
    const { machine, admin, received } = await createPlant();
    const at = Date.now() - HOUR;
    const lines = [
      "type,at,machineRef,sensor,channel,value",
      `count,${iso(at)},${machine.ref},total,,7`,
      `count,${iso(at + 1000)},${machine.ref},,2,1`,
      `heartbeat,${iso(at + 2000)},${machine.ref},,,`,
      `count,${iso(at + 3000)},NONE,total,,7`,
    ];
    const headers = { "content-type": "text/csv" };
    const { body } = await call("POST", "/v1/imports", { token: admin.token, body: lines.join("\n"), headers });
    const path = `/v1/imports/${body.id}`;
    await eventually(async () => {
      const done = (await call("GET", path, { token: admin.token })).body;
      expect(done).toMatchObject({ state: "done", accepted: 3, failed: 1 });
    });
    const { data } = (await call("GET", `${path}/errors`, { token: admin.token })).body;
    expect(data).toMatchObject([{ line: 5, member: "machineRef", code: "unknown_machine", message: "there is no machine NONE" }]);
    expect(await received(machine.id)).toEqual(["1: 7", "2: 1", "heartbeat"]);
  });
});

describe("the machine that a ref names", () => {
  const tripsOf = async (token: string, events: object[]) => {
    const answer = await call("POST", "/v1/ingest", { token, body: { events } });
    expect(answer.body.rejected).toEqual([]);
    return Number(/(\d+) trips?"/.exec(answer.headers.get("server-timing") ?? "")?.[1] ?? 0);
  };

  it("is looked up in one round trip, and cached for the next counts, of some of the machines as of all", async () => {
    const { companyId, machine, token, setSensors } = await createPlant();
    const next = await createMachine(companyId);
    await setSensors(next.id, [{ type: "good", channel: 7 }]);
    await call("GET", "/v1/machines", { token });
    const now = Date.now();
    const [one, other] = [countOf(machine, now, 1, { sensor: "total" }), countOf(next, now, 1, { sensor: "good" })];
    expect(await tripsOf(token, [one, other])).toBe(1);
    expect(await tripsOf(token, [other])).toBe(0);
    expect(await tripsOf(token, [countOf(machine, now, 2, { channel: 2 }), other])).toBe(0);
    // Channels of long ago, and what else has a machine, are looked up again.
    expect(await tripsOf(token, [countOf(machine, now - 5 * HOUR, 2, { channel: 2 })])).toBe(1);
    expect(await tripsOf(token, [one, { type: "heartbeat", at: iso(now), machineRef: machine.ref }])).toBe(1);
    expect(await tripsOf(token, [one, countAt(machine.nodeId, now)])).toBe(1);
  });

  it("is another one as soon as the ref was given to it", async () => {
    const { companyId, machine, token, changed, setSensors, received } = await createPlant();
    const next = await createMachine(companyId);
    await setSensors(next.id, [{ type: "total", channel: 7 }]);
    const { ref } = machine;
    const count = (value: number) => countOf({ ref }, Date.now(), value, { sensor: "total" });
    await ingest(token, [count(1)]);
    await changed("PATCH", `/v1/machines/${machine.id}`, { ref: `${ref}-old` });
    await changed("PATCH", `/v1/machines/${next.id}`, { ref });
    await Promise.all([machine.id, next.id].map(configureMachine));
    expect(await ingest(token, [count(2)])).toMatchObject({ accepted: 1, rejected: [] });
    expect([await received(machine.id), await received(next.id)]).toEqual([["1: 1"], ["7: 2"]]);
  });

  it("has another channel of the type as soon as its sensors were changed", async () => {
    const { machine, token, setSensors, received } = await createPlant();
    const count = (value: number) => countOf(machine, Date.now(), value, { sensor: "total" });
    await ingest(token, [count(1)]);
    await setSensors(machine.id, [
      { type: "total", channel: 2 },
      { type: "defect", channel: 1 },
    ]);
    expect(await ingest(token, [count(2)])).toMatchObject({ accepted: 1, rejected: [] });
    expect(await received(machine.id)).toEqual(["1: 1", "2: 2"]);
  });

  it("is gone as soon as the machine was deleted, and another one after one was made with the ref", async () => {
    const { machine, token, changed, received } = await createPlant();
    const count = () => countOf(machine, Date.now(), 1, { sensor: "total", id: "again" });
    await ingest(token, [countOf(machine, Date.now(), 3, { sensor: "total" })]);
    await changed("DELETE", `/v1/machines/${machine.id}`, {});
    await configureMachine(machine.id);
    expect((await ingest(token, [count()])).rejected).toMatchObject([{ code: "unknown_machine", isTransient: true }]);
    const again = { name: "Again", ref: machine.ref, nodeId: machine.nodeId, commissionedAt: iso(Date.now() - HOUR) };
    const { id } = await changed("POST", "/v1/machines", again);
    expect((await ingest(token, [count()])).rejected).toMatchObject([{ code: "unknown_channel", isTransient: true }]);
    expect(await received(id)).toEqual([]);
  });
});
