import { describe, expect, it } from "vitest";
import { gatewayState, pairCommands } from "../../src/board/domain/gateways.ts";
import { MINUTE_MS, SECOND_MS } from "../../src/board/domain/time.ts";

const now = Date.parse("2026-11-20T08:00:00Z");
const ago = (ms: number) => new Date(now - ms).toISOString();
const good = {
  heardAt: ago(30 * SECOND_MS),
  queue: { oldestAt: null, quarantined: 0, dropped: [] },
  sources: [{ state: "ok" as const }, { state: "waiting" as const }],
  clockSkewMs: 900,
};
const queued = (changes: Partial<(typeof good)["queue"]> | { oldestAt: string } | { dropped: object[] }) => ({
  ...good,
  queue: { ...good.queue, ...changes },
});

describe("how a gateway does", () => {
  it("is known from its last report", () => {
    expect(gatewayState(null, now)).toBe("none");
    expect(gatewayState(good, now)).toBe("ok");
    expect(gatewayState({ ...good, heardAt: ago(2 * MINUTE_MS) }, now)).toBe("ok");
    expect(gatewayState({ ...good, heardAt: ago(2 * MINUTE_MS + SECOND_MS) }, now)).toBe("silent");
  });

  it("needs somebody if a source fails or is silent, events wait for long, were refused or lost, or the clock is wrong", () => {
    const troubles = [
      { ...good, sources: [{ state: "ok" as const }, { state: "failed" as const }] },
      { ...good, sources: [{ state: "silent" as const }] },
      queued({ oldestAt: ago(6 * MINUTE_MS) }),
      queued({ quarantined: 1 }),
      queued({ dropped: [{}] }),
      { ...good, clockSkewMs: -11_000 },
    ];
    for (const status of troubles) expect(gatewayState(status, now)).toBe("trouble");
    expect(gatewayState(queued({ oldestAt: ago(4 * MINUTE_MS) }), now)).toBe("ok");
    expect(gatewayState({ ...good, clockSkewMs: null }, now)).toBe("ok");
  });
});

it("a bridge is paired by the command with its code", () => {
  expect(pairCommands("CDFG-3467")).toEqual(["npx andon-bridge pair CDFG-3467", "npm run bridge -- pair CDFG-3467"]);
});
