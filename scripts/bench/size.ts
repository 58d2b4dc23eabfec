import { large, type PlantShape, small } from "./generated-plant.ts";
import type { Pace } from "./load.ts";

/** How much a run of the bench measures. */
export interface Size {
  name: "small" | "large";
  shape: PlantShape;
  /** Machines of the hall that are fed at once. */
  crowdSize: number;
  /** Machines on the page of operation 8. */
  machinesAPage: number;
  pace: Pace;
  /** How long the crowd is fed, ms. */
  feedMs: number;
  lateEvents: number;
}

/** Fits into a minute: tells that everything works, and what each operation costs in trips and rows. */
export const smallRun: Size = {
  name: "small",
  shape: small,
  crowdSize: 100,
  machinesAPage: 50,
  pace: { callers: 4, sliceMs: 50, rounds: 3 },
  feedMs: 1000,
  lateEvents: 5,
};

/** What the bounds hold for. */
export const largeRun: Size = {
  name: "large",
  shape: large,
  crowdSize: 500,
  machinesAPage: 200,
  pace: { callers: 8, sliceMs: 300, rounds: 20 },
  feedMs: 15_000,
  lateEvents: 40,
};
