import { describe, expect, it } from "vitest";
import { auditEntries } from "../../../support/audit.ts";
import { call } from "../../../support/call.ts";
import { createCompany, createUser } from "../../../support/factories.ts";

describe("signing out", () => {
  it("ends all tokens of only this user, who can sign in again", async () => {
    const password = "correct horse battery";
    const { companyId } = await createCompany();
    const [user, colleague] = [await createUser(companyId, "readonly", { password }), await createUser(companyId, "readonly")];
    const login = async () =>
      (await call("POST", "/identity/login", { body: { email: user.email, password } })).body.data.jwt.token as string;
    const isIn = async (token: string) => (await call("GET", "/v1/notifications", { token })).status === 200;
    const other = await login();
    expect([await isIn(user.token), await isIn(other)]).toEqual([true, true]);
    expect((await call("DELETE", "/v1/tokens", { token: other })).status).toBe(204);
    expect([await isIn(user.token), await isIn(other), await isIn(colleague.token)]).toEqual([false, false, true]);
    expect(await isIn(await login())).toBe(true);
    expect(await auditEntries({ action: "user.change", objectId: user.userId })).toMatchObject([{ after: { tokens: "ended" } }]);
  });
});
