import { large, type PlantShape, small } from "./generated-plant.ts";
import type { LoadProfile } from "./load.ts";

/** The extent of a run of the bench. */
export interface Size {
  name: "small" | "large";
  shape: PlantShape;
  /** Machines of the bench company that receive events at once. */
  crowdSize: number;
  /** Machines on the page of operation 8. */
  machinesAPage: number;
  profile: LoadProfile;
  /** The duration of feeding the crowd, ms. */
  feedMs: number;
  lateEvents: number;
}

/** Takes a minute: checks that everything works, and shows the trips and rows of each operation. */
export const smallRun: Size = {
  name: "small",
  shape: small,
  crowdSize: 100,
  machinesAPage: 50,
  profile: { callers: 4, sliceMs: 50, rounds: 3 },
  feedMs: 1000,
  lateEvents: 5,
};

/** The run to which the bounds apply. */
export const largeRun: Size = {
  name: "large",
  shape: large,
  crowdSize: 500,
  machinesAPage: 200,
  profile: { callers: 8, sliceMs: 300, rounds: 20 },
  feedMs: 15_000,
  lateEvents: 40,
};
