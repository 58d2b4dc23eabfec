import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { auditEntries } from "../../../support/audit.ts";
import { type CallOptions, call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createCompany, createUser } from "../../../support/factories.ts";
import { overtakenBy } from "../../../support/overtaken.ts";
import { createDashboard } from "../../../support/widgets.ts";

const put = (token: string, id: string, body: unknown, via?: CallOptions["via"]) =>
  call("PUT", `/v1/dashboards/${id}/favorite`, { token, body, ...(via && { via }) });
const favorites = async (token: string): Promise<string[]> =>
  (await call("GET", "/v1/dashboards", { token })).body.data.flatMap((one: { id: string; isFavorited: boolean }) =>
    one.isFavorited ? [one.id] : [],
  );

describe("a favorite dashboard", () => {
  it("is one person's, the company's or the system's, until they say that it is not, and each change is in the audit once", async () => {
    const { companyId } = await createCompany();
    const { token, userId } = await createUser(companyId, "readonly");
    const other = await createUser(companyId, "admin");
    const [own, system] = [await createDashboard(companyId), await createDashboard(null)];
    for (const { id } of [own, system]) {
      const { status, body } = await put(token, id, { isFavorited: true });
      expect({ status, body }).toEqual({ status: 204, body: null });
    }
    expect((await put(token, own.id, { isFavorited: true })).status).toBe(204);
    expect((await favorites(token)).sort()).toEqual([own.id, system.id].sort());
    expect(await favorites(other.token)).toEqual([]);
    expect((await put(token, own.id, { isFavorited: false })).status).toBe(204);
    expect((await put(token, own.id, { isFavorited: false })).status).toBe(204);
    expect(await favorites(token)).toEqual([system.id]);
    const entries = await auditEntries({ action: "config.save", objectId: userId });
    expect(entries.map(({ before, after }) => [before, after])).toEqual([
      [{ isFavorited: false }, { isFavorited: true }],
      [{ isFavorited: false }, { isFavorited: true }],
      [{ isFavorited: true }, { isFavorited: false }],
    ]);
  });

  it("is none that is deleted, another company's or unknown (404), nor anything but true or false, which changes nothing", async () => {
    const { companyId } = await createCompany();
    const { token } = await createUser(companyId, "user");
    const { id } = await createDashboard(companyId);
    const others = [await createDashboard(companyId, { deletedAt: 1 }), await createDashboard((await createCompany()).companyId)];
    for (const unknown of [...others.map((one) => one.id), crypto.randomUUID()]) {
      expectProblem(await put(token, unknown, { isFavorited: true }), 404);
    }
    for (const body of [{}, { isFavorited: "true" }, { isFavorited: null }])
      expectProblem(await put(token, id, body), 400, "/isFavorited");
    expectProblem(await put(token, id, { isFavorited: true, more: 1 }), 400, "/more");
    expect(await favorites(token)).toEqual([]);
  });

  it("is made once by two requests at the same time, and not made of a dashboard that is deleted meanwhile", async () => {
    const { companyId } = await createCompany();
    const { token } = await createUser(companyId, "admin");
    const { id } = await createDashboard(companyId);
    const both = await Promise.all([put(token, id, { isFavorited: true }), put(token, id, { isFavorited: true })]);
    expect(both.map(({ status }) => status)).toEqual([204, 204]);
    expect(await favorites(token)).toEqual([id]);
    const gone = await createDashboard(companyId);
    const deletion = () => call("DELETE", `/v1/dashboards/${gone.id}`, { token });
    expectProblem(await put(token, gone.id, { isFavorited: true }, overtakenBy(deletion)), 404);
    expect(await env.DB_0.prepare("SELECT 1 FROM favorites WHERE favorite_id = ?").bind(gone.id).first()).toBeNull();
  });
});
