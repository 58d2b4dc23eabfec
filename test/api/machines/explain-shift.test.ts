import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createCompany, createSku, createStopCause, createUser } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, flushMachine, ingest } from "../../support/machines.ts";
import { counts, createStoppedLine, iso, metricsOf, START, stopsOf } from "../stops/stopped-line.ts";

stopClockAtNoon();

type Line = Awaited<ReturnType<typeof createStoppedLine>>;

async function explain({ token, machineId }: Pick<Line, "token" | "machineId">, start: number) {
  const answer = await call("GET", `/v1/machines/${machineId}/shifts/${encodeURIComponent(iso(start))}/explain`, { token });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body as Explanation;
}

interface Explanation {
  shift: { startTime: string; endTime: string };
  asOf: string;
  indicatorId: number;
  segments: {
    startTime: string;
    endTime: string;
    durationInMinutes: number;
    durationMs: number;
    bucket: string;
    stop: {
      id: number;
      name: string;
      classification: { generalCause: object | null; specificCause: object | null } | null;
    } | null;
  }[];
  skus: Record<"cycles" | "total" | "defects" | "unitsWithoutTime" | "idealMs" | "cyclesWithStandard", number>[];
  shiftIndicators: Record<string, ExplainedNumber>;
  productionMetrics: Record<string, ExplainedNumber>;
}
interface ExplainedNumber {
  value: number;
  formula: string;
  inputs: Record<string, number | null>;
}

/** Every input that follows from the answer's own segments and counts, by simple arithmetic. */
function inputsByHand({ segments, skus, shift, asOf }: Explanation): Record<string, number> {
  const timeOf = (list: Explanation["segments"]) => list.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const into = (bucket: string) => segments.filter((segment) => segment.bucket === bucket);
  const buckets = segments.map(({ bucket }) => bucket);
  const [first, last] = [buckets.indexOf("available"), buckets.lastIndexOf("available")];
  const nonProgrammed = (list: Explanation["segments"]) => timeOf(list.filter(({ bucket }) => bucket === "nonProgrammed"));
  const isAnnotated = ({ bucket, stop }: Explanation["segments"][number]) =>
    (bucket === "programmed" || bucket === "nonProgrammed") &&
    Boolean(stop?.classification?.generalCause ?? stop?.classification?.specificCause);
  const sum = (member: keyof Explanation["skus"][number]) => skus.reduce((total, sku) => total + sku[member], 0);
  return {
    availableMs: timeOf(into("available")),
    noDataMs: timeOf(into("noData")),
    programmedMs: timeOf(into("programmed")),
    nonProgrammedMs: timeOf(into("nonProgrammed")),
    otherMs: timeOf(into("other")),
    lateStartMs: nonProgrammed(first < 0 ? segments : segments.slice(0, first)),
    earlyStopMs: asOf === shift.endTime && last >= 0 ? nonProgrammed(segments.slice(last)) : 0,
    annotatedMs: timeOf(segments.filter(isAnnotated)),
    cycles: sum("cycles"),
    total: sum("total"),
    defects: sum("defects"),
    unitsWithoutTime: sum("unitsWithoutTime"),
    idealMs: sum("idealMs"),
    cyclesWithStandard: sum("cyclesWithStandard"),
    lostByDefectsMs: skus.reduce((lost, { defects, idealMs, total }) => lost + (total > 0 ? (defects * idealMs) / total : 0), 0),
    recentMs: Math.min(timeOf(into("available")), 10 * MINUTE),
  };
}

/** Evaluates a formula as written: numbers, inputs, + - * / ( ) and the functions max and round. */
function evaluate(formula: string, inputs: Record<string, number | null>): number {
  const tokens = formula.match(/[A-Za-z]+|[\d.]+|[-+*/(),]/g) ?? [];
  const take = (token: string) => {
    const next = tokens.shift();
    if (next !== token) throw new Error(`${formula}: ${next} in place of ${token}`);
  };
  const sum = (): number => {
    let value = product();
    while (tokens[0] === "+" || tokens[0] === "-") value += (tokens.shift() === "+" ? 1 : -1) * product();
    return value;
  };
  const product = (): number => {
    let value = atom();
    while (tokens[0] === "*" || tokens[0] === "/") {
      const isTimes = tokens.shift() === "*";
      const factor = atom();
      value = isTimes ? value * factor : factor === 0 ? 0 : value / factor;
    }
    return value;
  };
  const atom = (): number => {
    const token = tokens.shift() ?? "";
    if (token === "(") {
      const value = sum();
      take(")");
      return value;
    }
    if (token === "max" || token === "round") {
      take("(");
      const first = sum();
      take(",");
      const second = sum();
      take(")");
      return token === "max" ? Math.max(first, second) : Math.floor(first * 10 ** second + 0.5 + 1e-9) / 10 ** second;
    }
    if (/^[\d.]/.test(token)) return Number(token);
    const input = inputs[token];
    if (typeof input !== "number") throw new Error(`${formula}: ${token} is not among the inputs`);
    return input;
  };
  const value = sum();
  if (tokens.length > 0) throw new Error(`${formula}: ${tokens.join(" ")} is left`);
  return value;
}

