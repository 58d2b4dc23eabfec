import { defineConfig } from "vitest/config";

/** Only the engine's tests, for `npm run mutants`. */
export default defineConfig({
  test: { include: ["test/oee/**/*.test.ts"], provide: { engine: { runs: 30 } } },
});
