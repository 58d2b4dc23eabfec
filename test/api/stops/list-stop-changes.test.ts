import { expect, it, vi } from "vitest";
import { createAuditEntry } from "../../support/audit.ts";
import { call } from "../../support/call.ts";
import { MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createCompany, createUser } from "../../support/factories.ts";
import { createStoppedLine, iso, stopsOf } from "./stopped-line.ts";

stopClockAtNoon();

it("shows what people changed, newest first, page by page, to everyone who sees the stop", async () => {
  const line = await createStoppedLine();
  const [stop, other] = await stopsOf(line);
  const path = `/v1/stops/${stop.id}`;
  const reader = await createUser(line.companyId, "readonly");
  const ask = (query = "") => call("GET", `${path}/changes${query}`, { token: reader.token });
  expect((await ask()).body).toEqual({ data: [], cursor: null });

  await call("PATCH", path, { token: line.token, body: { name: "Jam" } });
  await call("PATCH", `/v1/stops/${other.id}`, { token: line.token, body: { name: "Not this one" } });
  vi.setSystemTime(NOON + MINUTE);
  const at = iso(Date.parse(stop.startTime) + MINUTE);
  await call("POST", `${path}/split`, { token: line.token, body: { at } });
  const { body } = await ask();
  expect(body.data).toMatchObject([
    { action: "split", apiTokenId: null, before: { name: "Jam" }, after: [{ endTime: at }, { startTime: at }] },
    { action: "change", user: { name: expect.stringMatching(/^User /) }, before: { name: null }, after: { name: "Jam" } },
  ]);

  const first = (await ask("?limit=1")).body;
  expect(first.data).toEqual(body.data.slice(0, 1));
  expect((await ask(`?limit=1&cursor=${first.cursor}`)).body).toEqual({ data: body.data.slice(1), cursor: null });
});

it("ignores objects of other kinds with the stop's id", async () => {
  const line = await createStoppedLine();
  const [stop] = await stopsOf(line);
  const path = `/v1/stops/${stop.id}`;
  await call("PATCH", path, { token: line.token, body: { name: "Jam" } });
  const { companyId, userId } = line;
  await createAuditEntry({ companyId, userId }, { action: "help-call.answer", objectId: String(stop.id) });
  const { body } = await call("GET", `${path}/changes`, { token: line.token });
  expect(body.data).toMatchObject([{ action: "change" }]);
});

it("hides changes of other companies' stops, except from superusers", async () => {
  const line = await createStoppedLine();
  const [stop] = await stopsOf(line);
  await call("PATCH", `/v1/stops/${stop.id}`, { token: line.token, body: { name: "Jam" } });
  const { companyId } = await createCompany();
  const as = async (role: "superadmin" | "superuser") => (await createUser(companyId, role)).token;
  const path = `/v1/stops/${stop.id}/changes`;
  expectProblem(await call("GET", path, { token: await as("superadmin") }), 404);
  expect((await call("GET", path, { token: await as("superuser") })).body.data).toHaveLength(1);
  expectProblem(await call("GET", "/v1/stops/1/changes", { token: line.token }), 404);
});
