import { describe, expect, it } from "vitest";
import { auditEntries } from "../../../support/audit.ts";
import { type CallOptions, call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createCompany, createPersona, createUser } from "../../../support/factories.ts";
import { overtakenBy } from "../../../support/overtaken.ts";

/** A browser's subscription. */
const subscriptionOf = (n: number) =>
  JSON.stringify({ endpoint: `https://push.example.com/${n}`, keys: { p256dh: "B".padEnd(87, "A"), auth: "A".repeat(22) } });
const pushOff = {
  code: "channel_off",
  channel: "push",
  message: expect.stringContaining("VAPID_PRIVATE_KEY, VAPID_CONTACT are missing"),
};

async function createOffice() {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  const { id } = await createPersona(companyId);
  const patch = (body: object, headers: Record<string, string> = {}, via?: CallOptions["via"]) =>
    call("PATCH", `/v1/personas/${id}`, { token, body, headers, ...(via && { via }) });
  const shown = async () => (await call("GET", "/v1/personas", { token })).body.data[0];
  const audited = () => auditEntries({ action: "persona.change", objectId: id });
  return { companyId, token, id, patch, shown, audited };
}

describe("PATCH /v1/personas/{id}", () => {
  it("changes only the members that are sent, and is audited", async () => {
    const { id, patch, shown, audited } = await createOffice();
    const before = await shown();
    const changed = await patch({
      name: "Night lead",
      isActive: false,
      sms: { value: "+34600111222", isActive: true },
      email: { value: "ana@example.test" },
      push: [{ value: subscriptionOf(1) }],
      alertHours: { friday: { start: "22:00", end: "06:00" }, sunday: { start: "00:00", end: "00:00" } },
      language: "english",
    });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect(changed.body).toEqual({
      ...before,
      id,
      name: "Night lead",
      isActive: false,
      sms: { ...before.sms, value: "+34600111222", isActive: true },
      email: { ...before.email, value: "ana@example.test" },
      push: [{ id: expect.any(String), value: subscriptionOf(1), isActive: true, reference: "" }],
      alertHours: { ...before.alertHours, friday: { start: "22:00", end: "06:00" }, sunday: { start: "00:00", end: "00:00" } },
      language: "english",
      warnings: [{ code: "channel_off", channel: "sms", message: expect.stringContaining("TWILIO_AUTH_TOKEN") }, pushOff],
    });
    const { warnings, ...stored } = changed.body;
    expect(await shown()).toEqual(stored);
    const [entry, ...others] = await audited();
    expect(others).toEqual([]);
    expect({ ...before, ...(entry?.after as object) }).toEqual(stored);
    expect({ ...stored, ...(entry?.before as object) }).toEqual(before);

    const [device] = changed.body.push;
    const second = await patch({ push: [{ ...device, isActive: false }, { value: subscriptionOf(2) }] });
    expect(second.body.push).toMatchObject([{ id: device.id, isActive: false }, { value: subscriptionOf(2) }]);
    // A change without effect succeeds and leaves no trace.
    expect((await patch({ name: "Night lead" })).body).toEqual(second.body);
    expect(await audited()).toHaveLength(2);
  });

  it("is done once for the same Idempotency-Key", async () => {
    const { patch, shown, audited } = await createOffice();
    const key = { "idempotency-key": crypto.randomUUID() };
    const first = await patch({ push: [{ value: subscriptionOf(1) }] }, key);
    const again = await patch({ push: [{ value: subscriptionOf(1) }] }, key);
    expect([again.headers.get("idempotent-replayed"), again.body]).toEqual(["true", first.body]);
    expect((await shown()).push).toEqual(first.body.push);
    expect(await audited()).toHaveLength(1);
  });

  it("keeps another change between reading and writing", async () => {
    const { patch, shown, audited } = await createOffice();
    const renames = () => patch({ name: "Renamed meanwhile" });
    const overtaken = await patch({ language: "english" }, {}, overtakenBy(renames));
    expect(overtaken.body).toMatchObject({ name: "Renamed meanwhile", language: "english" });
    expect({ ...(await shown()), warnings: [] }).toEqual(overtaken.body);
    expect((await audited()).at(-1)).toMatchObject({ before: { language: "spanish" }, after: { language: "english" } });
  });

  it("names invalid contacts, hours and languages, and changes nothing", async () => {
    const { patch, shown } = await createOffice();
    const before = await shown();
    const uuid = crypto.randomUUID();
    for (const [body, ...pointers] of [
      [{ sms: { value: "600111222" } }, "/sms/value"],
      [{ whatsapp: { value: "+0600111222" } }, "/whatsapp/value"],
      [{ whatsapp: { value: "+34 600 111" } }, "/whatsapp/value"],
      [{ sms: { value: "+1234567890123456" } }, "/sms/value", "/sms/value"],
      [{ email: { value: "nobody" } }, "/email/value"],
      [{ email: { isActive: true } }, "/email/value"],
      [{ sms: { value: "", isActive: true } }, "/sms/value"],
      [{ push: [{ value: "" }] }, "/push/0/value"],
      [{ push: [{ id: uuid, value: subscriptionOf(1) }] }, "/push/0/id"],
      [{ push: [{ value: "a token" }] }, "/push/0/value"],
      [{ push: [{ value: subscriptionOf(1).replace("https:", "http:") }] }, "/push/0/value"],
      [{ push: [{ value: subscriptionOf(1).replace("push.example.com", "10.0.0.1") }] }, "/push/0/value"],
      [{ push: [{ value: subscriptionOf(1).replace('"auth":"A', '"auth":"') }] }, "/push/0/value"],
      [{ alertIds: [uuid] }, "/alertIds/0"],
      [{ alertIds: ["one", "one"] }, "/alertIds/1"],
      [{ alertHours: { monday: { start: "24:00", end: "06:00" } } }, "/alertHours/monday/start"],
      [{ alertHours: { monday: { start: "6:00", end: "24:01" } } }, "/alertHours/monday/start", "/alertHours/monday/end"],
      [{ alertHours: { monday: { start: "06:00" } } }, "/alertHours/monday/end"],
      [{ alertHours: { someday: {} } }, "/alertHours/someday"],
      [{ language: "german" }, "/language"],
      [{ name: "" }, "/name"],
      [{ isUser: true }, "/isUser"],
    ] as [object, ...string[]][]) {
      expectProblem(await patch(body), 400, ...pointers);
    }
    expect(await shown()).toEqual(before);
  });

  it("is only for personas of the own company, and for superusers of all", async () => {
    const { id, shown } = await createOffice();
    const before = await shown();
    const stranger = await createUser((await createCompany()).companyId, "superadmin");
    expectProblem(await call("PATCH", `/v1/personas/${id}`, { token: stranger.token, body: { name: "Mine" } }), 404);
    expect(await shown()).toEqual(before);
    const superuser = await createUser((await createCompany()).companyId, "superuser");
    expect((await call("PATCH", `/v1/personas/${id}`, { token: superuser.token, body: { name: "Ours" } })).status).toBe(200);
    expect((await shown()).name).toBe("Ours");
  });
});
