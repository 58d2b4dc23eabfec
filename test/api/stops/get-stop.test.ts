import { expect, it, vi } from "vitest";
import { call } from "../../support/call.ts";
import { HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createCompany, createUser } from "../../support/factories.ts";
import { createStoppedLine, iso, START, stopsOf } from "./stopped-line.ts";

stopClockAtNoon();

it("returns a stop with its slice in each shift, in one trip", async () => {
  const line = await createStoppedLine();
  const overnight = (await stopsOf(line))[2];
  const midnight = START + 24 * HOUR;
  const { body, headers } = await call("GET", `/v1/stops/${overnight.id}`, { token: line.token });
  const slices = [
    { shiftId: line.shiftId, shiftStart: iso(START), startTime: iso(midnight - 20 * MINUTE), endTime: iso(midnight) },
    { shiftId: line.shiftId, shiftStart: iso(midnight), startTime: iso(midnight), endTime: iso(midnight + 20 * MINUTE) },
  ];
  expect(body).toEqual({ ...overnight, updatedAt: expect.any(String), slices });
  expect(headers.get("server-timing")).toContain('desc="1 trip"');
});

it("answers 304 while nothing that it shows has changed", async () => {
  const line = await createStoppedLine();
  const [first, , , running] = await stopsOf(line);
  const get = (id: number, tag?: string | null) =>
    call("GET", `/v1/stops/${id}`, { token: line.token, ...(tag && { headers: { "if-none-match": tag } }) });
  const etag = (await get(first.id)).headers.get("etag");
  expect(etag).toMatch(/^"0-[0-9a-f]+"$/);
  const unchanged = await get(first.id, `"x", W/${etag}`);
  expect(unchanged.status).toBe(304);
  expect(unchanged.body).toBeNull();
  expect(unchanged.headers.get("etag")).toBe(etag);
  await call("PATCH", `/v1/stops/${first.id}`, { token: line.token, body: { name: "Jam" } });
  const changed = await get(first.id, etag);
  expect(changed.status).toBe(200);
  expect(changed.headers.get("etag")).toMatch(/^"1-/);
  // The open stop is longer a minute later.
  const growing = (await get(running.id)).headers.get("etag");
  vi.setSystemTime(NOON + MINUTE);
  expect((await get(running.id, growing)).body.durationInMinutes).toBe(61);
});

it("hides another company's stops, except from superusers", async () => {
  const line = await createStoppedLine();
  const [stop] = await stopsOf(line);
  const { companyId } = await createCompany();
  const as = async (role: "superadmin" | "superuser") => (await createUser(companyId, role)).token;
  expectProblem(await call("GET", `/v1/stops/${stop.id}`, { token: await as("superadmin") }), 404);
  expect((await call("GET", `/v1/stops/${stop.id}`, { token: await as("superuser") })).status).toBe(200);
  expectProblem(await call("GET", "/v1/stops/1", { token: line.token }), 404);
  expectProblem(await call("GET", "/v1/stops/1.5", { token: line.token }), 400, "/path/id");
});
