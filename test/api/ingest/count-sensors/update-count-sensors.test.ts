import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createChannels, createCompany, createMachine, createUser } from "../../../support/factories.ts";
import { overtakenBy } from "../../../support/overtaken.ts";

const path = "/backoffice/machines/count-sensors";
const config = (channel: number, more: object = {}) => ({ type: "cycle", countingFactor: 1, channel, nodeId: 7, ...more });
const entry = (machineRef: string, ...configs: unknown[]) => ({ machineRef, isCountEnabled: true, configs });

async function newPlant() {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "superuser");
  const patch = (body: object, via?: (request: Request) => Promise<Response>) =>
    call("PATCH", path, { token, body: { companyId, ...body }, ...(via && { via }) });
  const newRef = async () => (await createMachine(companyId)).ref;
  return { companyId, token, patch, newRef };
}

/** The stored sensors of a machine, as an entry of the contract; null if it has none. */
async function stored(companyId: number, machineRef: string) {
  const ofMachine = "machine_id = (select id from machines where company_id = ? and ref = ?)";
  const [sensors, channels] = await env.DB_0.batch<Record<string, unknown>>([
    env.DB_0.prepare(`select is_count_enabled from count_sensors where ${ofMachine}`).bind(companyId, machineRef),
    env.DB_0.prepare(
      `select company_id, type, counting_factor, channel, node_id from count_channels where ${ofMachine} and until is null order by node_id, channel`,
    ).bind(companyId, machineRef),
  ]);
  const [first] = sensors?.results ?? [];
  if (!first) return null;
  const configs = (channels?.results ?? []).map((row) => {
    expect(row.company_id).toBe(companyId);
    return { type: row.type, countingFactor: row.counting_factor, channel: row.channel, nodeId: row.node_id };
  });
  return { machineRef, isCountEnabled: first.is_count_enabled === 1, configs };
}

const expectCodes = (answer: { body: { errors: { pointer: string; code: string }[] } }, codes: Record<string, string>) =>
  expect(Object.fromEntries(answer.body.errors.map(({ pointer, code }) => [pointer, code]))).toEqual(codes);

describe("count sensors", () => {
  it("are added, replaced wholly and deleted by one request, in two trips once the caller is known", async () => {
    const { companyId, patch, newRef } = await newPlant();
    const [kept, changed, gone, fresh] = [await newRef(), await newRef(), await newRef(), await newRef()];
    const all = [entry(kept, config(1)), entry(changed, config(2), config(3, { type: "defect" })), entry(gone, config(4))];
    const first = await patch({ added: all, updated: [], deleted: [] });
    expect(first).toMatchObject({ status: 204, body: null });
    expect(first.headers.get("server-timing")).toContain('desc="3 trips"');
    for (const one of all) expect(await stored(companyId, one.machineRef)).toEqual(one);

    const replaced = { ...entry(changed, config(3, { type: "good", countingFactor: 1_000_000 })), isCountEnabled: false };
    const added = entry(fresh, config(0, { nodeId: 2 ** 31 }), config(2 ** 31, { type: "rework", nodeId: 0 }));
    const second = await patch({ added: [added], updated: [replaced], deleted: [{ machineRef: gone }] });
    expect(second.status).toBe(204);
    expect(second.headers.get("server-timing")).toContain('desc="2 trips"');
    expect(await stored(companyId, kept)).toEqual(all[0]);
    expect(await stored(companyId, changed)).toEqual(replaced);
    expect(await stored(companyId, gone)).toBeNull();
    expect(await stored(companyId, fresh)).toEqual({ ...added, configs: added.configs.toReversed() });
  });

  it("may be without channels, and lists may be left out", async () => {
    const { companyId, patch, newRef } = await newPlant();
    const ref = await newRef();
    expect((await patch({ added: [entry(ref)] })).status).toBe(204);
    expect(await stored(companyId, ref)).toEqual(entry(ref));
    expect((await patch({})).status).toBe(204);
    expect(await stored(companyId, ref)).toEqual(entry(ref));
  });

  it("to delete need only their machine", async () => {
    const { companyId, patch, newRef } = await newPlant();
    const ref = await newRef();
    await patch({ added: [entry(ref, config(1))] });
    expect((await patch({ deleted: [{ machineRef: ref, isCountEnabled: "?", configs: [{ type: 3 }] }] })).status).toBe(204);
    expect(await stored(companyId, ref)).toBeNull();
  });

  it("move a channel to another machine within one request", async () => {
    const { companyId, patch, newRef } = await newPlant();
    const [a, b, c] = [await newRef(), await newRef(), await newRef()];
    await patch({ added: [entry(a, config(1)), entry(b, config(2))] });
    const swapped = [entry(a, config(2)), entry(b, config(1))];
    expect((await patch({ updated: swapped })).status).toBe(204);
    expect(await stored(companyId, a)).toEqual(swapped[0]);
    expect((await patch({ added: [entry(c, config(1))], deleted: [{ machineRef: b }] })).status).toBe(204);
    expect(await stored(companyId, c)).toEqual(entry(c, config(1)));
    expect(await stored(companyId, b)).toBeNull();
  });

  it("of two companies may have the same channels", async () => {
    const one = await newPlant();
    const other = await newPlant();
    const ref = `M-${crypto.randomUUID()}`;
    await createMachine(one.companyId, { ref });
    await createMachine(other.companyId, { ref });
    expect((await one.patch({ added: [entry(ref, config(1))] })).status).toBe(204);
    expect((await other.patch({ added: [entry(ref, config(1))] })).status).toBe(204);
    expect((await other.patch({ deleted: [{ machineRef: ref }] })).status).toBe(204);
    expect(await stored(one.companyId, ref)).toEqual(entry(ref, config(1)));
  });
});

