import { modelTest } from "./model-run.ts";

modelTest("a machine known by its counts is what its model says", "counts", 0.5);
