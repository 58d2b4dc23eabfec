import { modelTest } from "./model-run.ts";

modelTest("a machine known by its states is what its model says", "states", 0.5);