describe("a refusal changes nothing and names every fault:", () => {
  it("members that the contract does not allow", async () => {
    const { companyId, patch, newRef } = await newPlant();
    const ref = await newRef();
    const good = entry(ref, config(1));
    const faulty: [string, object][] = [
      ["/added/1/configs/0/type", entry("x", config(2, { type: "cycles" }))],
      ["/added/1/configs/0/countingFactor", entry("x", config(2, { countingFactor: 0 }))],
      ["/added/1/configs/0/countingFactor", entry("x", config(2, { countingFactor: 1_000_001 }))],
      ["/added/1/configs/0/countingFactor", entry("x", config(2, { countingFactor: 1.5 }))],
      ["/added/1/configs/0/countingFactor", entry("x", config(2, { countingFactor: "2" }))],
      ["/added/1/configs/0/channel", entry("x", config(-1))],
      ["/added/1/configs/0/channel", entry("x", config(2 ** 31 + 1))],
      ["/added/1/configs/0/nodeId", entry("x", config(2, { nodeId: 0.5 }))],
      ["/added/1/configs/0/nodeId", entry("x", config(2, { nodeId: null }))],
      ["/added/1/isCountEnabled", { machineRef: "x", configs: [] }],
      ["/added/1/isCountEnabled", { ...entry("x"), isCountEnabled: 1 }],
      ["/added/1/configs", { machineRef: "x", isCountEnabled: true }],
      ["/added/1/configs", entry("x", ...Array.from({ length: 65 }, (_, i) => config(i + 2)))],
      ["/added/1/machineRef", entry("")],
      ["/added/1", []],
    ];
    for (const [pointer, bad] of faulty) expectProblem(await patch({ added: [good, bad] }), 400, pointer);
    expectProblem(await patch({ added: [good], deleted: [{}] }), 400, "/deleted/0/machineRef");
    expectProblem(await patch({ added: [good], updated: null }), 400, "/updated");
    expectProblem(await patch({ added: [good], companyId: String(companyId) }), 400, "/companyId");
    const several = entry("x", config(-1, { type: "?" }), config(2, { nodeId: -1 }));
    const pointers = ["/configs/0/channel", "/configs/0/type", "/configs/1/nodeId"].map((rest) => `/added/1${rest}`);
    expectProblem(await patch({ added: [good, several] }), 400, ...pointers);
    expect(await stored(companyId, ref)).toBeNull();
  });

  it("a body without a company", async () => {
    const { token } = await newPlant();
    expectProblem(await call("PATCH", path, { token, body: { added: [] } }), 400, "/companyId");
  });

  it("a machine or a channel given twice", async () => {
    const { companyId, patch, newRef } = await newPlant();
    const [a, b, old] = [await newRef(), await newRef(), await newRef()];
    await patch({ added: [entry(old, config(9))] });
    const answer = await patch({
      added: [entry(a, config(1), config(1, { type: "defect" })), entry(b, config(1, { nodeId: 8 })), entry(a)],
      updated: [entry(old, config(1))],
      deleted: [{ machineRef: b }, { machineRef: old }],
    });
    const faults = {
      "/added/0/configs/1/channel": "repeated",
      "/added/2/machineRef": "repeated",
      "/updated/0/configs/0/channel": "repeated",
      "/deleted/0/machineRef": "repeated",
      "/deleted/1/machineRef": "repeated",
    };
    expectProblem(answer, 400, ...Object.keys(faults));
    expectCodes(answer, faults);
    expect(await stored(companyId, a)).toBeNull();
    expect(await stored(companyId, old)).toEqual(entry(old, config(9)));
  });

  it("an unknown company or machine, or one of another company, or a deleted one", async () => {
    const { companyId, patch, newRef } = await newPlant();
    const ref = await newRef();
    expectProblem(await patch({ companyId: 2 ** 40, added: [entry(ref)] }), 404, "/companyId");
    const foreign = await createMachine((await createCompany()).companyId);
    const deleted = await createMachine(companyId, { deletedAt: Date.now() });
    const answer = await patch({ added: [entry(ref), entry("none"), entry(foreign.ref)], updated: [entry(deleted.ref)] });
    expectProblem(answer, 404, "/added/1/machineRef", "/added/2/machineRef", "/updated/0/machineRef");
    expect(await stored(companyId, ref)).toBeNull();
  });

  it("sensors to update or delete that do not exist", async () => {
    const { companyId, patch, newRef } = await newPlant();
    const [a, b, old] = [await newRef(), await newRef(), await newRef()];
    await patch({ added: [entry(old, config(9))] });
    const answer = await patch({ updated: [entry(a), entry(old)], deleted: [{ machineRef: b }] });
    expectProblem(answer, 404, "/updated/0/machineRef", "/deleted/0/machineRef");
    expectCodes(answer, { "/updated/0/machineRef": "not_configured", "/deleted/0/machineRef": "not_configured" });
    expect(await stored(companyId, old)).toEqual(entry(old, config(9)));
  });

  it("sensors to add that exist already, and channels of another machine", async () => {
    const { companyId, patch, newRef } = await newPlant();
    const [a, old] = [await newRef(), await newRef()];
    const holder = await createMachine(companyId, { nodeId: 7 });
    await createChannels(holder, [{ channel: 1, type: "cycle" }]);
    await patch({ added: [entry(old, config(9))] });
    const answer = await patch({ added: [entry(old, config(9)), entry(a, config(2), config(1))] });
    const faults = { "/added/0/machineRef": "already_configured", "/added/1/configs/1/channel": "channel_taken" };
    expectProblem(answer, 409, ...Object.keys(faults));
    expectCodes(answer, faults);
    expect(answer.body.errors[1].message).toContain(holder.ref);
    expectProblem(await patch({ updated: [entry(old, config(1))] }), 409, "/updated/0/configs/0/channel");
    expect(await stored(companyId, a)).toBeNull();
    expect(await stored(companyId, old)).toEqual(entry(old, config(9)));
  });

  it("faults of all kinds, with the status of the first kind: invalid, missing, in conflict", async () => {
    const { patch, newRef } = await newPlant();
    const [a, b, old] = [await newRef(), await newRef(), await newRef()];
    await patch({ added: [entry(old, config(9))] });
    const conflicts = [entry(old), entry(a, config(9))];
    const pointers = ["/added/0/machineRef", "/added/1/configs/0/channel", "/updated/0/machineRef"];
    expectProblem(await patch({ added: conflicts, updated: [entry(b)] }), 404, ...pointers);
    const repeated = { added: conflicts, updated: [entry(b)], deleted: [{ machineRef: a }] };
    expectProblem(await patch(repeated), 400, ...pointers, "/deleted/0/machineRef");
  });
});