/** Recomputes every number of an explanation from the answer alone. */
function recompute(explanation: Explanation): void {
  const { segments, shift, asOf } = explanation;
  expect(segments[0]?.startTime).toBe(shift.startTime);
  expect(segments.at(-1)?.endTime).toBe(asOf);
  for (const [i, segment] of segments.entries()) {
    if (i > 0) expect(segment.startTime).toBe(segments[i - 1]?.endTime);
    expect(Date.parse(segment.endTime) - Date.parse(segment.startTime)).toBe(segment.durationMs);
    expect(segment.durationInMinutes).toBeCloseTo(segment.durationMs / MINUTE, 2);
  }
  const byHand = inputsByHand(explanation);
  const numbers = { ...explanation.shiftIndicators, ...prefixed(explanation.productionMetrics) };
  for (const [name, { value, formula, inputs }] of Object.entries(numbers)) {
    for (const [input, given] of Object.entries(inputs)) {
      if (input in byHand) expect(given, `${name}: ${input}`).toBeCloseTo(byHand[input] ?? 0, 3);
      else expect(["recentUnits", "standardCycleMs"]).toContain(input);
    }
    expect(value, name).toBe(recomputed(formula, inputs));
  }
}

/** The value of a formula, whose exceptions follow a semicolon. */
function recomputed(formula: string, inputs: ExplainedNumber["inputs"]): number {
  const [general = "", exception = ""] = formula.split(";");
  const withoutUnits = /without units (.+)/.exec(exception)?.[1];
  const without = /without such cycles (.+)/.exec(exception)?.[1];
  const when = /(\d+) when total and defects are 0/.exec(exception)?.[1];
  if (withoutUnits && inputs.total === 0) return evaluate(withoutUnits, inputs);
  if (without && inputs.cyclesWithStandard === 0) return evaluate(without, inputs);
  if (when && inputs.total === 0 && inputs.defects === 0) return Number(when);
  return evaluate(general, inputs);
}

const prefixed = (metrics: Record<string, ExplainedNumber>) =>
  Object.fromEntries(Object.entries(metrics).map(([name, number]) => [`production ${name}`, number]));

const valuesOf = (numbers: Record<string, ExplainedNumber>) =>
  Object.fromEntries(Object.entries(numbers).map(([name, { value }]) => [name, value]));

async function expectAsReported(line: Line, superuser: string) {
  const reported = await metricsOf({ superuser, machineId: line.machineId });
  for (const item of reported) {
    const explanation = await explain(line, Date.parse(item.shift.startTime));
    const { indicatorId, ...indicators } = item.shiftIndicators;
    expect(valuesOf(explanation.shiftIndicators)).toEqual(indicators);
    expect(valuesOf(explanation.productionMetrics)).toEqual(item.productionMetrics);
    expect(explanation.indicatorId).toBe(indicatorId);
    recompute(explanation);
  }
  return reported.length;
}

