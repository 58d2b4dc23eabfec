import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { render } from "../../src/channels/render.ts";
import type { AlertParams } from "../../src/channels/texts/kinds.ts";

const help: AlertParams = {
  ...{ ruleName: "Help", kind: "help", machineName: "Press 1", lineName: null, minutes: null, cause: null },
  ...{ value: null, threshold: null, since: Date.UTC(2040, 3, 16, 9, 48), incidentId: "i", custom: null },
};

/** The body of a notification of a call for help. */
function bodyOf(language: "en" | "es", params: Partial<AlertParams>): string {
  const content = { kind: "alert_opened" as const, params: { ...help, ...params } };
  return render(env, { id: "m", companyId: 1, content, language, timezone: "UTC" }).text.body;
}

describe("a notification of a call for help", () => {
  it.each([
    ["en", "Help was called at 16 Apr, 09:48"],
    ["es", "Se pidió ayuda el 16 abr, 09:48"],
  ] as const)("has the call's message, in %s", (language, called) => {
    expect(bodyOf(language, { message: "No {since} material" })).toBe(`${called}: No {since} material`);
    expect(bodyOf(language, { message: null })).toBe(`${called}.`);
    // As in messages that were stored before calls had one.
    expect(bodyOf(language, {})).toBe(`${called}.`);
  });

  it("has it in a rule's own text where that names {message}, as it was written", () => {
    const custom = { en: "{machine} wants: {message}!", es: "{machine} pide: {message}" };
    expect(bodyOf("en", { custom, message: "Crane, {machine}" })).toBe("Press 1 wants: Crane, {machine}!");
    expect(bodyOf("es", { custom, message: "Grúa" })).toBe("Press 1 pide: Grúa");
    expect(bodyOf("en", { custom, message: null })).toBe("Press 1 wants: –!");
  });
});

it("a notification of short stops can be planned by a version that called them otherwise", () => {
  const stops = { kind: "micro_stops" as AlertParams["kind"], value: 3, threshold: 2 };
  expect(bodyOf("en", stops)).toBe("3 short stops within an hour; more than 2 is too many.");
  expect(bodyOf("es", stops)).toBe("3 paradas cortas en una hora; el máximo es 2.");
});
