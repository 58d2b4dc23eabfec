import { afterEach, beforeEach, describe, inject, it, vi } from "vitest";
import { stopClockAtNoon } from "../support/clock.ts";
import { hurryDeadlines } from "./deadlines.ts";
import { bindingsAtWork, runPlan } from "./run-plan.ts";

declare module "vitest" {
  interface ProvidedContext {
    faults: { seeds: number[] };
  }
}

stopClockAtNoon();
beforeEach(() => {
  hurryDeadlines(bindingsAtWork);
  // Every fault is logged, which is correct.
  for (const name of ["log", "error"] as const) vi.spyOn(console, name).mockImplementation(() => {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("a plan of faults leaves what the same requests leave without faults", () => {
  it.each(inject("faults").seeds)("FAULT_SEED=%i", async (seed) => {
    await runPlan(seed);
  });
});