describe("the explanation of a shift", () => {
  it("explains every number of the report", async () => {
    const line = await createStoppedLine();
    const sku = await createSku(line.companyId, { standards: [{ standardCycleSeconds: 45 }] });
    await env.DB_0.prepare("UPDATE machines SET config_version = 2 WHERE id = ?").bind(line.machineId).run();
    await machineObject(env, line.machineId).configure(2);
    const general = await createStopCause(line.companyId, { name: "Jam" });
    const [first, second] = await stopsOf(line);
    await call("PUT", `/v1/stops/${first.id}/classification`, {
      token: line.token,
      body: { generalCauseId: String(general.id) },
    });
    await call("PATCH", `/v1/stops/${second.id}`, { token: line.token, body: { isProgrammed: true } });
    const body = { machineId: line.machineId, startTime: iso(START + 3 * HOUR), endTime: iso(START + 4 * HOUR), name: "Drill" };
    await call("POST", "/v1/stops", { token: line.token, body: { ...body, isIncludedInAvailability: false } });
    vi.setSystemTime(NOON + HOUR);
    await ingest(line.gateway, [
      { type: "sku", at: iso(NOON), machineId: line.machineId, skuId: sku.skuId },
      ...counts(line.machine.nodeId, NOON + MINUTE, NOON + 40 * MINUTE),
      countAt(line.machine.nodeId, NOON + 30 * MINUTE, 7, { channel: 2 }),
    ]);
    await flushMachine(line.machineId);
    expect(await expectAsReported(line, line.superuser)).toBe(2);

    const yesterday = await explain(line, START);
    expect(yesterday.segments.filter(({ stop }) => stop !== null)).toMatchObject([
      { startTime: body.startTime, endTime: body.endTime, bucket: "other", stop: { name: "Drill", classification: null } },
      { bucket: "nonProgrammed", stop: { id: first.id, name: "Jam", classification: { generalCause: { name: "Jam" } } } },
      { bucket: "programmed", stop: { id: second.id, name: "Stop", classification: null } },
      { startTime: iso(START + DAY - 20 * MINUTE), endTime: iso(START + DAY), bucket: "nonProgrammed" },
    ]);
    expect(yesterday.shiftIndicators.annotatedDowntime).toEqual({
      value: 30,
      formula: "round(annotatedMs / 60000, 2)",
      inputs: { annotatedMs: 30 * MINUTE },
    });
    const today = await explain(line, START + DAY);
    expect(today.skus).toMatchObject([
      { skuId: null, standardCycleSeconds: 30 },
      { skuId: sku.skuId, cycles: 40, total: 40, defects: 7, standardCycleSeconds: 45, idealMinutes: 30 },
    ]);
    expect(today.asOf).toBe(iso(NOON + HOUR));
  });

  it("works for a shift without production, and for one whose events are deleted", async () => {
    const line = await createStoppedLine();
    const before = await explain(line, START);
    for (let day = 1; day <= 6; day++) {
      vi.setSystemTime(NOON + day * DAY);
      // The fourth day is silent.
      if (day === 4) continue;
      const from = NOON + (day - 1) * DAY + (day === 5 ? 18 * HOUR : MINUTE);
      await ingest(line.gateway, counts(line.machine.nodeId, from, NOON + day * DAY, 2 * MINUTE));
      await flushMachine(line.machineId);
    }
    const today = { ...line, token: (await createUser(line.companyId, "readonly")).token };
    const superuser = (await createUser(line.companyId, "superuser")).token;
    expect(await expectAsReported(today, superuser)).toBe(8);
    expect(await explain(today, START)).toEqual({ ...before });
    const silent = await explain(today, START + 4 * DAY);
    expect(silent.productionMetrics.quality?.value).toBeGreaterThanOrEqual(0);
  });

  it("does not call time without data a stop", async () => {
    const line = await createStoppedLine({ noDataAfterSeconds: 300 });
    const [first] = (await explain(line, START)).segments.filter(({ bucket }) => bucket === "noData");
    expect(first).toMatchObject({ startTime: iso(START + 10 * HOUR), endTime: iso(START + 10.5 * HOUR), stop: null });
    await expectAsReported(line, line.superuser);
  });

  it("exists for the company's shifts that have begun, in one trip, or two before D1 has the record", async () => {
    const line = await createStoppedLine();
    const { token } = await createUser((await createCompany()).companyId, "superadmin");
    const ask = (start: string, as = line.token, id = line.machineId) =>
      call("GET", `/v1/machines/${id}/shifts/${encodeURIComponent(start)}/explain`, { token: as });
    await ask(iso(START));
    const answer = await ask(iso(START));
    expect(answer.headers.get("server-timing")).toContain('desc="1 trip"');
    expect((await ask("2040-05-15T02:00:00+02:00")).body).toEqual(answer.body);
    expectProblem(await ask(iso(START + 1)), 404);
    expectProblem(await ask(iso(START - DAY)), 404);
    expectProblem(await ask(iso(START + 2 * DAY)), 404);
    expectProblem(await ask("yesterday"), 400, "/path/start");
    expectProblem(await ask(iso(START), line.token, 999_999_999), 404);
    expectProblem(await ask(iso(START), token), 404);
    expect((await ask(iso(START), line.superuser)).status).toBe(200);
    // Until D1 has the record, one more query gets the shift's name.
    await env.DB_0.prepare("DELETE FROM shift_records WHERE machine_id = ? AND start_at = ?").bind(line.machineId, START).run();
    const early = await ask(iso(START));
    expect(early.body).toEqual({ ...answer.body, indicatorId: null });
    expect(early.headers.get("server-timing")).toContain('desc="2 trips"');
  });
});
