import { env } from "cloudflare:workers";
import { afterEach, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { HOUR, NOON, stopClockAtNoon } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { createCompany, createUser } from "../support/factories.ts";
import { changed, serviceWith } from "../support/service.ts";

// A company with more machines than a report queries, or with machines that do not answer.

stopClockAtNoon();

/** No machine of another test has these ids. */
const FIRST_ID = 2 ** 48;
const companies: number[] = [];

afterEach(async () => {
  await env.DB_0.prepare(`delete from shift_parts where company_id in (${companies})`).run();
});

/** A company with this many machines in a running shift. */
async function companyAtWork(machines: number) {
  const { companyId } = await createCompany();
  companies.push(companyId);
  const members = `machine_id, start_at, duration_ms, revision, company_id, shift_id, into_shift_ms, shift_left_ms, into_hour_ms, as_of, open_bucket,
    open_is_annotated, available_ms, no_data_ms, programmed_ms, non_programmed_ms, other_ms, annotated_ms, cycles, total_units, defect_units,
    ideal_ms, cycles_with_standard, lost_by_defects_ms, five_minutes`;
  const since = NOON - HOUR;
  await env.DB_0.prepare(
    `with recursive n (i) as (select 0 union all select i + 1 from n where i < ? - 1)
     insert into shift_parts (${members}) select ? + i, ?, ?, 1, ?, 1, 0, ?, 0, ?, 'available', 0, 0, 0, 0, 0, 0, 0, 5, 5, 0, 0, 0, 0, '' from n`,
  )
    .bind(machines, FIRST_ID + companyId * 10_000, since, HOUR, companyId, 2 * HOUR, since)
    .run();
  return { companyId, token: (await createUser(companyId, "user")).token };
}

/** Machines that answer with `answer`, and the list of queried ones. */
function machinesWith(answer: (place: number) => Promise<number>) {
  const asked: string[] = [];
  const publish = (name: string) => () => {
    asked.push(name);
    return answer(asked.length);
  };
  const MACHINES = changed(env.MACHINES, { getByName: (name: string) => ({ publish: publish(name) }) });
  return { asked, via: serviceWith({ MACHINES }) };
}

const summary = "/v1/summary?groupBy=day";
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

it("waits for 200 machines, asks 800 more afterwards, and no others", async () => {
  const { token } = await companyAtWork(1001);
  let answered = 0;
  let answeredBefore201st = Number.NaN;
  const { asked, via } = machinesWith(async (place) => {
    if (place === 201) answeredBefore201st = answered;
    await pause(5);
    answered += 1;
    return NOON;
  });
  const { status, body } = await call("GET", summary, { token, via });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.total.total).toBe(5 * 1001);
  await eventually(() => expect(answered).toBe(1000));
  await pause(500);
  expect(new Set(asked).size).toBe(1000);
  expect(asked).toHaveLength(1000);
  expect(answeredBefore201st).toBe(200);
});

it("answers with D1's data if the machines do not answer within three seconds in total", async () => {
  const { token } = await companyAtWork(60);
  const { asked, via } = machinesWith(() => new Promise(() => undefined));
  const startedAt = performance.now();
  const { status, body } = await call("GET", summary, { token, via });
  const ms = performance.now() - startedAt;
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.total.total).toBe(5 * 60);
  expect(asked.length).toBeGreaterThan(0);
  expect(ms).toBeGreaterThan(2500);
  expect(ms).toBeLessThan(9000);
});