describe("requests at the same time", () => {
  it("for the same channel: one gets it, the others a conflict", async () => {
    const { companyId, patch, newRef } = await newPlant();
    const refs = await Promise.all(Array.from({ length: 5 }, newRef));
    // The first request looks up the caller, and would lag behind the others.
    await patch({});
    const answers = await Promise.all(refs.map((ref) => patch({ added: [entry(ref, config(1))] })));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409, 409]);
    for (const answer of answers) if (answer.status === 409) expectProblem(answer, 409, "/added/0/configs/0/channel");
    const holders = (await Promise.all(refs.map((ref) => stored(companyId, ref)))).filter((one) => one !== null);
    expect(holders).toEqual([entry(refs[answers.findIndex(({ status }) => status === 204)] ?? "", config(1))]);
  });

  it("for different channels all succeed", async () => {
    const { companyId, patch, newRef } = await newPlant();
    const refs = await Promise.all(Array.from({ length: 3 }, newRef));
    const answers = await Promise.all(refs.map((ref, i) => patch({ added: [entry(ref, config(i))] })));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    for (const [i, ref] of refs.entries()) expect(await stored(companyId, ref)).toEqual(entry(ref, config(i)));
  });

  it("for the same channel that both find free: the later one to write gets a conflict", async () => {
    const { companyId, patch, newRef } = await newPlant();
    const [slow, quick] = [await newRef(), await newRef()];
    const overtake = async () => expect((await patch({ added: [entry(quick, config(1))] })).status).toBe(204);
    const overtaken = await patch({ added: [entry(slow, config(1))] }, overtakenBy(overtake));
    expectProblem(overtaken, 409, "/added/0/configs/0/channel");
    expect(await stored(companyId, slow)).toBeNull();
    expect(await stored(companyId, quick)).toEqual(entry(quick, config(1)));
  });

  it("start over when another one writes in between, at most ten times", async () => {
    const { companyId, patch, newRef } = await newPlant();
    const [overtaken, starved] = [await newRef(), await newRef()];
    const other = await newRef();
    await patch({ added: [entry(other)] });
    let factor = 1;
    const overtake = async () =>
      expect((await patch({ updated: [entry(other, config(9, { countingFactor: ++factor }))] })).status).toBe(204);
    const twice = await patch({ added: [entry(overtaken, config(1))] }, overtakenBy(overtake, overtake));
    expect(twice.status).toBe(204);
    expect(await stored(companyId, overtaken)).toEqual(entry(overtaken, config(1)));
    const always = await patch(
      { added: [entry(starved, config(2))] },
      overtakenBy(...Array.from({ length: 10 }, () => overtake)),
    );
    expectProblem(always, 409);
    expect(await stored(companyId, starved)).toBeNull();
  });
});
