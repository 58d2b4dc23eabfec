import { describe, expect, it } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { call } from "../../support/call.ts";
import { expectDocumented } from "../../support/documented.ts";

// `call` checks every answer in every test against the document; this file tests that check.

const json = new Headers({ "content-type": "application/json; charset=UTF-8" });
const well = {
  status: "ok",
  version: packageJson.version,
  parts: { code: "ok", database: "ok", objects: "ok", pictures: "ok" },
  parkedRows: 0,
  degradedMachines: 0,
  unreadableRows: 0,
  silentMachines: 0,
  unansweredMachines: 0,
  databasePercent: 0,
  isDatabaseFilling: false,
  retentionHoursBehind: null,
  encryptionKey: "ok",
  missingKeys: [],
};
const health = { status: 200, headers: json, body: well };

describe("an answer that the document does not describe", () => {
  it("is detected", async () => {
    expect((await call("GET", "/health")).body).toEqual({
      ...well,
      degradedMachines: expect.any(Number),
      unreadableRows: expect.any(Number),
      retentionHoursBehind: expect.any(Object),
    });
    expectDocumented("GET", "/health?x=1", health);
    const wrong = {
      "is not documented": { ...health, status: 201 },
      "is documented as application/json": { ...health, headers: new Headers({ "content-type": "text/html" }) },
      "is not as documented": { ...health, body: { ...well, status: "fine" } },
    };
    for (const [fault, answer] of Object.entries(wrong)) {
      expect(() => expectDocumented("GET", "/health", answer)).toThrow(fault);
    }
    for (const body of [{}, { ...well, more: 1 }, { status: "ok" }, null, []]) {
      expect(() => expectDocumented("GET", "/health", { ...health, body })).toThrow("getHealth 200 is not as documented");
    }
  });

  it("is detected in schemas that extend others, and in lists", () => {
    const problem = { type: "t", title: "t", status: 401, detail: "d", instance: "/", requestId: "r" };
    const headers = new Headers({ "content-type": "application/problem+json" });
    const failed = (body: object) => () => expectDocumented("POST", "/identity/login", { status: 401, headers, body });
    expect(failed({ ...problem, error: true })).not.toThrow();
    expect(failed(problem)).toThrow("login 401");
    expect(failed({ ...problem, error: true, user: 1 })).toThrow("login 401");
    const list = (item: object) => () =>
      expectDocumented("GET", "/machines/1/availability", { status: 200, headers: json, body: [item] });
    expect(list({ status: "A", timestamp: "2026-11-20T08:00:00.000Z" })).not.toThrow();
    expect(list({ status: "X", timestamp: "2026-11-20T08:00:00.000Z" })).toThrow("getAvailability 200");
    expect(list({ status: "A" })).toThrow("getAvailability 200");
  });
});
